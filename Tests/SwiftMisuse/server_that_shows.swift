// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Lookup: Server {
  var username = ""
  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("username", \.username)  // says: requires that 'Lookup' conform to 'ViewModel'
  }
}
