// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// Plays Tests/scenarios/reactors.txt, as C and Python do: the same actions, the same values in order.
@Suite("Reactor scripts") struct ReactorScriptTests {
  private static let scripts = Script.read()

  @Test func `they are four`() {
    #expect(Self.scripts.map(\.program) == ["counter", "stopwatch", "alerts", "feed"])
  }

  @Test(arguments: scripts)
  func `a script of actions shows the same values in the same order`(script: Script) throws {
    switch script.program {
    case "counter":
      try play(script, Reactors.Counter()) { $0.show("count", Int.self) }
    case "stopwatch":
      try play(script, Reactors.Stopwatch()) { $0.show("seconds", Int.self) }
    case "alerts":
      try play(script, Reactors.Alerts()) { view in
        view.show("others", Int.self)
        view.show("alert", String.self)
      }
    default:
      try play(script, Reactors.Feed()) { view in
        for name in ["isLoading", "isLoadingMore", "noMore"] { view.show(name, Bool.self) }
        view.show("items", String.self)
        view.show("canMore", Bool.self)
        view.show("alert", String.self)
      }
    }
  }

  private func play<R: Reactor>(
    _ script: Script, _ reactor: R, _ rows: @escaping (inout Player<R>.View) -> Void
  ) throws {
    let player = try Player(reactor, rows)
    for step in script.steps { try player.play(step) }
  }
}

/// The lines of one program.
struct Script: CustomTestStringConvertible, Sendable {
  let program: String
  var steps: [String] = []
  var testDescription: String { program }

  static func read() -> [Script] {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = String(
      decoding: Folder.bytes(of: "/\(tests)/scenarios/reactors.txt"), as: UTF8.self)
    var scripts: [Script] = []
    for line in text.split(separator: "\n") {
      let step = line.drop { $0 == " " }
      if step.isEmpty || step.hasPrefix("#") { continue }
      if line.hasPrefix(" ") {
        scripts[scripts.count - 1].steps.append(String(step))
      } else {
        scripts.append(Script(program: String(line)))
      }
    }
    return scripts
  }
}

/// A program, and what its view sees.
private final class Player<R: Reactor> {
  /// Rows that note what they show.
  struct View {
    var rows: BindingRows
    let note: (String) -> Void

    mutating func show<Value: Decodable>(_ name: String, _ type: Value.Type) {
      rows.show(name) { [note] (value: Value) in note("\(name)=\(value)") }
    }
  }

  private let context: Context
  private let initial: R
  private let rows: (inout View) -> Void
  private let pages = Reactors.Pages()
  private var scope: Context?
  private var binding: Binding?
  private var seen: [String] = []
  private var log: [String] = []
  private var watching: Subscription?

  init(_ reactor: R, _ rows: @escaping (inout View) -> Void) throws {
    context = try Context(ContextOptions(clock: .virtual))
    (initial, self.rows) = (reactor, rows)
    watching = try context.observe { [unowned self] in log.append($0.line) }
    try context.install(Reactors.PageServer(pages: pages))
    try open()
  }

  private func open() throws {
    let opened = try context.open(initial)
    scope = opened
    binding = try context.bind(to: opened) { [unowned self] table in
      var view = View(rows: table) { [unowned self] in seen.append($0) }
      rows(&view)
      table = view.rows
    }
  }

  func play(_ step: String) throws {
    let (verb, rest) = step.cut(at: " ")
    switch verb {
    case "run": try run(rest)
    case "see":
      try context.drain()
      #expect(seen.joined(separator: " ") == rest, "\(step)")
      seen = []
    case "sent" where rest.isEmpty: log = []
    case "sent": #expect((log.isEmpty ? "nothing" : log.removeFirst()) == rest)
    case "wait": try context.advance(by: .milliseconds(Int(rest) ?? 0))
    case "page": pages.answer(rest)
    case "fail": pages.fail(rest)
    case "asked": #expect(pages.asked.count == Int(rest))
    case "again":
      binding = nil
      try scope?.close()
      try open()
    default: Issue.record("no step: \(step)")
    }
  }

  private func run(_ rest: String) throws {
    let (called, wanted) = rest.cut(at: " -> ")
    let (name, given) = called.cut(at: " ")
    do throws(StreamError) {
      try binding?.run(name, given.isEmpty ? nil : given)
      #expect(wanted.isEmpty)
    } catch {
      #expect("\(error.status)" == wanted)
    }
  }
}

extension String {
  /// What stands before a separator, and behind it.
  fileprivate func cut(at separator: String) -> (String, String) {
    let parts = split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
    return (parts.first.map { String($0) } ?? "", parts.count > 1 ? String(parts[1]) : "")
  }
}
