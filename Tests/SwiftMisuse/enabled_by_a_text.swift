// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Lookup: ViewModel {
  var username = ""
  mutating func clear() { username = "" }
  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("username", \.username)
    on.command("clear", enabled: \.username) { $0.clear() }  // says: KeyPath<Lookup, Bool>
  }
}
