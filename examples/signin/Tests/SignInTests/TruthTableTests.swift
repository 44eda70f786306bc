// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

@testable import SignIn

private let jack = User(name: "jack", time: "09:41")
private let states: [SignState] = [
  .unsigned, .signingIn, .signingUp, .signingOut, .signed(user: jack),
]

/// The view model as a value: no context, no scheduler, no mock.
private func form(_ length: Int, _ hasPassword: Bool, _ state: SignState) -> SignIn {
  var form = SignIn()
  form.username = String(repeating: "n", count: length)
  form.password = hasPassword ? SecretText("p") : SecretText()
  form.session = state
  return form
}

@Suite("A-64: the truth table") struct TruthTableTests {
  @Test(arguments: 0...5, [false, true])
  func `outputs are those of the table`(length: Int, hasPassword: Bool) {
    for state in states {
      let form = form(length, hasPassword, state)
      let (isUnsigned, isSigned) = (state == .unsigned, state.user != nil)
      let isBusy = !isUnsigned && !isSigned
      #expect(form.usernameInputEnable == isUnsigned)
      #expect(form.passwordInputEnable == (isUnsigned && length >= 4))
      #expect(form.submitEnable == (isSigned || isUnsigned && length >= 4 && hasPassword))
      #expect(form.submitTitle == (isSigned ? "Sign out" : "Submit"))
      #expect(form.indicatorHidden == !isBusy)
      #expect(form.indicatorAnimating == isBusy)
      #expect(form.stateHidden == isBusy)
    }
  }

  @Test func `hints follow the fields, and the session's words come first`() {
    #expect(form(0, true, .unsigned).message == .fillInName)
    #expect(form(3, true, .unsigned).message == .nameTooShort)
    #expect(form(4, false, .unsigned).message == .fillInPassword)
    #expect(form(4, true, .unsigned).message.text == "")
    #expect(Message.nameTooShort.text == "A name has at least 4 characters.")
    #expect(form(0, false, .signed(user: jack)).message.text == "jack, signed in at 09:41")
    var failed = form(4, true, .unsigned)
    #expect(throws: Failure.self) { try failed.fail(Failure("NO", userMessage: "Not you.")) }
    #expect(failed.message.text == "Not you.")
    #expect(throws: Failure.self) { try failed.fail(Failure("", code: .cancelled)) }
    #expect(failed.message == .ready)
  }
}
