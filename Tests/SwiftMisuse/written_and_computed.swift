// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Lookup: ViewModel {
  var username = ""
  var isValid: Bool { !username.isEmpty }
  static func handlers(_ on: inout Handlers<Self>) {
    on.writable("isValid", \.isValid)  // says: WritableKeyPath<Lookup
  }
}
