// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct RequestGreet: Request {
  typealias Answer = ResponseGreeting
  var name: String
}
private struct ResponseGreeting: Response { var text: String }

private struct Greeter: Server {
  mutating func greet(_ request: RequestGreet) throws -> ResponseGreeting {
    if request.name.isEmpty { throw Failure("NO_NAME", userMessage: "Please tell me your name.") }
    return ResponseGreeting(text: "Hello, \(request.name)")
  }
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestGreet.self) { try $0.greet($1) }
  }
}

@Suite("Delivery") struct DeliveryTests {
  @Test func `one observer is the log of the whole program`() throws {
    let context = try Context()
    var lines: [String] = []
    let log = try context.observe { lines.append($0.line) }
    try context.install(Greeter())

    try context.send(RequestGreet(name: "Ada"))
    try context.send(RequestGreet(name: ""))

    #expect(
      lines == [
        #"#1 RequestGreet {"name":"Ada"}"#,
        #"#2 ResponseGreeting ok ← #1 Greeter {"text":"Hello, Ada"}"#,
        #"#3 RequestGreet {"name":""}"#,
        #"#4 ResponseGreeting 1000 ← #3 Greeter "NO_NAME""#,
      ])
    log.cancel()
  }

  @Test func `a delivery knows its name, its origin, its payload and its failure`() throws {
    let context = try Context()
    var seen: [String] = []
    let log = try context.observe { delivery in
      let text = String(decoding: delivery.payload, as: UTF8.self)
      seen.append("\(delivery.name) by '\(delivery.origin)' \(text)\(delivery.status)")
      if let failure = delivery.failure { seen.append(failure.userMessage) }
    }
    try context.install(Greeter(), name: "Desk")

    try context.send(RequestGreet(name: ""))

    #expect(
      seen == [
        #"RequestGreet by '' {"name":""}OK"#, "ResponseGreeting by 'Desk' 1000",
        "Please tell me your name.",
      ])
    log.cancel()
  }
}
