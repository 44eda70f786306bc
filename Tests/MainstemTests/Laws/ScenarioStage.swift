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
  struct RequestAsk: Request, TextEvent {
    typealias Answer = ResponseAnswer
    var text: String
  }

  private static let types: [String: any TextEvent.Type] = [
    "Notice": Notice.self, "Other": Other.self, "RequestAsk": RequestAsk.self,
    "ResponseAnswer": ResponseAnswer.self,
  ]

  private let context: Context
  private var scopes: [String: Context] = [:]
  private var subscriptions: [String: Subscription] = [:]
  private var pendings: [String: Pending] = [:]
  private var replies: [String: Reply<RequestAsk>] = [:]
  private var depth = 0
  private var entries: [String] = []

  init(_ options: Words) throws {
    var limits = Limits()
    limits.events = options.number("events").map { UInt64($0) }
    limits.bytes = options.number("bytes").map { UInt64($0) }
    limits.posts = options.number("posts").map { UInt64($0) }
    limits.postBytes = options.number("post_bytes").map { UInt64($0) }
    limits.cascade = options.number("cascade").map { UInt64($0) }
    limits.payload = options.number("payload").map { UInt64($0) }
    limits.observers = options.number("observers").map { UInt64($0) }
    context = try Context(
      ContextOptions(
        deliverOnHost: options.after("deliver") != nil, limits: limits,
        clock: options.after("clock") == nil ? .monotonic : .virtual))
  }

  /// Plays a case: each step causes exactly what the file shows below it.
  func play(_ lines: [Scenario.Line]) {
    for line in lines {
      step(line, line.text)
      #expect([line.text] + entries == [line.text] + line.shown)
      entries = []
    }
    // Now, while what the callbacks refer to is still there.
    try? context.close()
  }

  fileprivate func note(_ text: String) {
    entries.append(String(repeating: "  ", count: depth) + text)
  }

  /// What a callback does: the lines below the step that made it, some for one position only.
  fileprivate func call(_ name: String, _ line: Scenario.Line, _ delivery: borrowing Delivery) {
    note(entry(name, delivery))
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
  }

  /// Runs one step; what it gave is noted if it is not what is wanted.
  private func step(_ line: Scenario.Line, _ text: String) {
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

  private func answer(_ words: Words, _ reply: Reply<RequestAsk>?) throws -> String {
    let reply = try #require(reply)
    switch words[0] {
    case "answer": try reply.respond(ResponseAnswer(text: words.payload))
    case "refuse": try reply.fail(Failure(words.payload, code: code(words[2])))
    default: try reply.progress(Notice(text: words.payload))
    }
    return "OK"
  }

  private func type(_ name: String) throws -> any TextEvent.Type {
    try #require(Self.types[name], "no type is named \(name)")
  }

  private func place(_ words: Words) throws -> Context {
    try words.after("in").map { try #require(scopes[$0]) } ?? context
  }

  private func run(_ words: Words, _ line: Scenario.Line) throws -> String {
    switch words[0] {
    case "observe": try observe(words, line)
    case "serve": try serve(try type(words[2]), words, line)
    case "scope":
      scopes[words[1]] = try place(words).scope(
        words[1], observers: words.number("observers").map { UInt64($0) })
    case "request": try request(words, line)
    case "send": try send(try type(words[1]), words)
    case "post": try post(try type(words[1]), words)
    case "answer", "refuse", "tell": return try answer(words, replies[words[1]])
    case "cancel": subscriptions[words[1]]?.cancel()
    case "cancel_wait": try subscriptions[words[1]]?.cancelAndWait()
    case "give_up": pendings[words[1]]?.cancel()
    case "end": try scopes[words[1]]?.close()
    case "drain": try context.drain(max: Int(words[1]) ?? 0)
    case "flush": try context.flush()
    case "wait": try context.wait(timeoutMs: 0)
    case "close": try context.close()
    case "from": return "\(try #require(subscriptions[words[1]]).from())"
    case "count": return try count(words[1])
    case "history": try keepHistory(try type(words[1]), Int(words[2]) ?? 0)
    case "advance": try context.advance(byMs: Int64(words[1]) ?? 0)
    default: Issue.record("no step begins with \(words[0])")
    }
    return "OK"
  }

  private func observe(_ words: Words, _ line: Scenario.Line) throws {
    let name = words[1]
    let tag = ReleaseTag { [unowned self] in note("~\(name)") }
    let body: (borrowing Delivery) -> Void = { [unowned self] delivery in
      tag.touch()
      call(name, line, delivery)
    }
    let options = (
      history: words.after("history") == nil,
      on: words.after("on") == nil ? Scheduler.immediate : .host, queue: queue(words)
    )
    let onGap: (Gap) -> Void = { [unowned self] gap in
      note("\(name) gap \(gap.from)-\(gap.to) lost \(gap.count)")
    }
    let place = try place(words)
    subscriptions[name] = try tag.taken {
      switch words[2] {
      case "all":
        try place.observe(
          history: options.history, on: options.on, queue: options.queue, onGap: onGap, body)
      case "ResponseAnswer":
        try place.observe(
          results: ResponseAnswer.self, history: options.history, on: options.on,
          queue: options.queue, onGap: onGap
        ) { body($1) }
      case "MainstemFailure": try place.observe(FailureReport.self) { body($1) }
      case "MainstemLimit": try place.observe(CascadeReport.self) { body($1) }
      default: try observe(try type(words[2]), in: place, options, onGap, body)
      }
    }
  }

  private func observe<E: Event>(
    _ type: E.Type, in place: Context, _ options: (history: Bool, on: Scheduler, queue: Queue),
    _ onGap: @escaping (Gap) -> Void, _ body: @escaping (borrowing Delivery) -> Void
  ) throws -> Subscription {
    try place.observe(
      type, history: options.history, on: options.on, queue: options.queue, onGap: onGap
    ) { body($1) }
  }

  private func queue(_ words: Words) -> Queue {
    let (limit, bytes) = (words.number("limit"), words.number("bytes"))
    return switch words.after("policy") {
    case "block": .block(limit: limit, bytes: bytes)
    case "drop-oldest": .dropOldest(limit: limit, bytes: bytes)
    case "drop-newest": .dropNewest(limit: limit, bytes: bytes)
    case "latest": .latest
    default: .reject(limit: limit, bytes: bytes)
    }
  }

  private func serve<E: Event>(_ type: E.Type, _ words: Words, _ line: Scenario.Line) throws {
    let name = words[1]
    let tag = ReleaseTag { [unowned self] in note("~\(name)") }
    let server = PlayedServer<E> { [unowned self] delivery in
      tag.touch()
      call(name, line, delivery)
    }
    let place = try place(words)
    scopes[name] = try tag.taken { try place.install(server, name: name) }
  }

  private func request(_ words: Words, _ line: Scenario.Line) throws {
    let name = words[1]
    pendings[name] = try place(words).request(
      RequestAsk(text: words.payload), timeout: words.number("timeout").map { .milliseconds($0) },
      progress: Notice.self
    ) { [unowned self] _, delivery in
      call(name, line, delivery)
    } answer: { [unowned self] _, delivery in
      call(name, line, delivery)
    }
  }

  private func send<E: TextEvent>(_ type: E.Type, _ words: Words) throws {
    try place(words).send(E(text: words.payload))
  }

  private func post<E: TextEvent>(_ type: E.Type, _ words: Words) throws {
    try place(words).poster(for: E.self).post(E(text: words.payload))
  }

  private func keepHistory<E: Event>(_ type: E.Type, _ count: Int) throws {
    try context.keepHistory(of: E.self, last: count)
  }

  private func count(_ what: String) throws -> String {
    let stats = try context.stats()
    let counted = [
      "events": stats.events, "requests": stats.requests, "failures": stats.failures,
      "waiting": stats.waiting, "rejected": stats.rejected, "subscriptions": stats.subscriptions,
    ]
    return "\(try #require(counted[what]))"
  }
}
