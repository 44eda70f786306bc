// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// A tweet in a list: what is seen of it, and no more.
struct TweetCell: Pictured {
  /// A tweet, and how long to wait for each of its pictures.
  struct Row: Identifiable, Equatable {
    let tweet: Tweet
    let patience: Duration
    var id: Int { tweet.id }
  }

  let tweet: Tweet
  var pictures: Pictures

  init(_ row: Row) {
    tweet = row.tweet
    pictures = Pictures(patience: row.patience)
  }

  var wanted: [String] { [tweet.author.avatar] + (tweet.picture.map { [$0.url] } ?? []) }

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("avatar") { $0.pictures.key($0.tweet.author.avatar) }
    on.shows("author") { $0.tweet.author.fullName }
    on.shows("text") { $0.tweet.text }
    on.shows("picture") { $0.pictures.key($0.tweet.picture?.url) }
    on.shows("pictureAbout") { $0.tweet.picture?.about ?? "" }
    on.pictures()
    on.child("profile") {
      Profile(user: $0.tweet.author, pictures: Pictures(patience: $0.pictures.patience))
    }
  }
}
