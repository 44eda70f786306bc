// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// Asks who it is and, the first time, shows the guide.
struct SignInFlow: Coordinator {
  private var hasSeenGuide = false

  static func routes(_ on: inout Routes<Self>) {
    on.screen("signin/name") { _, _ in SignIn() }
    on.screen("signin/guide") { _, _ in Guide() }
  }

  static func intents(_ on: inout Intents<Self>) {
    on.intent("signedIn", of: SignIn.self) { (flow, _: String) in
      flow.hasSeenGuide ? .finish : .open("signin/guide")
    }
    on.intent("understood", of: Guide.self) { (_, _: Bool) in .finish }
  }

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(UserHasSeenGuide.self) { flow, hasSeenGuide in
      flow.hasSeenGuide = hasSeenGuide.value
      return []
    }
  }
}
