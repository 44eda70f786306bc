// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// Who wrote a tweet.
struct Profile: ViewModel {
  let user: User
  var avatar = ""

  static func handlers(_ on: inout Handlers<Self>) {
    on.opened(asks: [RequestFetchAvatar.self]) { profile, run in
      run.ask(RequestFetchAvatar(url: profile.user.avatar), shared: true) { profile, answer in
        profile.avatar = answer.picture
      } failed: { _, _ in
      }
    }
    on.shows("avatar", \.avatar)
    on.shows("fullName") { $0.user.fullName }
    on.shows("name") { "@\($0.user.name)" }
    on.shows("about") { $0.user.about }
    on.shows("followers") { "\($0.user.followers) followers" }
  }
}
