// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private let password = "correct-horse-7-battery"

private struct ResponseSession: Response {
  static let isSecret = true
  var token: String
}
private struct RequestSignIn: Request {
  typealias Answer = ResponseSession
  static let isSecret = true
  var password: String
}
private struct NoticeTyped: Notice, TextEvent {
  static let isSecret = true
  var text: String
}
private struct ResponseDone: Response {}
private struct RequestChange: Request {
  typealias Answer = ResponseDone
  static let isSecret = true
  var kind: Kind
}
private enum Kind: String, Codable, Sendable { case old, new }
private struct WrittenChange: Request, TextEvent {
  typealias Answer = ResponseDone
  static let name = "RequestChange"
  static let payload: Payload = .json
  static let isSecret = true
  var text: String
}
private struct RequestToken: Request { typealias Answer = ResponseSession }
private struct NoticeScores: Notice {
  static let isSecret = true
  var scores: [String: Double]
}
private struct WrittenScores: Notice, TextEvent {
  static let name = "NoticeScores"
  static let payload: Payload = .json
  static let isSecret = true
  var text: String
}
private struct NoticeKind: Notice { var kind: Kind }
private struct Quoting: Error { var text: String }

@Suite("Secret") struct SecretTests {
  @Test func `who asks and who answers get it whole, and its line shows nothing`() throws {
    let context = try Context()
    var lines: [String] = []
    var secrets: [Bool] = []
    let watching = try context.observe {
      lines.append($0.line)
      secrets.append($0.isSecret)
    }
    let door = Door { ResponseSession(token: String($0.password.reversed())) }
    try context.install(door)

    let answer = try context.request(RequestSignIn(password: password)).get()
    try context.send(NoticeTyped(text: password))

    #expect(answer.token == String(password.reversed()))
    #expect(secrets == [true, true, true])
    #expect(
      lines == [
        "#1 RequestSignIn <secret>", "#2 ResponseSession ok ← #1 Door <secret>",
        "#3 NoticeTyped <secret>",
      ])
    watching.cancel()
  }

  @Test func `what a handler threw is named, and not quoted`() throws {
    let context = try Context()
    try context.install(Door { throw Quoting(text: $0.password) })

    let failure = context.request(RequestSignIn(password: password))

    #expect(failure == .failure(Failure("Quoting: <secret>")))
  }

  @Test func `a payload that does not fit is not quoted`() throws {
    let context = try Context()
    var reports: [FailureReport] = []
    let watching = try context.observe(FailureReport.self) { report, _ in reports.append(report) }
    var caught: [Failure] = []
    let observing = try context.observe(RequestChange.self) { _, _ in }
    let looking = try context.observe { delivery in
      do throws(Failure) { _ = try delivery.decode(RequestChange.self) } catch {
        caught.append(error)
      }
    }

    let host = Context(borrowing: context.handle)
    try host.send(WrittenChange(text: #"{"kind":"\#(password)"}"#))

    #expect(reports.map(\.message) == ["<secret>"])
    #expect(caught.first?.message == "RequestChange: <secret>")
    looking.cancel()
    observing.cancel()
    watching.cancel()
  }

  @Test func `what cannot be coded is not quoted, and no key of it`() throws {
    let context = try Context()
    var caught: [String] = []
    let watching = try context.observe { delivery in
      do throws(Failure) { _ = try delivery.decode(NoticeScores.self) } catch {
        caught.append(error.message)
      }
      // A type that is no secret, and not the event's.
      do throws(Failure) { _ = try delivery.decode(NoticeKind.self) } catch {
        caught.append(error.message)
      }
    }

    let host = Context(borrowing: context.handle)
    try host.send(WrittenScores(text: #"{"kind":"\#(password)","scores":{"\#(password)":"x"}}"#))
    let refused = #expect(throws: StreamError.self) {
      try context.send(NoticeScores(scores: [password: .nan]))
    }

    #expect(caught == ["NoticeScores: <secret>", "NoticeKind: <secret>"])
    #expect(refused?.message == "NoticeScores: <secret>")
    watching.cancel()
  }

  @Test func `what a handler threw that answers with a secret is not quoted`() throws {
    let context = try Context()
    try context.install(Tokens())

    #expect(context.request(RequestToken()) == .failure(Failure("Quoting: <secret>")))
  }

  @Test func `an issue of the test kit does not show it`() {
    let test = TestContext()
    test.send(NoticeTyped(text: password))
    withKnownIssue {
      test.expect(NoticeTyped(text: "another"))
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return text.contains("NoticeTyped <secret>") && !text.contains(password)
        && !text.contains("another\"")
    }
  }

  @Test func `a secret has no history`() throws {
    let context = try Context()

    let error = #expect(throws: StreamError.self) {
      try context.keepHistory(of: NoticeTyped.self, last: 3)
    }

    #expect(error?.status == .invalid)
  }
}

private struct Door: Server {
  static let name = "Door"
  let signIn: (RequestSignIn) throws -> ResponseSession

  static func handlers(_ on: inout Handlers<Door>) {
    on.answer(RequestSignIn.self) { door, request in try door.signIn(request) }
  }
}

private struct Tokens: Server {
  static let name = "Tokens"

  static func handlers(_ on: inout Handlers<Tokens>) {
    on.answer(RequestToken.self) { _, _ in throw Quoting(text: password) }
  }
}
