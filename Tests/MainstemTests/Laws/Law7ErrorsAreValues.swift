// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Law 7: errors are values.
extension LawTests {
  @Test func `law 7: a callback that throws is reported, and everything goes on`() throws {
    let context = try Context()
    var others = 0
    var reports: [FailureReport] = []
    let failing = try context.observe(Tick.self) { _, _ in throw Failure("BROKEN", code: 1001) }
    let other = try context.observe(Tick.self) { _, _ in others += 1 }
    let watching = try context.observe(FailureReport.self) { report, _ in reports.append(report) }

    for number in 1...9 { try context.send(Tick(number: number)) }

    #expect(others == 9)
    #expect(reports.map(\.count) == [1, 2, 4, 8])
    #expect(reports.first?.message == "BROKEN")
    #expect(reports.first?.code == 1001)
    #expect(try context.stats().failures == 9)
    for subscription in [failing, other, watching] { subscription.cancel() }
  }
}
