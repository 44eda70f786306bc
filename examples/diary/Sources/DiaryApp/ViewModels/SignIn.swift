// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// Signs in: a nickname, and the terms, to which everybody agrees once.
struct SignIn: ViewModel {
  static var name: String { "\(Prefix.chosen)SignIn" }
  var nickname = ""
  var hasAgreed = false
  private var sessionEnded = false
  private var signedIn = Pulses<String>()

  var isNicknameValid: Bool {
    nickname.wholeMatch(of: /\w{2,15}/) != nil
  }
  var canSignIn: Bool { isNicknameValid && hasAgreed }
  var hint: String {
    if nickname.isEmpty { return "Please enter your name." }
    if !isNicknameValid { return "A name has 2 to 15 letters or digits." }
    if !hasAgreed { return "Please agree to the terms." }
    return sessionEnded ? SessionKeys.ended : ""
  }

  static func handlers(_ on: inout Handlers<Self>) {
    on.writable("nickname", \.nickname)
    on.writable("hasAgreed", \.hasAgreed)
    on.shows("hint", \.hint)
    on.shows("canSignIn", \.canSignIn)
    on.pulse("signedIn", \.signedIn)
    on.command(
      "signIn", enabled: \.canSignIn,
      asking: { RequestPerformSignIn(nickname: $0.nickname, hasAgreed: $0.hasAgreed) },
      then: { $0.signedIn($1.account.nickname) })
    on.event(UserSessionEnded.self) { screen, ended in
      screen.sessionEnded = ended.value
      return []
    }
    on.opened(asks: [RequestUser.self]) { _, run in
      run.ask(RequestUser()) {
        $0.offer($1.account)
      } failed: { _, _ in
      }
    }
  }

  /// Whoever was here before need neither type nor agree again; what is typed already stays.
  private mutating func offer(_ account: Account) {
    if nickname.isEmpty { nickname = account.nickname }
    if account.hasAgreed { hasAgreed = true }
  }
}
