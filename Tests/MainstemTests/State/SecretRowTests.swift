// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Mainstem
import MainstemTesting
import Testing

private let password = "correct-horse-7-battery"

private struct ResponseEntered: Response {}
private struct RequestEnter: Request, SecretTextEvent {
  typealias Answer = ResponseEntered
  var text: SecretText
}

/// Lets one password in.
private struct Door: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestEnter.self) { _, request in
      guard request.text == SecretText(password) else { throw Failure("WRONG") }
      return ResponseEntered()
    }
  }
}

private struct Login: ViewModel {
  var password = SecretText()
  var isIn = false

  static func handlers(_ on: inout Handlers<Self>) {
    on.writable("password", \.password) { login in
      if login.password == SecretText("refused") { throw Failure("NO") }
    }
    on.shows("isEmpty", \.password.isEmpty)
    on.shows("isIn", \.isIn)
    on.command("enter") { login, run in
      run.ask(RequestEnter(text: login.password)) { login, _ in
        login.isIn = true
        login.password = SecretText()
      }
    }
  }
}

private struct Curious: ViewModel {
  static func handlers(_ on: inout Handlers<Self>) {
    on.observes("password", of: Login.self) { (_, _: String) in }
  }
}

@Suite("Secrets of view models") struct SecretRowTests {
  private let folder = Folder()

  @Test func `a secret is written, carried on, and nowhere to be seen`() throws {
    let path = folder.file("login")
    var lines: [String] = []
    do {
      let context = try Context()
      try context.record(to: path)
      try context.install(Door())
      let log = try context.observe { lines.append($0.line) }
      let login = try context.open(Login())
      let view = try context.bind(to: login) { rows in
        rows.show("isEmpty") { (isEmpty: Bool) in lines.append("empty \(isEmpty)") }
        rows.show("isIn") { (isIn: Bool) in lines.append("in \(isIn)") }
      }
      try view.set("password", "wrong")
      try view.run("enter") { lines.append("\($0)") }
      try view.set("password", SecretText(password))
      try view.set("password", SecretText("refused"))
      try view.run("enter") { lines.append("\($0)") }
      view.end()
      log.cancel()
      try context.close()
    }
    #expect(
      lines.filter { $0.hasPrefix("in") || $0.hasPrefix("empty") }
        == ["empty true", "in false", "empty false", "empty true", "in true"])
    #expect(lines.contains { $0.contains("WRONG") })
    let journal = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(([journal] + lines).allSatisfy { !$0.contains("horse") && !$0.contains("refused") })
    #expect(lines.contains { $0.contains("Login.password") && $0.contains("<secret>") })
  }

  @Test func `a secret is no value that others hear`() throws {
    let context = try Context()
    _ = try context.open(Login())
    let error = #expect(throws: StreamError.self) { try context.open(Curious()) }
    #expect(error?.message.contains("no value password: it shows isEmpty, isIn") == true)
  }

  @Test func `nothing describes a secret text`() throws {
    let secret = SecretText("correct-") + SecretText("horse")
    var dumped = ""
    dump(Login(password: secret), to: &dumped)
    #expect(!(dumped + "\(secret)" + String(reflecting: secret)).contains("horse"))
    #expect(secret.withBytes { String(decoding: $0, as: UTF8.self) } == "correct-horse")
    #expect(secret == SecretText("correct-horse"))
    #expect(secret != SecretText("correct-horst"))
    #expect(SecretText().isEmpty)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(RequestEnter(text: secret)) }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RequestEnter.self, from: Data("{}".utf8))
    }
  }
}
