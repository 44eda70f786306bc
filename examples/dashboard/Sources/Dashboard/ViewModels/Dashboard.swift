// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The screen: a title, and a slot for a widget. What is put there is not its affair.
struct Dashboard: ViewModel {
  var title = "Dashboard"
  var isLoaded = false
  /// Names a slot that is to be filled.
  var widgetWanted = Pulses<String>()

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("title", \.title)
    on.command("didLoad") { $0.didLoad() }
    on.pulse("widgetWanted", \.widgetWanted)
  }

  /// The view is there. If it is made anew, the slot has its widget.
  mutating func didLoad() {
    if !isLoaded { widgetWanted("users") }
    isLoaded = true
  }
}
