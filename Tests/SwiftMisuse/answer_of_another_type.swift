// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct ResponseGreeting: Response { var text: String }
struct ResponsePrinted: Response { var pages: Int }
struct RequestGreet: Request {
  typealias Answer = ResponseGreeting
  var name: String
}

struct Greeter: Server {
  func greet(_ request: RequestGreet) -> ResponsePrinted { ResponsePrinted(pages: 1) }
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestGreet.self) { server, request in
      server.greet(request)  // says: ResponsePrinted
    }
  }
}
