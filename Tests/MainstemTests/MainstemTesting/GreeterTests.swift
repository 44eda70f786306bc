// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct ResponseGreeting: Response { var text: String }
private struct RequestGreet: Request {
  typealias Answer = ResponseGreeting
  var name: String
}
private struct ResponseLoudness: Response { var mark: String }
private struct RequestLoudness: Request { typealias Answer = ResponseLoudness }

/// Greets, and asks another server how loud.
private struct Greeter: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(
      RequestGreet.self, asking: { _, _ in RequestLoudness() },
      then: { _, request, loudness in
        ResponseGreeting(text: "Hello, \(request.name)\(loudness.mark)")
      })
  }
}

// The program of docs/testing.md.
@Test(arguments: seeds(10)) func `a greeting is as loud as wanted`(seed: UInt64) {
  let test = TestContext(seed: seed)
  test.install(Greeter())
  test.stub(
    RequestLoudness.self, [.after(.milliseconds(500), .answer(ResponseLoudness(mark: "!")))])

  test.send(RequestGreet(name: "Ada"))
  test.expect(RequestGreet(name: "Ada"))
  test.expect(RequestLoudness())
  test.advance(by: .milliseconds(499))
  test.expectNothing()
  test.advance(by: .milliseconds(1))
  test.expect(ResponseLoudness(mark: "!"))
  test.expect(ResponseGreeting(text: "Hello, Ada!"))
}
