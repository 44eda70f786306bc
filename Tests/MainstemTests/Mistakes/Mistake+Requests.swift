// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

extension Mistake {
  private struct Greeter: Server {
    static func handlers(_ on: inout Handlers<Self>) {
      on.answer(RequestGreet.self) { _, request in ResponseGreeting(text: "Hello, \(request.name)")
      }
    }
  }

  /// Answers later, or never.
  private struct Later: Server {
    let replies: Replies
    static func handlers(_ on: inout Handlers<Self>) {
      on.event(RequestGreet.self) { server, _, delivery in
        server.replies.kept.append(try delivery.reply(to: RequestGreet.self))
        return []
      }
    }
  }

  private final class Replies { var kept: [Reply<RequestGreet>] = [] }

  /// The request as another program writes it.
  private struct Asked: Request, TextEvent {
    typealias Answer = ResponseGreeting
    static let name = "RequestGreet"
    static let payload: Payload = .json
    var text: String
  }
}

extension Mistake {
  static let ofRequests = [
    Mistake(
      "no server", #"UNHANDLED "no server handles RequestGreet: there is none in this context""#
    ) { context, _ in _ = try context.request(RequestGreet(name: "a")).get() },
    Mistake(
      "two handlers for one request", "INVALID: Twice: it has two handlers for RequestGreet"
    ) { context, _ in
      struct Twice: Server {
        static func handlers(_ on: inout Handlers<Self>) {
          on.event(RequestGreet.self) { _, _ in [] }
          on.event(RequestGreet.self) { _, _ in [] }
        }
      }
      try context.install(Twice())
    },
    Mistake(
      "a request without its field",
      #"INVALID "RequestGreet: name: is missing; the fields are nam""#
    ) { context, _ in
      try context.install(Greeter())
      _ = try Context(borrowing: context.handle).request(Asked(text: #"{"nam":"Ada"}"#)).get()
    },
    Mistake(
      "a request with a number for a text",
      #"INVALID "RequestGreet: name: expected String, got the number 3""#
    ) { context, _ in
      try context.install(Greeter())
      _ = try Context(borrowing: context.handle).request(Asked(text: #"{"name":3}"#)).get()
    },
    Mistake(
      "an answer given twice",
      "STALE: respond: event: is already answered: a request gets one answer"
    ) { context, _ in
      let replies = Replies()
      try context.install(Later(replies: replies))
      let pending = try context.request(RequestGreet(name: "a")) { _, _ in }
      try replies.kept[0].respond(ResponseGreeting(text: "a"))
      try replies.kept[0].respond(ResponseGreeting(text: "b"))
      _ = pending
    },
    Mistake(
      "progress after the answer",
      "STALE: progress: event: is already answered: a request gets one answer"
    ) { context, _ in
      let replies = Replies()
      try context.install(Later(replies: replies))
      let pending = try context.request(RequestGreet(name: "a")) { _, _ in }
      try replies.kept[0].respond(ResponseGreeting(text: "a"))
      try replies.kept[0].progress(Said(words: "done"))
      _ = pending
    },
    Mistake(
      "progress of what is no request",
      "INVALID: progress: event: is not a request: use send"
    ) { context, _ in
      let caught = Caught()
      let subscription = try context.observe(Said.self) { _, delivery in
        do { try delivery.progress(Measured(value: 1)) } catch { caught.error = error }
      }
      try context.send(Said(words: "a"))
      subscription.cancel()
      try caught.rethrow()
    },
    Mistake(
      "a reply let go", #"CANCELLED "RequestGreet: the server let go of the request""#
    ) { context, _ in
      struct Forgetful: Server {
        static func handlers(_ on: inout Handlers<Self>) {
          on.event(RequestGreet.self) { _, _, delivery in
            _ = try delivery.reply(to: RequestGreet.self)
            return []
          }
        }
      }
      try context.install(Forgetful())
      _ = try context.request(RequestGreet(name: "a")).get()
    },
  ]
}
