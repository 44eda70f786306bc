// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// What is opened when: the screen first, and its widget when the view of the screen is there.
///
/// The widget opens nothing, so it is a component on the screen, without a coordinator of its own.
struct DashboardFlow: Coordinator {
  /// Where the users come from.
  let site: String

  static func routes(_ on: inout Routes<Self>) {
    on.screen("dashboard") { _, _ in Dashboard() }
    on.embed("users", in: "users") { flow, _ in UsersWidget(site: flow.site) }
  }

  static func intents(_ on: inout Intents<Self>) {
    on.intent(WidgetsWanted.self, of: Dashboard.self, whenHidden: .queued) { _, _ in
      .open("users")
    }
  }
}
