// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// A tweet in a list: what is seen of it, and no more.
struct TweetCell: ViewModel {
  let tweet: Tweet
  var avatar = ""

  static func handlers(_ on: inout Handlers<Self>) {
    on.opened(asks: [RequestFetchAvatar.self]) { cell, run in
      run.ask(RequestFetchAvatar(url: cell.tweet.author.avatar), shared: true) { cell, answer in
        cell.avatar = answer.picture
      } failed: { _, _ in
      }
    }
    on.shows("avatar", \.avatar)
    on.shows("author") { $0.tweet.author.fullName }
    on.shows("text") { $0.tweet.text }
    on.child("profile") { Profile(user: $0.tweet.author) }
  }
}
