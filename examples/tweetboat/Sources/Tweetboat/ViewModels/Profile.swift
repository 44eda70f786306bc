// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// Who wrote a tweet.
struct Profile: Pictured {
  let user: User
  var pictures: Pictures

  var wanted: [String] { [user.avatar] }

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("avatar") { $0.pictures.key($0.user.avatar) }
    on.shows("fullName") { $0.user.fullName }
    on.shows("name") { "@\($0.user.name)" }
    on.shows("about") { $0.user.about }
    on.shows("followers") { "\($0.user.followers) followers" }
    on.pictures()
  }
}
