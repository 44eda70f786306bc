// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Wrote: Notice {
  var text: String
  static let layer: Layer = .model
}
private struct Shown: Notice {
  var text: String
  static let layer: Layer = .view
}

@Suite("Rights") struct RightsTests {
  @Test func `a view may send and observe its layer only`() throws {
    let context = try Context()
    var told: [DenialReport] = []
    let log = try context.observe(DenialReport.self) { report, _ in told.append(report) }
    let view = try context.scope("View", rights: Rights(sends: [.view], observes: [.view]))
    var lines: [String] = []
    let all = try view.observe { lines.append($0.line) }

    try view.send(Shown(text: "x"))
    try context.send(Wrote(text: "y"))
    let error = #expect(throws: StreamError.self) { try view.send(Wrote(text: "z")) }

    #expect(error?.status == .denied)
    #expect(error?.message.contains("scope View may not send Wrote: layer model") == true)
    #expect(lines.count == 1)
    #expect(
      told == [DenialReport(origin: "View", what: "send", type: "Wrote", layer: "model", count: 1)])
    #expect(try context.stats().denied == 1)
    withExtendedLifetime((log, all)) {}
  }

  @Test func `a child is never wider, and no layers are nothing`() throws {
    let context = try Context()
    let view = try context.scope("View", rights: Rights(sends: [.view]))
    let child = try view.scope("Child", rights: Rights(sends: [.view, .model]))
    let mute = try context.scope("Mute", rights: Rights(sends: []))

    try child.send(Shown(text: "x"))
    #expect(throws: StreamError.self) { try child.send(Wrote(text: "x")) }
    #expect(throws: StreamError.self) { try mute.send(Shown(text: "x")) }
    #expect(try context.stats().denied == 2)
  }

  @Test func `a scope has only what it is given (E-096)`() throws {
    let context = try Context(ContextOptions(denyByDefault: true))
    let plain = try context.scope("Plain")
    let sends = try context.scope("Sends", rights: Rights(sends: [.view]))

    try sends.send(Shown(text: "x"))
    try context.send(Wrote(text: "y"))
    #expect(throws: StreamError.self) { try plain.send(Shown(text: "x")) }
    #expect(throws: StreamError.self) { _ = try sends.observe(Shown.self) { _, _ in } }
    #expect(throws: StreamError.self) { try sends.scope("Below").send(Shown(text: "x")) }
    #expect(try context.stats().denied == 3)
  }

  @Test func `a budget of observers names its owner`() throws {
    let context = try Context()
    let greedy = try context.scope("Greedy", observers: 1)
    let one = try greedy.observe(Shown.self) { _, _ in }
    let error = #expect(throws: StreamError.self) {
      _ = try greedy.scope("Child").observe(Shown.self) { _, _ in }
    }

    #expect(error?.status == .limit)
    #expect(error?.message.contains("scope Greedy may have 1 observers") == true)
    withExtendedLifetime(one) {}
  }

  @Test func `limits bound a context`() throws {
    var limits = Limits()
    limits.payload = 20
    limits.observers = 1
    let context = try Context(ContextOptions(limits: limits))
    let one = try context.observe(Shown.self) { _, _ in }

    let error = #expect(throws: StreamError.self) {
      try context.send(Shown(text: "far more than twenty bytes"))
    }
    #expect(error?.status == .tooBig)
    #expect(throws: StreamError.self) { _ = try context.observe { _ in } }
    withExtendedLifetime(one) {}
  }
}
