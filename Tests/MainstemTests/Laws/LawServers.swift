// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The servers that the laws are tested with.
extension LawTests {
  struct Doubler: Server {
    mutating func double(_ request: RequestDouble) throws -> ResponseDouble {
      if request.number < 0 {
        throw Failure("NEGATIVE", userText: "Below zero.", subject: "number")
      }
      return ResponseDouble(number: request.number * 2)
    }
    static func handlers(_ on: inout Handlers<Self>) {
      on.answer(RequestDouble.self) { try $0.double($1) }
    }
  }

  /// Answers with nothing but zero.
  struct Zero: Server {
    static func handlers(_ on: inout Handlers<Self>) {
      on.answer(RequestDouble.self) { _, _ in ResponseDouble(number: 0) }
    }
  }

  /// Keeps every request and answers none by itself.
  struct Keeper: Server {
    let kept: Kept
    static func handlers(_ on: inout Handlers<Self>) {
      on.on(RequestDouble.self) { server, _, delivery in
        server.kept.replies.append(try delivery.reply(to: RequestDouble.self))
        return []
      }
    }
  }

  final class Kept { var replies: [Reply<RequestDouble>] = [] }

  /// Answers, and then tries to tell progress.
  struct LateTeller: Server {
    let note: (Status?) -> Void
    static func handlers(_ on: inout Handlers<Self>) {
      on.on(RequestDouble.self) { server, request, delivery in
        let reply = try delivery.reply(to: RequestDouble.self)
        try reply.respond(ResponseDouble(number: 2 * request.number))
        server.note(status { () throws(StreamError) in try delivery.progress(Tick(number: 1)) })
        return []
      }
    }
  }
}
