// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// A question that is answered once: yes or no. Whose question it is it does not know.
struct Confirm: ViewModel {
  let text: String
  private var isAnswered = false
  private var answered = Pulses<Bool>()

  init(text: String) { self.text = text }

  var canAnswer: Bool { !isAnswered }

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("text", \.text)
    on.shows("canAnswer", \.canAnswer)
    on.pulse("answered", \.answered)
    on.command("confirm", enabled: \.canAnswer) { $0.answer(true) }
    on.command("refuse", enabled: \.canAnswer) { $0.answer(false) }
  }

  private mutating func answer(_ isConfirmed: Bool) {
    isAnswered = true
    answered(isConfirmed)
  }
}
