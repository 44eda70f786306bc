// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemNATS

struct ResponseTotal: Response { var cents: Int }
struct RequestTotal: Request {
  typealias Answer = ResponseTotal
  var prices: [Int]
}

struct Till: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestTotal.self) { _, request in
      guard !request.prices.isEmpty else { throw Failure("EMPTY", userMessage: "Buy something.") }
      return ResponseTotal(cents: request.prices.reduce(0, +))
    }
  }
}

@main struct Shop {
  static func main() throws {
    let server = NATSConnection(CommandLine.arguments[1])
    let context = try Context()
    try context.install(Till())
    let serving = try context.serve(RequestTotal.self, to: server, prefix: "shop")
    while try serving.stats().state != .stopped { try context.wait() }
  }
}
