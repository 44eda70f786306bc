// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The screen: a title, and a slot for a widget. What is put there is not its affair.
struct Dashboard: ViewModel {
  var title = "Dashboard"
  var isLoaded = false

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("title", \.title)
    on.command("didLoad") { $0.didLoad($1) }
  }

  /// The view is there. If it is made anew, the slot has its widget.
  mutating func didLoad(_ run: Run<Self>) {
    if !isLoaded { run.send(WidgetsWanted()) }
    isLoaded = true
  }
}
