// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// What slides in from the side: who it is, and the way out.
struct Drawer: ViewModel {
  var nickname = ""
  var isSignedIn = false
  var total: Int?
  private var signedOut = Pulses<Bool>()
  private var signInPressed = Pulses<Bool>()

  var canSignIn: Bool { !isSignedIn }

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("nickname") { $0.isSignedIn ? $0.nickname : "" }
    on.shows("isSignedIn", \.isSignedIn)
    on.shows("summary") { drawer in
      guard drawer.isSignedIn else { return "Nobody is signed in." }
      return drawer.total.map { "\(drawer.nickname), \($0) written" } ?? drawer.nickname
    }
    on.shows("canSignIn", \.canSignIn)
    on.pulse("signedOut", \.signedOut)
    on.pulse("signInPressed", \.signInPressed)
    on.command(
      "signOut", enabled: \.isSignedIn, asking: { _ in RequestPerformSignOut() },
      then: { drawer, _ in drawer.signedOut(true) })
    on.command("signIn", enabled: \.canSignIn) { $0.signInPressed(true) }
    on.event(UserNickname.self) { drawer, nickname in
      drawer.nickname = nickname.text
      return []
    }
    on.event(UserIsSignedIn.self) { drawer, isSignedIn in
      drawer.isSignedIn = isSignedIn.value
      return []
    }
    on.event(DiaryTotal.self) { drawer, total in
      drawer.total = total.count
      return []
    }
    on.opened(asks: [RequestUser.self]) { _, run in
      run.ask(RequestUser()) { _, _ in
      } failed: { _, _ in
      }
    }
  }
}
