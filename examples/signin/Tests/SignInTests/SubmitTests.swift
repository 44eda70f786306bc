// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import SignIn

private let tooWrong = Failure("WRONG", userMessage: "Name or password is wrong.", code: .app)
private let in1s = StubAnswer<ResponseLogIn>.after(
  .seconds(1), .answer(ResponseLogIn(text: "09:41")))

/// A screen in a context with virtual time, and a provider that answers in turn.
@MainActor private final class World {
  let test = TestContext()
  let screen: TestView
  let logIn: Stub<RequestLogIn>
  private var states: [SignState] = []
  private let hearing = Subscriptions()

  init(_ answers: [StubAnswer<ResponseLogIn>]) throws {
    try test.context.addService(Session.self) { Session() }
    logIn = test.stub(RequestLogIn.self, answers)
    test.stub(RequestLogOut.self) { _ in ResponseLogOut() }
    screen = test.open(SignIn())
    hearing.keep(
      try test.context.observe(SignState.self) { [unowned self] state, _ in
        states.append(state)
      })
    test.keep()  // the session lives on
    screen.set("username", "jack")
    screen.set("password", "kcaj")
    test.skip()
  }

  /// What the session has been since the last call.
  func passed() -> [SignState] {
    defer { states = [] }
    return states
  }

  func expect(title: String, submit: Bool, says: String) {
    test.expect(screen, "submitTitle", title)
    test.expect(screen, "submitEnable", submit)
    test.expect(screen, "state", says)
    test.skip()
  }
}

@Suite("A-65: submit") @MainActor struct SubmitTests {
  private let jack = SignState.signed(user: User(name: "jack", time: "09:41"))

  @Test func `in, with what was typed when it was submitted, and out`() throws {
    let world = try World([in1s])
    let submit = world.screen.run("submit")
    #expect(world.screen.run("submit").failure?.code == .executing)
    world.screen.set("username", "somebody else")
    world.expect(title: "Submit", submit: false, says: "")
    world.test.advance(by: .seconds(1))
    #expect(submit.isDone)
    #expect(world.logIn.requests == [RequestLogIn(name: "jack", password: SecretText("kcaj"))])
    #expect(world.passed() == [.unsigned, .signingIn, jack])
    world.screen.set("username", "")
    world.expect(title: "Sign out", submit: true, says: "jack, signed in at 09:41")
    #expect(world.screen.run("submit").isDone)
    world.screen.set("username", "jack")
    #expect(world.passed() == [.signingOut, .unsigned])
    world.expect(title: "Submit", submit: false, says: "Please enter your password.")
  }

  @Test func `a failure returns to unsigned, with its text until the next key`() throws {
    let world = try World([.failure(tooWrong)])
    #expect(world.screen.run("submit").failure == tooWrong)
    #expect(world.passed() == [.unsigned, .signingIn, .unsigned])
    world.expect(title: "Submit", submit: true, says: "Name or password is wrong.")
    world.screen.set("username", "jac")
    world.expect(title: "Submit", submit: false, says: "A name has at least 4 characters.")
  }

  @Test func `cancel and patience end what hangs`() throws {
    let world = try World([.never, .never])
    let first = world.screen.run("submit")
    #expect(world.screen.run("cancel").isDone)
    #expect(first.failure?.code == .cancelled)
    #expect(world.screen.run("cancel").failure?.code == .disabled)
    world.expect(title: "Submit", submit: true, says: "")
    let second = world.screen.run("submit")
    world.test.advance(by: Session.patience)
    #expect(second.failure?.code == .timeout)
    #expect(world.passed() == [.unsigned, .signingIn, .unsigned, .signingIn, .unsigned])
    world.test.skip()
  }
}
