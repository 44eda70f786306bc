// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
import Testing

/// Law 9: what waits for an observer on a scheduler is bounded, and each loss is told.
extension LawTests {
  /// What one observer got, `7`, or `2-6:5` for a gap, of events sent at once and one more later.
  private func seen(_ queue: Queue, sent: ClosedRange<Int>) throws -> [String] {
    let context = try Context()
    var lines: [String] = []
    let subscription = try context.observe(
      Tick.self, on: .host, queue: queue,
      onGap: { gap in lines.append("\(gap.from)-\(gap.to):\(gap.count)") }
    ) { tick, _ in lines.append("\(tick.number)") }
    for number in sent { try context.send(Tick(number: number)) }
    try context.drain()
    // What was lost is told before the next event.
    try context.send(Tick(number: sent.upperBound + 1))
    try context.drain()
    subscription.cancel()
    return lines
  }

  private func status(_ call: () throws -> Void) -> Status {
    do { try call() } catch { return (error as? StreamError)?.status ?? .incomplete }
    return .ok
  }

  @Test func `law 9: a gap says exactly what was lost`() throws {
    #expect(try seen(.dropOldest(limit: 3), sent: 1...8) == ["1-5:5", "6", "7", "8", "9"])
    #expect(try seen(.dropNewest(limit: 3), sent: 1...8) == ["1", "2", "3", "4-8:5", "9"])
    #expect(try seen(.latest, sent: 1...8) == ["1-7:7", "8", "9"])
    #expect(try seen(.dropOldest(limit: 8), sent: 1...8) == (1...9).map { "\($0)" })
  }

  @Test func `law 9: a loss at the end of a burst is told there`() throws {
    let context = try Context()
    var lines: [String] = []
    let subscription = try context.observe(
      Tick.self, on: .host, queue: .dropNewest(limit: 2),
      onGap: { gap in lines.append("\(gap.from)-\(gap.to):\(gap.count)") }
    ) { tick, _ in lines.append("\(tick.number)") }
    for number in 1...5 { try context.send(Tick(number: number)) }
    try context.drain()

    #expect(lines == ["1", "2", "3-5:3"])
    subscription.cancel()
  }

  @Test func `law 9: bytes are bounded too, and one event always may wait`() throws {
    // {"number":1} is 12 bytes.
    #expect(try seen(.dropOldest(bytes: 24), sent: 1...4) == ["1-2:2", "3", "4", "5"])
    #expect(try seen(.dropOldest(bytes: 0), sent: 1...4) == ["1-3:3", "4", "5"])
  }

  @Test func `law 9: a gap counts only what the observer would have got`() throws {
    let context = try Context()
    var gaps: [Gap] = []
    let subscription = try context.observe(
      Tick.self, on: .host, queue: .latest, onGap: { gaps.append($0) }
    ) { _, _ in }
    for number in 1...3 {
      try context.send(Tick(number: number))
      try context.send(Tock(text: "between"))
    }
    try context.drain()

    #expect(gaps.map(\.from) == [1])
    #expect(gaps.map(\.to) == [3])
    #expect(gaps.map(\.count) == [2])
    subscription.cancel()
  }

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

  @Test(arguments: [Queue.reject(limit: 2), .block(limit: 2)])
  func `law 9: a full queue that may lose nothing refuses`(_ queue: Queue) throws {
    let context = try Context()
    var numbers: [Int] = []
    var statuses: [Status] = []
    let subscription = try context.observe(Tick.self, on: .host, queue: queue) { tick, _ in
      numbers.append(tick.number)
    }
    // Inside a callback, where even a send that may block must not.
    let asking = try context.observe(Tock.self) { _, _ in
      for number in 1...4 {
        statuses.append(status { try context.send(Tick(number: number)) })
      }
    }

    try context.send(Tock(text: "now"))
    #expect(statuses == [.ok, .ok, .full, .full])
    try context.drain()
    #expect(numbers == [1, 2])
    #expect(status { try context.send(Tick(number: 5)) } == .ok)
    for each in [subscription, asking] { each.cancel() }
  }
}
