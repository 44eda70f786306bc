// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct RequestQuote: Request { typealias Answer = ResponseQuote }
private struct ResponseQuote: Response, Equatable { var from: String }
private struct Asked: Notice, Equatable { var whom: String }
private struct Told: Notice, Equatable { var words: String }

private struct Broker: Server {
  let name: String

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestQuote.self) { broker, _ in ResponseQuote(from: broker.name) }
    on.event(Told.self) { broker, _ in [Asked(whom: broker.name)] }
  }
}

private struct OneOfSeveral: Server {
  let name: String

  static func handlers(_ on: inout Handlers<Self>) {
    on.several { on in
      on.answer(RequestQuote.self) { broker, _, delivery in
        try delivery.send(Asked(whom: broker.name))
        return ResponseQuote(from: broker.name)
      }
    }
  }
}

private struct Personal: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.own { own in own.answer(RequestQuote.self) { _, _ in ResponseQuote(from: "own") } }
  }
}

@Suite("Several handlers of a request")
struct SeveralTests {
  @Test func `a second server of a request is refused with the name of the first`() throws {
    let context = try Context()
    let first = try context.install(Broker(name: "first"), name: "First")

    let error = #expect(throws: StreamError.self) {
      try context.install(Broker(name: "second"), name: "Second")
    }

    #expect(error?.status == .invalid)
    let message = error?.message ?? ""
    #expect(message.contains("RequestQuote has a handler in the server First, and both would run"))
    #expect(message.contains("end that server first, or put both in `on.several { … }`"))
    #expect(context.request(RequestQuote()) == .success(ResponseQuote(from: "first")))
    try first.close()
    try context.install(Broker(name: "second"), name: "Second")
    #expect(context.request(RequestQuote()) == .success(ResponseQuote(from: "second")))
  }

  @Test func `several on purpose are all called, and the first answer counts`() throws {
    let context = try Context()
    var asked: [String] = []
    let observer = try context.observe(Asked.self) { event, _ in asked.append(event.whom) }
    try context.install(OneOfSeveral(name: "one"))
    try context.install(OneOfSeveral(name: "two"))

    #expect(context.request(RequestQuote()) == .success(ResponseQuote(from: "one")))

    #expect(asked == ["one", "two"])
    #expect(throws: StreamError.self) { try context.install(Broker(name: "alone")) }
    observer.cancel()
  }

  @Test func `an own handler is refused beside one for everybody`() throws {
    let context = try Context()
    try context.install(Personal())
    try context.install(Personal())

    #expect(throws: StreamError.self) { try context.install(Broker(name: "everybody")) }
  }
}
