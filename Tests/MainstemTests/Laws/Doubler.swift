// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The server that the laws are tested with.
extension LawTests {
  struct Doubler: Server {
    mutating func double(_ request: RequestDouble) throws -> ResponseDouble {
      if request.number < 0 {
        throw Failure("NEGATIVE", userMessage: "Below zero.", subject: "number")
      }
      return ResponseDouble(number: request.number * 2)
    }
    static func handlers(_ on: inout Handlers<Self>) {
      on.answer(RequestDouble.self) { try $0.double($1) }
    }
  }
}
