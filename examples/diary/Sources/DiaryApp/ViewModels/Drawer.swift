// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// What slides in from the side: who it is, and the way out.
struct Drawer: ViewModel {
  var nickname = ""
  var isSignedIn = false
  var total: Int?

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("nickname") { $0.isSignedIn ? $0.nickname : "" }
    on.shows("isSignedIn", \.isSignedIn)
    on.shows("summary") { drawer in
      guard drawer.isSignedIn else { return "Nobody is signed in." }
      return drawer.total.map { "\(drawer.nickname), \($0) written" } ?? drawer.nickname
    }
    on.command("signOut", enabled: \.isSignedIn) { _, run in run.finish(SignOutPressed()) }
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
