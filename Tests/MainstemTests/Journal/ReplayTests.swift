// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Added: Notice {
  var title: String
  var number: UInt64
}
private struct ResponseAdd: Response { var count: Int }
private struct RequestAdd: Request {
  typealias Answer = ResponseAdd
  var title: String
}

/// Adds to a list; what it adds carries a number that is drawn.
private struct List: Server {
  var titles: [String] = []
  var more = 0

  static func handlers(_ on: inout Handlers<List>) {
    on.answer(RequestAdd.self) { server, request, delivery in
      guard !request.title.isEmpty else { throw Failure("NO_TITLE", code: 1001) }
      server.titles.append(request.title)
      let context = delivery.context
      try context.send(Added(title: request.title, number: context.random()))
      return ResponseAdd(count: server.titles.count + server.more)
    }
  }
}

@Suite("Replay") struct ReplayTests {
  private let folder = Folder()

  private func status(_ call: () throws -> Void) -> Status {
    do { try call() } catch { return (error as? StreamError)?.status ?? .incomplete }
    return .ok
  }

  /// A journal of a session, and the lines that it had.
  private func session() throws -> (path: String, lines: [String]) {
    let path = folder.file("session")
    let context = try Context()
    try context.record(to: path)
    try context.install(List())
    var lines: [String] = []
    let watching = try context.observe { lines.append($0.line) }
    for title in ["eggs", "", "milk"] { _ = context.request(RequestAdd(title: title)) }
    watching.cancel()
    try context.close()
    #expect(lines.count == 8)
    return (path, lines)
  }

  @Test func `every event comes again, and no handler is called`() throws {
    let (path, lines) = try session()
    let context = try Context()
    let replay = try context.replay(path)
    try context.install(List(titles: ["what is here already"]))
    var seen: [String] = []
    let watching = try context.observe { seen.append($0.line) }

    #expect(context.isReplaying)
    #expect(try replay.step() == 1)
    try replay.seek(to: 5)
    #expect(seen == Array(lines[..<5]))
    #expect(status { try context.send(Added(title: "", number: 0)) } == .busy)
    #expect(status { try replay.seek(to: 2) } == .invalid)
    #expect(try replay.toEnd() == 3)
    #expect(try replay.step() == 0)
    let info = try replay.info()
    try replay.close()

    #expect(seen == lines)
    #expect(info.hasEnded && info.isWhole)
    #expect((info.first, info.last, info.position, info.fed) == (1, 8, 8, 8))
    #expect(!context.isReplaying)
    #expect(status { try replay.close() } == .stale)
    try context.send(Added(title: "on", number: 9))
    #expect(seen.last == #"#9 Added {"number":9,"title":"on"}"#)
    watching.cancel()
  }

  @Test func `it goes on by itself, as fast as it can`() throws {
    let (path, lines) = try session()
    let context = try Context()
    let replay = try context.replay(path, session: 1)
    var seen = 0
    let watching = try context.observe { _ in seen += 1 }

    try replay.run(speed: 0)
    try replay.pause()
    try context.drain()
    #expect(seen == 0)
    try replay.run(speed: 0)
    try context.drain()
    #expect(seen == lines.count)
    #expect(status { try replay.run(speed: -1) } == .invalid)
    watching.cancel()
  }

  @Test func `a session verifies`() throws {
    let (path, lines) = try session()
    let context = try Context()
    let replay = try context.replay(path, mode: .verify)
    try context.install(List())

    #expect(try replay.toEnd() == 3)
    let info = try replay.info()

    #expect(info.matched == UInt64(lines.count - 3))
    #expect(info.verifiedUntil == info.last)
    #expect(info.digest != 0)
    #expect(try replay.difference()?.message == nil)
  }

  @Test func `a change in a server is found where it is first`() throws {
    let (path, _) = try session()
    let context = try Context()
    let replay = try context.replay(path, mode: .verify)
    try context.install(List(more: 1))

    for _ in 1...2 { #expect(status { try replay.toEnd() } == .different) }
    let difference = try #require(try replay.difference())

    #expect(difference.position == 3)
    #expect(difference.field == .payload)
    #expect(difference.offset == 9)
    #expect(difference.chain == [1])
    #expect(difference.expected?.line == #"#3 ResponseAdd ok ← #1 List {"count":1}"#)
    #expect(difference.actual?.line == #"#3 ResponseAdd ok ← #1 List {"count":2}"#)
    #expect(try difference.expected?.decode(ResponseAdd.self) == ResponseAdd(count: 1))
    #expect(difference.description.hasPrefix("#3 ResponseAdd"))
  }

  @Test func `what cannot be fed is refused`() throws {
    let (path, _) = try session()
    let context = try Context()

    #expect(status { _ = try context.replay(folder.file("nowhere")) } == .io)
    #expect(status { _ = try context.replay(path, session: 2) } == .invalid)
    try context.send(Added(title: "", number: 0))
    #expect(status { _ = try context.replay(path) } == .invalid)
    #expect(!context.isReplaying)
  }
}
