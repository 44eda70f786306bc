// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// What whoever is here for the first time reads once.
struct Guide: ViewModel {
  private var understood = Pulses<Bool>()

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("text") { _ in "Write one entry a day, and open an old one now and then." }
    on.pulse("understood", \.understood)
    on.command(
      "understand", asking: { _ in RequestUpdateGuide() },
      then: { guide, _ in guide.understood(true) })
  }
}
