// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// An entry in the list. It shows what it is given, and does nothing of its own.
struct EntryRow: ViewModel {
  var entry: Entry

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("id", \.entry.id)
    on.shows("day", \.entry.day)
    on.shows("title", \.entry.title)
  }
}
