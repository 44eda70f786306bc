// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// What the steps of a scenario do; those about a session are in ScenarioSession.swift.
extension ScenarioStage {
  func place(_ words: Words) throws -> Context {
    try words.after("in").map { try #require(scopes[$0]) } ?? context
  }

  func run(_ words: Words, _ line: Scenario.Line) throws -> String {
    switch words[0] {
    case "observe": try observe(words, line)
    case "serve": try serve(try type(words[2]), words, line)
    case "scope":
      scopes[words[1]] = try place(words).scope(
        words.after("named") ?? words[1], observers: words.number("observers").map { UInt64($0) })
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
    case "wait": try context.wait(timeout: .zero)
    case "close":
      try context.close()
      bindings = [:]
    case "bind", "point", "write", "changes", "ended", "unbind": try runView(words)
    case "model", "run", "result": return try runCommand(words)
    case "from": return "\(try #require(subscriptions[words[1]]).from())"
    case "serial": schedulers[words[1]] = try context.serial(words[1])
    case "wake": try wake(words[1])
    case "send_many": try sendMany(try type(words[1]), words)
    case "history": try keepHistory(try type(words[1]), words)
    case "set": try set(try type(words[1]), words)
    case "get": return try get(try type(words[1]), words)
    case "advance": try context.advance(by: .milliseconds(Int64(words[1]) ?? 0))
    default: return try runInSession(words)
    }
    return "OK"
  }

  /// The closure runs where something hands in the first event that waits: here, or elsewhere.
  private func wake(_ name: String) throws {
    nonisolated(unsafe) weak let stage = self
    try context.onWake { stage?.noteCall(name) }
  }

  private func observe(_ words: Words, _ line: Scenario.Line) throws {
    let name = words[1]
    let tag = ReleaseTag { [unowned self] in note("~\(name)") }
    let body: (borrowing Delivery) -> Void = { [unowned self] delivery in
      tag.touch()
      call(name, line, delivery)
    }
    let options = (
      of: words.after("of").map { $0 == "root" ? context : scopes[$0]! },
      history: words.after("history") == nil,
      on: words.after("on") == nil ? Scheduler.immediate : .host, queue: queue(words)
    )
    let onGap: (Gap) -> Void = { [unowned self] gap in
      noteCall("\(name) gap \(gap.from)-\(gap.to) lost \(gap.count)")
    }
    let place = try place(words)
    if let scheduler = schedulers[words.after("on") ?? ""] {
      subscriptions[name] = try tag.taken {
        try observe(try type(words[2]), in: place, of: options.of, on: scheduler, name, line, tag)
      }
      return
    }
    subscriptions[name] = try tag.taken {
      switch words[2] {
      case "all":
        try place.observe(
          of: options.of, history: options.history, on: options.on, queue: options.queue,
          onGap: onGap, body)
      case "ResponseAnswer":
        try place.observe(
          results: ResponseAnswer.self, of: options.of, history: options.history, on: options.on,
          queue: options.queue, onGap: onGap
        ) { body($1) }
      case "MainstemFailure": try observe(FailureReport.self, in: place, options, onGap, body)
      case "MainstemLimit": try observe(CascadeReport.self, in: place, options, onGap, body)
      default: try observe(try type(words[2]), in: place, options, onGap, body)
      }
    }
  }

  private func observe<E: Event>(
    _ type: E.Type, in place: Context,
    _ options: (of: Context?, history: Bool, on: Scheduler, queue: Queue),
    _ onGap: @escaping (Gap) -> Void, _ body: @escaping (borrowing Delivery) -> Void
  ) throws -> Subscription {
    try place.observe(
      type, of: options.of, history: options.history, on: options.on, queue: options.queue,
      onGap: onGap
    ) { body($1) }
  }

  private func observe<E: Event>(
    _ type: E.Type, in place: Context, of scope: Context?, on scheduler: SerialScheduler,
    _ name: String, _ line: Scenario.Line, _ tag: ReleaseTag
  ) throws -> Subscription {
    // The case waits for what it shows, so only one thread uses the stage at a time.
    nonisolated(unsafe) let (stage, held) = (self, tag)
    return try place.observe(type, of: scope, on: scheduler) { _, delivery in
      held.touch()
      stage.call(name, line, delivery, type: E.name)
    }
  }

  private func queue(_ words: Words) -> Queue {
    let (limit, bytes) = (words.number("limit"), words.number("bytes"))
    return switch words.after("policy") {
    case "block": .block(limit: limit, bytes: bytes)
    case "drop-oldest": .dropOldest(limit: limit, bytes: bytes)
    case "drop-newest": .dropNewest(limit: limit, bytes: bytes)
    case "latest": .latest
    case "reject", nil: .reject(limit: limit, bytes: bytes)
    case let unknown?: fatalError("no policy \(unknown): ScenarioSteps.swift lists them")
    }
  }

  private func serve<E: TextEvent>(_ type: E.Type, _ words: Words, _ line: Scenario.Line) throws {
    let name = words[1]
    let tag = ReleaseTag { [unowned self] in note("~\(name)") }
    guard words.after("shows") == nil else {
      let shown = ShownText<E> { [unowned self] delivery in
        tag.touch()
        call(name, line, delivery)
      }
      let place = try place(words)
      scopes[name] = try tag.taken { try place.install(ShowingServer(shown: shown), name: name) }
      return shown.scope = scopes[name]
    }
    let server = PlayedServer<E> { [unowned self] delivery in
      tag.touch()
      call(name, line, delivery)
    }
    let place = try place(words)
    scopes[name] = try tag.taken {
      switch (words.after("for") != nil, words.after("beside") != nil) {
      case (true, true): try place.install(OwnBesideServer(played: server), name: name)
      case (true, false): try place.install(OwnServer(played: server), name: name)
      case (false, true): try place.install(BesideServer(played: server), name: name)
      case (false, false): try place.install(server, name: name)
      }
    }
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
    let (place, event) = (try place(words), E(text: words.payload))
    if let delay = words.number("after") {
      try place.send(event, after: .milliseconds(Int64(delay)))
    } else if let period = words.number("every") {
      try place.send(event, every: .milliseconds(Int64(period)))
    } else {
      try place.send(event)
    }
  }

  private func sendMany<E: TextEvent>(_ type: E.Type, _ words: Words) throws {
    try place(words).send(contentsOf: words.payloads.map { E(text: $0) })
  }

  private func post<E: TextEvent>(_ type: E.Type, _ words: Words) throws {
    try place(words).poster(for: E.self).post(E(text: words.payload))
  }

  private func set<E: TextEvent>(_ type: E.Type, _ words: Words) throws {
    try place(words).set(E(text: words.payload))
  }

  private func get<E: TextEvent>(_ type: E.Type, _ words: Words) throws -> String {
    try place(words).value(of: E.self)?.text ?? Status.unset.description
  }

  private func keepHistory<E: Event>(_ type: E.Type, _ words: Words) throws {
    try context.keepHistory(
      of: E.self, last: Int(words[2]) ?? 0,
      maxAge: words.number("age").map { .milliseconds($0) })
  }
}
