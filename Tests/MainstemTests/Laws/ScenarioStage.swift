// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// What a case plays on: its context, what it has named, and what has happened so far.
final class ScenarioStage {
  struct Notice: Mainstem.Notice, TextEvent { var text: String }
  struct Other: Mainstem.Notice, TextEvent {
    static let layer: Layer = .view
    var text: String
  }
  struct ResponseAnswer: Response, TextEvent { var text: String }
  struct Value: TextEvent {
    static let role = Role.value
    var text: String
  }
  struct CellName: TextEvent {
    static let name = "Cell.name"
    static let role = Role.value
    var text: String
  }
  struct CellSize: TextEvent {
    static let name = "Cell.size"
    static let role = Role.value
    var text: String
  }
  struct RequestAsk: Request, TextEvent {
    typealias Answer = ResponseAnswer
    var text: String
  }

  static let types: [String: any TextEvent.Type] = [
    "Notice": Notice.self, "Other": Other.self, "RequestAsk": RequestAsk.self,
    "ResponseAnswer": ResponseAnswer.self, "Value": Value.self,
    "Cell.name": CellName.self, "Cell.size": CellSize.self,
  ]

  private let options: Words
  private let folder = Folder()
  private let threads = ScenarioThreads()
  private var depth = 0
  private var entries: [String] = []
  private var knowsTypes = false

  var context: Context
  var scopes: [String: Context] = [:]
  var schedulers: [String: SerialScheduler] = [:]
  var subscriptions: [String: Subscription] = [:]
  var pendings: [String: Pending] = [:]
  var replies: [String: Reply<RequestAsk>] = [:]
  var bindings: [String: Binding] = [:]
  /// What has become of runs.
  var outcomes: [String: String] = [:]
  var replay: Replay?

  /// Its journal.
  var path: String { folder.file("journal") }

  init(_ options: Words) throws {
    self.options = options
    context = try Self.open(options)
  }

  /// Opens another context, for which everything is named anew.
  func open() throws {
    replay = nil
    scopes = [:]
    schedulers = [:]
    subscriptions = [:]
    pendings = [:]
    replies = [:]
    bindings = [:]
    outcomes = [:]
    knowsTypes = false
    context = try Self.open(options)
  }

  private static func open(_ options: Words) throws -> Context {
    var limits = Limits()
    limits.events = options.number("events").map { UInt64($0) }
    limits.bytes = options.number("bytes").map { UInt64($0) }
    limits.posts = options.number("posts").map { UInt64($0) }
    limits.postBytes = options.number("post_bytes").map { UInt64($0) }
    limits.cascade = options.number("cascade").map { UInt64($0) }
    limits.payload = options.number("payload").map { UInt64($0) }
    limits.observers = options.number("observers").map { UInt64($0) }
    return try Context(
      ContextOptions(
        times: options.after("times") != nil, deliverOnHost: options.after("deliver") != nil,
        limits: limits, clock: options.after("clock") == nil ? .monotonic : .virtual,
        seed: options.number("seed").map { UInt64($0) } ?? 0))
  }

  /// Plays a case: each step causes exactly what the file shows below it.
  func play(_ lines: [Scenario.Line]) {
    for line in lines {
      step(line, line.text)
      threads.wait(for: line.shownBeside)
      #expect([line.text] + entries == [line.text] + line.shown)
      entries = []
    }
    // Now, while what the callbacks refer to is still there.
    try? context.close()
    bindings = [:]
  }

  func note(_ text: String) {
    entries.append(String(repeating: "  ", count: depth) + text)
  }

  /// Notes what somebody got, and on which thread, unless on that of the case.
  func noteCall(_ text: String) { note(text + threads.place) }

  /// What a callback does: the lines below the step that made it, some for one position only.
  func call(
    _ name: String, _ line: Scenario.Line, _ delivery: borrowing Delivery, type: String? = nil
  ) {
    noteCall(entry(name, delivery, type: type))
    depth += 1
    for step in line.steps {
      guard step.text.hasPrefix("at ") else {
        inside(step, step.text, delivery)
        continue
      }
      let parts = step.text.split(separator: " ", maxSplits: 2)
      if UInt64(parts[1]) == delivery.position { inside(step, String(parts[2]), delivery) }
    }
    depth -= 1
    threads.endCall()
  }

  /// Runs one step; what it gave is noted if it is not what is wanted.
  private func step(_ line: Scenario.Line, _ text: String) {
    if text.hasPrefix("elsewhere ") {
      // What Swift refuses is asked for here, to see that the library refuses it too.
      nonisolated(unsafe) let stage = self
      return onAnotherThread { stage.step(line, String(text.dropFirst("elsewhere ".count))) }
    }
    let words = Words(text)
    expect(words, text) { try run(words, line) }
  }

  private func expect(_ words: Words, _ text: String, _ run: () throws -> String) {
    var gave = "OK"
    do { gave = try run() } catch {
      gave = (error as? StreamError)?.status.description ?? String(describing: error)
    }
    // Ending twice what has ended is silent in Swift.
    let isSilent = words.wanted == "STALE" && ["cancel", "give_up"].contains(words[0])
    if gave != words.wanted && !(isSilent && gave == "OK") { note("\(text) gave \(gave)") }
  }

  /// Runs a step of a callback, which may be about the event that it got.
  private func inside(_ line: Scenario.Line, _ text: String, _ delivery: borrowing Delivery) {
    let words = Words(text)
    switch (words[0], words[1]) {
    case ("keep", let name):
      expect(words, text) {
        replies[name] = try delivery.reply(to: RequestAsk.self)
        return "OK"
      }
    case ("fail", _): delivery.fail(Failure(words.payload, code: code(words[1])))
    case ("tell", "it"):
      expect(words, text) {
        try delivery.progress(Notice(text: words.payload))
        return "OK"
      }
    case ("answer", "it"), ("refuse", "it"):
      expect(words, text) { try answer(words, try delivery.reply(to: RequestAsk.self)) }
    default: step(line, text)
    }
  }

  private func code(_ word: String) -> Status { Status(rawValue: Int32(word) ?? 1) }

  func answer(_ words: Words, _ reply: Reply<RequestAsk>?) throws -> String {
    let reply = try #require(reply)
    switch words[0] {
    case "answer": try reply.respond(ResponseAnswer(text: words.payload))
    case "refuse": try reply.fail(Failure(words.payload, code: code(words[2])))
    default: try reply.progress(Notice(text: words.payload))
    }
    return "OK"
  }

  /// A type by its name. All are registered when the first one is named.
  func type(_ name: String) throws -> any TextEvent.Type {
    if !knowsTypes {
      knowsTypes = true
      for (_, type) in Self.types { try register(type) }
    }
    return try #require(Self.types[name], "no type is named \(name)")
  }

  private func register<E: TextEvent>(_ type: E.Type) throws { _ = try context.poster(for: E.self) }
}
