// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// Beside an empty page: what one could write about. Another one each day.
struct Idea: ViewModel {
  static let texts = [
    "What did you hear today?", "Whom did you meet?", "What was new?", "What made you laugh?",
    "What would you do again?",
  ]
  /// Nil: how much is written is not known yet.
  private var number: Int?

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("text") { texts[($0.number ?? 0) % texts.count] }
    on.command("another") { $0.number = ($0.number ?? 0) + 1 }
    on.event(DiaryTotal.self) { idea, total in
      idea.number = idea.number ?? total.count
      return []
    }
  }
}
