// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct RequestFinish: Request {
  typealias Answer = ResponseRow
  var row: Row
}
private struct ResponseRow: Response { var row: Row }
private struct RequestWrite: Request {
  typealias Answer = ResponseWritten
  var row: Row
}
private struct ResponseWritten: Response { var row: Row }
private struct Row: Codable, Equatable, Sendable {
  var id: Int
  var finishedAt: Int?
}

/// Turns what the view asks into what the model does, and back.
private struct ViewModelServer: Server {
  var now: Int

  func finish(_ request: RequestFinish) -> [any Event] {
    var row = request.row
    row.finishedAt = row.finishedAt == nil ? now : nil
    return [RequestWrite(row: row)]
  }
  func written(_ response: ResponseWritten) -> [any Event] { [ResponseRow(row: response.row)] }

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestFinish.self) { $0.finish($1) }
    on.event(ResponseWritten.self) { $0.written($1) }
  }
}

private struct ModelServer: Server {
  var rows: [Int: Row] = [:]
  var failures = 0

  mutating func write(_ request: RequestWrite) throws -> ResponseWritten {
    if failures > 0 {
      failures -= 1
      throw Failure("DISK", userMessage: "It could not be saved.", subject: "\(request.row.id)")
    }
    rows[request.row.id] = request.row
    return ResponseWritten(row: request.row)
  }
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestWrite.self) { try $0.write($1) }
  }
}

@Suite("Server") struct ServerTests {
  @Test func `A-02: an answer's cause and correlation are the request`() throws {
    let context = try Context()
    try context.install(ModelServer())
    var seen: [UInt64] = []
    let subscription = try context.observe(ResponseWritten.self) { _, delivery in
      seen = [delivery.position, delivery.cause, delivery.correlation, delivery.answers]
    }

    try context.send(RequestWrite(row: Row(id: 1)))

    #expect(seen == [2, 1, 1, 1])
    subscription.cancel()
  }

  @Test func `A-03: a handler is a function: one event in, one event out`() {
    let server = ViewModelServer(now: 42)

    let finished = server.finish(RequestFinish(row: Row(id: 1)))
    let reopened = server.finish(RequestFinish(row: Row(id: 1, finishedAt: 42)))

    #expect(finished as? [RequestWrite] == [RequestWrite(row: Row(id: 1, finishedAt: 42))])
    #expect(reopened as? [RequestWrite] == [RequestWrite(row: Row(id: 1))])
  }

  @Test func `A-04: two servers, one chain, one correlation`() throws {
    let test = TestContext()
    test.install(ModelServer())
    test.install(ViewModelServer(now: 42))
    var correlations: [UInt64] = []
    let log = try test.context.observe { correlations.append($0.correlation) }
    let row = Row(id: 1, finishedAt: 42)

    test.send(RequestFinish(row: Row(id: 1)))

    test.expect(RequestFinish(row: Row(id: 1)))
    test.expect(RequestWrite(row: row))
    test.expect(ResponseWritten(row: row))
    test.expect(ResponseRow(row: row))
    #expect(correlations == [1, 1, 1, 1])
    log.cancel()
  }

  @Test func `A-06: an error ends no observer`() throws {
    let test = TestContext()
    test.install(ModelServer(failures: 1))
    var results: [Result<ResponseWritten, Failure>] = []
    let list = try test.context.observe(results: ResponseWritten.self) { result, _ in
      results.append(result)
    }
    let row = Row(id: 3)
    let failure = Failure("DISK", userMessage: "It could not be saved.", subject: "3")

    for _ in 1...2 { test.send(RequestWrite(row: row)) }

    test.expect(RequestWrite(row: row))
    test.expect(failure)
    test.expect(RequestWrite(row: row))
    test.expect(ResponseWritten(row: row))
    #expect(results == [.failure(failure), .success(ResponseWritten(row: row))])
    list.cancel()
  }

  @Test func `a server hears of failed responses apart from the others`() throws {
    struct Alarm: Notice { var text: String }
    struct Watch: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.failed(ResponseWritten.self) { _, failure, _ in [Alarm(text: failure.userMessage)] }
      }
    }
    let test = TestContext()
    test.install(ModelServer(failures: 1))
    test.install(Watch())

    test.send(RequestWrite(row: Row(id: 1)))
    test.send(RequestWrite(row: Row(id: 2)))

    test.expect(RequestWrite(row: Row(id: 1)))
    test.expect(Failure("DISK", userMessage: "It could not be saved.", subject: "1"))
    test.expect(Alarm(text: "It could not be saved."))
    test.expect(RequestWrite(row: Row(id: 2)))
    test.expect(ResponseWritten(row: Row(id: 2)))
  }

  @Test func `the context owns the value and releases it with the server`() throws {
    final class Disk {}
    struct Holder: Server {
      let disk: Disk
      static func handlers(_ on: inout Handlers<Self>) {
        on.event(RequestWrite.self) { _, _ in [] }
      }
    }
    let context = try Context()
    weak var disk: Disk?
    var server: Context?
    do {
      let value = Disk()
      disk = value
      server = try context.install(Holder(disk: value))
    }
    #expect(disk != nil)

    try server?.close()

    #expect(disk == nil)
    #expect(try context.stats().subscriptions == 0)
  }

  @Test func `two handlers for one type are refused with a message`() throws {
    struct Twice: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.event(RequestWrite.self) { _, _ in [] }
        on.event(RequestWrite.self) { _, _ in [] }
      }
    }
    let context = try Context()

    let error = #expect(throws: StreamError.self) { try context.install(Twice()) }

    #expect(error == StreamError(.invalid, "Twice: it has two handlers for RequestWrite"))
    #expect(try context.stats().scopes == 0)
  }
}

private final class Counting: Server {
  static func handlers(_ on: inout Handlers<Counting>) {}
}

private final class Showing: ViewModel {
  static func handlers(_ on: inout Handlers<Showing>) {}
}

@Suite("A server that is a class") struct ClassServerTests {
  @Test func `it is refused, and told what to be`() throws {
    let context = try Context()
    let tries: [() throws -> Void] = [
      { try context.install(Counting()) }, { try context.install(Counting(), on: .host) },
      { try context.addService(Counting.self) { Counting() } },
      { try context.open(Showing()) }, { try context.addService(Showing.self) { Showing() } },
    ]
    for call in tries {
      let error = #expect(throws: StreamError.self, performing: call)
      #expect(error?.status == .invalid)
      #expect(error?.message.contains("this is a class: make it a struct") == true)
    }
  }
}
