// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemSignals
import Testing

private struct Struck: Notice {}

/// Appends letters, at once and later.
private struct Letters: Reactor {
  enum Action { case now, later, tooMany }
  struct State: Codable { var text = "" }
  var state = State()

  func mutate(_ action: Action) -> Signal<String, Failure> {
    switch action {
    case .now: .values(["a", "b"])
    case .later: .just("z").delay(.microseconds(500))
    case .tooMany: .values(repeatElement("x", count: 100))
    }
  }

  static func reduce(_ state: inout State, _ letter: String) { state.text += letter }

  static func shown(_ on: inout Shown<Self>) {
    on.shows("text", \.text)
    on.action("now", .now)
    on.action("later", .later, policy: .concurrent)
    on.action("tooMany", .tooMany)
  }
}

/// What is there at once needs no run of its signal, and nobody can tell.
@Suite("A reactor's mutations at once") struct ReactorAtOnceTests {
  private let context: Context
  private let binding: Binding
  private let seen = Seen()

  private final class Seen { var texts: [String] = [] }

  init() throws {
    context = try Context(ContextOptions(clock: .virtual))
    let reactor = try context.open(Letters())
    binding = try context.bind(to: reactor) { [seen] rows in
      rows.show("text") { seen.texts.append($0) }
    }
  }

  @Test func `they come one after the other, and are seen as one`() throws {
    try binding.run("now")
    #expect(seen.texts == ["", "ab"])
  }

  @Test func `what fell due before comes before`() throws {
    let binding = binding
    let watching = try context.observe(Struck.self) { _, _ in try binding.run("now") }
    let timer = try context.send(Struck(), after: .milliseconds(1))
    // Its alarm is rounded up to the same millisecond, and comes behind.
    try binding.run("later")
    try context.advance(by: .milliseconds(1))
    #expect(seen.texts.last == "zab")
    timer.cancel()
    watching.cancel()
  }

  @Test func `they do not wait for what is due later`() throws {
    try binding.run("later")
    try binding.run("now")
    #expect(seen.texts.last == "ab")
    try context.advance(by: .milliseconds(1))
    #expect(seen.texts.last == "abz")
  }

  @Test func `one that is refused is the action's error, and none comes after it`() throws {
    let slow = try context.observe(history: false, on: .host, queue: .reject(limit: 10)) { _ in }
    var failures: [Failure] = []
    try binding.run("tooMany") { if case .failure(let failure) = $0 { failures.append(failure) } }
    #expect(failures.map(\.code) == [.full])
    slow.cancel()
    try binding.run("now")
    // Beside the action, nine had room.
    #expect(seen.texts.last == "xxxxxxxxxab")
  }
}
