// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct ResponseSum: Response { var sum: Int }
private struct RequestAdd: Request {
  typealias Answer = ResponseSum
  var number: Int
}

private struct Added: Notice { var number: Int }
private struct Heard: Notice { var count: Int }
private struct Furnished: ScalarEvent {
  static let role = Role.value
  var value: Bool
}

private struct Adder: Server {
  var sum = 0
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestAdd.self) { server, request in
      server.sum += request.number
      return ResponseSum(sum: server.sum)
    }
  }
}

@Suite("Verify a journal") struct VerifyTests {
  private let folder = Folder()

  private func session() throws -> String {
    let path = folder.file("session")
    let context = try Context()
    try context.record(to: path)
    try context.install(Adder())
    for number in 1...3 { _ = context.request(RequestAdd(number: number)) }
    try context.close()
    return path
  }

  @Test func `the same program does the same`() throws {
    let info = try Journal.verify(try session()) { try $0.install(Adder()) }

    #expect(info.last == 6)
    #expect(info.verifiedUntil == 6)
  }

  @Test func `it says which session was verified, and which there are`() throws {
    let path = try session()
    let only = try Journal.verify(path) { try $0.install(Adder()) }
    #expect(only.sessions.map(\.number) == [1])
    #expect(only.session == only.sessions.first)

    let context = try Context()
    try context.record(to: path)
    try context.install(Adder(sum: 10))
    _ = context.request(RequestAdd(number: 1))
    try context.close()
    let empty = try Context()
    try empty.record(to: path)
    try empty.close()

    let sessions = try Journal.sessions(of: path)
    #expect(sessions.map(\.number) == [1, 2, 3])
    #expect(sessions.map(\.first) == [1, 7, 9])
    #expect(sessions.map(\.last) == [6, 8, 8])
    let first = try Journal.verify(path, session: 1) { try $0.install(Adder()) }
    #expect(first.session == sessions[0])
    #expect(first.sessions == sessions)
    #expect(try Journal.verify(path) { try $0.install(Adder()) }.session == sessions[2])
    let second = #expect(throws: Difference.self) {
      try Journal.verify(path, session: 2) { try $0.install(Adder()) }
    }
    #expect(second?.position == 8)
    let none = #expect(throws: StreamError.self) { try Journal.sessions(of: folder.file("none")) }
    #expect(none?.status == .io)
  }

  @Test func `another one throws the first difference`() throws {
    let path = try session()

    let error = #expect(throws: Difference.self) {
      try Journal.verify(path) { try $0.install(Adder(sum: 10)) }
    }

    let difference = try #require(error)
    #expect(difference.position == 2)
    #expect(difference.field == .payload)
    #expect("\(difference)".hasPrefix("#2 ResponseSum: payload differs"))
  }

  @Test func `a scope that its host ended while events waited hears no more`() throws {
    let path = folder.file("ended")
    var held: [Subscription] = []
    var heard = 0
    func furnish(_ context: Context) throws -> Context {
      let room = try context.scope("Room")
      let listening = try room.observe(Added.self) { _, delivery in
        heard += 1
        try delivery.context.send(Heard(count: heard))
      }
      held.append(listening)
      return room
    }
    let context = try Context(ContextOptions(deliverOnHost: true))
    try context.record(to: path)
    let room = try furnish(context)
    try room.set(Furnished(value: true))
    try context.drain()
    try context.send(Added(number: 1))
    try room.close()
    try context.drain()
    try context.close()
    #expect(heard == 0)

    let info = try Journal.verify(path) { _ = try furnish($0) }
    #expect(info.verifiedUntil == 3)
    #expect(heard == 0)
    held.forEach { $0.cancel() }
  }

  @Test func `what cannot be verified is refused, and what install throws is thrown`() throws {
    let path = try session()

    #expect(throws: StreamError.self) {
      try Journal.verify(folder.file("none")) { _ in }
    }
    #expect(throws: Failure("NO_DISK")) {
      try Journal.verify(path) { _ in throw Failure("NO_DISK") }
    }
  }

  @MainActor @Test func `code that awaits verifies on its actor`() async throws {
    let path = try session()
    await Task.yield()
    var seen = 0

    try Journal.verify(path) { context in
      try context.install(Adder())
      MainActor.assertIsolated()
      seen += 1
    }

    #expect(seen == 1)
  }
}
