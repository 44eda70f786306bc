// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// A question, which ends with its answer. Whose question it is it does not know.
struct Confirm: ViewModel {
  let text: String

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("text", \.text)
    on.command("confirm") { _, run in run.finish(Confirmed(isYes: true)) }
    on.command("refuse") { _, run in run.finish(Confirmed(isYes: false)) }
  }
}
