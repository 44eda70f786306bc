// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Law 9: what waits for an observer on a scheduler is bounded, and each loss is told.
extension LawTests {
  @Test func `law 9: a gap is no event: who does not ask is not told`() throws {
    let context = try Context()
    var numbers: [Int] = []
    var reports: [FailureReport] = []
    let watching = try context.observe(FailureReport.self) { report, _ in reports.append(report) }
    let subscription = try context.observe(Tick.self, on: .host, queue: .latest) { tick, _ in
      numbers.append(tick.number)
    }
    for number in 1...3 { try context.send(Tick(number: number)) }
    try context.drain()

    #expect(numbers == [3])
    #expect(reports.isEmpty)
    #expect(try context.stats().failures == 0)
    for each in [subscription, watching] { each.cancel() }
  }

  @Test func `law 9: a queue for nothing has room for one event`() throws {
    let context = try Context()
    var lines: [String] = []
    let subscription = try context.observe(
      Tick.self, on: .host, queue: .dropOldest(bytes: 0),
      onGap: { gap in lines.append("\(gap.from)-\(gap.to):\(gap.count)") }
    ) { tick, _ in lines.append("\(tick.number)") }
    for number in 1...4 { try context.send(Tick(number: number)) }
    try context.drain()

    #expect(lines == ["1-3:3", "4"])
    subscription.cancel()
  }
}
