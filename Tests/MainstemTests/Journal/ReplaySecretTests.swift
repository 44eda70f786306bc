// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct ResponseSession: Response {
  static let isSecret = true
  var token: String
}
private struct RequestSignIn: Request {
  typealias Answer = ResponseSession
  static let isSecret = true
  var password: String
}
private struct SignedIn: Notice { var letters: Int }

/// Says how long a password is.
private struct Door: Server {
  static func handlers(_ on: inout Handlers<Door>) {
    on.answer(RequestSignIn.self) { _, request, delivery in
      try delivery.context.send(SignedIn(letters: request.password.utf8.count))
      return ResponseSession(token: "t")
    }
  }
}

@Suite("Secrets in a replay") struct ReplaySecretTests {
  private let folder = Folder()

  /// 1 a request, 2 a notice, 3 the answer.
  private func session() throws -> String {
    let path = folder.file("session")
    let context = try Context()
    try context.record(to: path)
    try context.install(Door())
    _ = context.request(RequestSignIn(password: "correct horse"))
    try context.close()
    return path
  }

  private func status(_ call: () throws -> Void) -> Status {
    do { try call() } catch { return (error as? StreamError)?.status ?? .incomplete }
    return .ok
  }

  @Test func `a program is proven with the secrets of who knows`() throws {
    let path = try session()
    let context = try Context()
    let replay = try context.replay(path, mode: .verify)
    try context.install(Door())
    var asked: [UInt64] = []
    try replay.onSecret { event in
      #expect(event.status == .withheld)
      asked.append(event.position)
      return event.name == "RequestSignIn" ? .event(RequestSignIn(password: "correct horse")) : nil
    }

    try replay.toEnd()
    let info = try replay.info()

    #expect(asked == [1])
    #expect((info.verifiedUntil, info.supplied) == (3, 1))
  }

  @Test func `another secret is found by what comes of it`() throws {
    let path = try session()
    let context = try Context()
    let replay = try context.replay(path, mode: .verify)
    try context.install(Door())
    try replay.onSecret { _ in .event(RequestSignIn(password: "hunter2")) }

    #expect(status { try replay.toEnd() } == .different)
    #expect(try replay.difference()?.position == 2)
    #expect(try replay.difference()?.message.contains("hunter2") == false)
  }

  @Test func `what is no such event is thrown by the call that feeds`() throws {
    struct Unknown: Error {}
    let path = try session()
    let context = try Context()
    let replay = try context.replay(path)

    try replay.onSecret { _ in .event(SignedIn(letters: 1)) }
    #expect(status { try replay.step() } == .invalid)
    try replay.onSecret { _ in .failure(Failure("only a response fails")) }
    #expect(status { try replay.seek(to: 2) } == .ok)
    try replay.onSecret { _ in throw Unknown() }
    #expect(status { try replay.step() } == .incomplete)
    #expect(try replay.info().supplied == 0)
    try replay.onSecret(nil)
  }
}
