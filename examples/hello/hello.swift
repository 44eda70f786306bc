// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct ResponseGreeting: Response { var text: String }
struct RequestGreet: Request {
  typealias Answer = ResponseGreeting
  var name: String
}

struct Greeter: Server {
  var greeted = 0
  mutating func greet(_ request: RequestGreet) throws -> ResponseGreeting {
    if request.name.isEmpty { throw Failure("NO_NAME", userMessage: "Please tell me your name.") }
    greeted += 1
    return ResponseGreeting(text: "Hello, \(request.name), guest \(greeted)")
  }
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestGreet.self) { try $0.greet($1) }
  }
}

let context = try Context()
try context.install(Greeter())
for name in ["Ada", ""] {
  switch context.request(RequestGreet(name: name)) {
  case .success(let greeting): print(greeting.text)
  case .failure(let failure): print("failed: \(failure.userMessage)")
  }
}
