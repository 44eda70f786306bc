// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// The view model of a sign-in screen.
public struct SignIn: ViewModel {
  public var username = ""
  public var password = SecretText()
  /// What the session was when it was last heard.
  public var session = SignState.unsigned
  /// What happened last; the next key says something else.
  var told: Message?
  /// Tells a screen to empty its field for the password.
  var forget = Pulses<Bool>()
  /// Tells for each key whether there is a password: what a replay has to know of it.
  var typed = Pulses<Bool>()

  public init() {}

  // The truth table.
  var usernameInputEnable: Bool { session == .unsigned }
  var passwordInputEnable: Bool { session == .unsigned && isNameLongEnough }
  var submitEnable: Bool { canSubmit && !session.isBusy }
  var submitTitle: String { session.user == nil ? "Submit" : "Sign out" }
  var indicatorHidden: Bool { !session.isBusy }
  var indicatorAnimating: Bool { session.isBusy }
  var stateHidden: Bool { session.isBusy }

  var isNameLongEnough: Bool { username.count >= Message.shortestName }
  /// Whether submit does something. While it does, another one is EXECUTING, whatever the fields say.
  var canSubmit: Bool { session != .unsigned || isNameLongEnough && !password.isEmpty }

  var message: Message {
    if let user = session.user { return told ?? .signedIn(user) }
    if let told { return told }
    if username.isEmpty { return .fillInName }
    if !isNameLongEnough { return .nameTooShort }
    return password.isEmpty ? .fillInPassword : .ready
  }

  public static func handlers(_ on: inout Handlers<Self>) {
    on.writable("username", \.username) { form, _ in form.told = nil }
    on.writable("password", \.password) { form in
      form.told = nil
      form.typed(!form.password.isEmpty)
    }
    on.shows("usernameInputEnable", \.usernameInputEnable)
    on.shows("passwordInputEnable", \.passwordInputEnable)
    on.shows("submitEnable", \.submitEnable)
    on.shows("submitTitle", \.submitTitle)
    on.shows("indicatorHidden", \.indicatorHidden)
    on.shows("indicatorAnimating", \.indicatorAnimating)
    on.shows("stateHidden", \.stateHidden)
    on.shows("state", \.message.text)
    on.shows("stateId", \.message.id)
    on.shows("canSubmit", \.canSubmit)
    on.pulse("typed", \.typed)
    on.pulse("forget", \.forget)
    on.command(
      "submit", enabled: \.canSubmit, cancelledBy: "cancel",
      asks: [RequestPerformSignIn.self, RequestPerformSignOut.self]
    ) { $0.submit($1) }
    on.command("cancel", enabled: \.indicatorAnimating) { _, _ in }
    on.event(SignState.self) { form, state in
      form.hear(state)
      return []
    }
    on.opened(asks: [RequestFetchSignState.self]) { _, run in
      run.ask(RequestFetchSignState()) { $0.hear($1.state) }
    }
  }

  /// What the fields say now counts, whatever is typed later.
  func submit(_ run: Run<Self>) {
    if session.user == nil {
      run.ask(RequestPerformSignIn(name: username, password: password)) { _, _ in
      } failed: {
        try $0.fail($1)
      }
    } else {
      run.ask(RequestPerformSignOut()) { form, _ in
        form.told = .signedOut
      } failed: {
        try $0.fail($1)
      }
    }
  }

  mutating func fail(_ failure: Failure) throws {
    told = failure.code == .cancelled ? nil : .failed(failure.userMessage)
    throw failure
  }

  mutating func hear(_ state: SignState) {
    if state != session { told = nil }
    session = state
    guard state.user != nil, !password.isEmpty else { return }
    password = SecretText()
    forget(true)
  }
}
