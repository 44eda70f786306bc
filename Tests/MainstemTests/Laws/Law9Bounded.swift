// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
import Testing

/// Law 9: bounded.
extension LawTests {
  private func bounded(_ change: (inout Limits) -> Void) throws -> Context {
    var limits = Limits()
    change(&limits)
    return try Context(ContextOptions(limits: limits))
  }

  private func status(_ call: () throws -> Void) -> Status {
    do { try call() } catch { return (error as? StreamError)?.status ?? .incomplete }
    return .ok
  }

  @Test func `law 9: two that answer each other for ever stop at the limit`() throws {
    let context = try bounded { $0.cascade = 50 }
    var last: [Status] = []
    var reports: [CascadeReport] = []
    let tick = try context.observe(Tick.self) { _, _ in
      last.append(status { try context.send(Tock(text: "")) })
    }
    let tock = try context.observe(Tock.self) { _, _ in
      last.append(status { try context.send(Tick(number: 1)) })
    }
    let watching = try context.observe(CascadeReport.self) { report, _ in reports.append(report) }

    for number in 1...4 { try context.send(Tick(number: number)) }

    #expect(last.count == 4 * 51)
    #expect(last.filter { $0 == .limit }.count == 4)
    #expect(reports.map(\.count) == [1, 2, 4])
    #expect(reports.first?.chain.suffix(2) == ["Tock", "Tick"])
    #expect(reports.first?.type == "Tock")
    #expect(try context.stats().rejected == 4)
    for subscription in [tick, tock, watching] { subscription.cancel() }
  }

  @Test func `law 9: what waits is bounded, and refusals are counted`() throws {
    let context = try bounded { $0.events = 3 }
    var statuses: [Status] = []
    var seen = 0
    let tick = try context.observe(Tick.self) { _, _ in
      for _ in 1...5 { statuses.append(status { try context.send(Tock(text: "")) }) }
    }
    let tock = try context.observe(Tock.self) { _, _ in seen += 1 }

    try context.send(Tick(number: 1))

    #expect(statuses == [.ok, .ok, .ok, .full, .full])
    #expect(seen == 3)
    #expect(try context.stats().rejected == 2)
    for subscription in [tick, tock] { subscription.cancel() }
  }

  @Test func `law 9: an observer over a budget is refused`() throws {
    let context = try bounded { $0.observers = 2 }
    let few = try context.scope("Few", observers: 1)
    let one = try few.observe(Tick.self) { _, _ in }

    #expect(status { _ = try few.observe(Tick.self) { _, _ in } } == .limit)
    let two = try context.observe(Tick.self) { _, _ in }
    #expect(status { _ = try context.observe(Tick.self) { _, _ in } } == .limit)
    for subscription in [one, two] { subscription.cancel() }
  }

  @Test func `law 9: rights only narrow`() throws {
    let context = try Context()
    let view = try context.scope("View", rights: Rights(sends: [.view]))
    let child = try view.scope("Child", rights: Rights(sends: [.view, .app]))

    #expect(status { try view.send(Tick(number: 1)) } == .denied)
    #expect(status { try child.send(Tick(number: 1)) } == .denied)
    #expect(try context.stats().denied == 2)
  }
}
