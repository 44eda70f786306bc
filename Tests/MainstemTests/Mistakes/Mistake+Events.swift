// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

extension Mistake {
  /// With the module, which differs from program to program.
  private static let reflected = String(reflecting: Mistake.self)

  /// Wrong types and payloads.
  static let ofEvents = [
    Mistake(
      "two events of one name",
      "INVALID: Said: both \(reflected).Said and \(reflected).(private).Spoken have this name: declare another name in one of them: static let name = …"
    ) { context, _ in
      struct Spoken: Notice, TextEvent {
        static let name = "Said"
        var text: String
      }
      try context.send(Said(words: "a"))
      try context.send(Spoken(text: "a"))
    },
    Mistake(
      "a number that JSON does not have",
      "INVALID: Measured: value: nan is no number in JSON: send a finite one, or nil"
    ) { context, _ in try context.send(Measured(value: .nan)) },
    Mistake(
      "a context without a coder",
      "INVALID: Said: the context was made without a payload coder: give it one, JSONCoder()"
    ) { _, _ in try Context(coder: nil).send(Said(words: "a")) },
    Mistake(
      "an enumeration that travels as its bytes",
      "INVALID: Moody: mood: Mood is no number and no struct of numbers: remove BitwiseEvent"
    ) { context, _ in try context.send(Moody(mood: .glad)) },
    Mistake(
      "a history of requests",
      "INVALID: keepHistory: type: RequestGreet is a request: keep the history of its response"
    ) { context, _ in try context.keepHistory(of: RequestGreet.self, last: 1) },
    Mistake(
      "a history of secrets",
      "INVALID: keepHistory: type: Password is a secret, and secrets have no history: ask for it with a request"
    ) { context, _ in try context.keepHistory(of: Password.self, last: 1) },
    Mistake(
      "an event too large",
      "TOO_BIG: send: size: 13 bytes are more than the 8 of the context's payload limit: raise it in Limits(payload:)"
    ) { _, _ in
      var limits = Limits()
      limits.payload = 8
      try Context(ContextOptions(limits: limits)).send(Said(words: "a"))
    },
    Mistake("a time before now", "INVALID: send: after: -1.0 seconds, and it must be 0 or more") {
      context, _ in try context.send(Said(words: "a"), after: .seconds(-1))
    },
    Mistake("a period of nothing", "INVALID: send: every: 0.0 seconds, and it must be more than 0")
    {
      context, _ in try context.send(Said(words: "a"), every: .zero)
    },
    Mistake(
      "a clock moved that is not virtual",
      "INVALID: advance: context: has no virtual clock: make it with ContextOptions(clock: .virtual)"
    ) { context, _ in try context.advance(by: .seconds(1)) },
    Mistake(
      "a send after the close",
      "STALE: send: context: the context is closed: close it after the last call"
    ) { _, _ in
      let closed = try Context()
      try closed.send(Said(words: "a"))
      try closed.close()
      try closed.send(Said(words: "b"))
    },
    Mistake(
      "a send through a scope that has ended",
      "STALE: send: context: has ended: keep it no longer"
    ) { context, _ in
      try context.send(Said(words: "a"))
      let scope = try context.scope("Plugin")
      try scope.close()
      try scope.send(Said(words: "b"))
    },
    Mistake(
      "a post after the close",
      "STALE: post: context: the context is closed: close it after the last call"
    ) { _, _ in
      let closed = try Context()
      let poster = try closed.poster(for: Said.self)
      try closed.close()
      try poster.post(Said(words: "a"))
    },
  ]
}
