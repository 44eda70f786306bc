// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Tweet: Codable, Equatable, Identifiable, Sendable {
  var id: Int
  var text: String
}

struct ResponseTimeline: Response { var tweets: [Tweet] }
struct RequestTimeline: Request {
  typealias Answer = ResponseTimeline
  var username: String
}
struct Cleared: Notice {}

/// Answers with a tweet for each letter of a name.
struct Timelines: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestTimeline.self) { _, request in
      guard request.username != "nobody" else { throw Failure("NOBODY", userMessage: "Who?") }
      let letters = request.username.enumerated()
      return ResponseTimeline(tweets: letters.map { Tweet(id: $0, text: String($1)) })
    }
  }
}

/// The view model of this station's paper, with children.
struct Lookup: ViewModel {
  var username = ""
  var tweets: [Tweet] = []
  var alert = Pulses<String>()
  var liked: [Int] = []
  var summaries = Counter()

  final class Counter {
    var count = 0
  }

  var isUsernameValid: Bool { 3...15 ~= username.count }

  func go() -> RequestTimeline { RequestTimeline(username: username) }
  mutating func went(_ answer: ResponseTimeline) {
    tweets = answer.tweets
    alert("\(tweets.count) came")
  }
  func summary() -> String {
    summaries.count += 1
    return "\(tweets.count) tweets"
  }

  static func handlers(_ on: inout Handlers<Self>) {
    on.writable("username", \.username) { lookup, username in
      if username.contains(" ") { throw Failure("no spaces") }
      if username.isEmpty { lookup.tweets = [] }
    }
    on.shows("isUsernameValid", \.isUsernameValid)
    on.shows("goAlpha") { $0.isUsernameValid ? 1.0 : 0.5 }
    on.shows("summary", of: \.tweets) { $0.summary() }
    on.shows("liked", \.liked)
    on.pulse("alert", \.alert)
    on.command("go", enabled: \.isUsernameValid, asking: { $0.go() }, then: { $0.went($1) })
    on.command("remove", with: Int.self) { lookup, id in
      guard lookup.tweets.contains(where: { $0.id == id }) else { throw Failure("GONE") }
      lookup.tweets.removeAll { $0.id == id }
    }
    on.command("edit", with: Tweet.self) { lookup, tweet in
      lookup.tweets = lookup.tweets.map { $0.id == tweet.id ? tweet : $0 }
    }
    on.command("twice", with: Int.self) { lookup, id in
      lookup.tweets += lookup.tweets.filter { $0.id == id }
    }
    on.event(Cleared.self) { lookup, _ in
      lookup.tweets = []
      return []
    }
    let cells = on.children("cells", \.tweets) {
      TweetCell(tweet: $0)
    } update: {
      $0.tweet = $1
    }
    on.observes("isLiked", of: cells) { (lookup, id, isLiked: Bool) in
      lookup.liked.removeAll { $0 == id }
      if isLiked { lookup.liked.append(id) }
    }
    on.child("profile") { Profile(username: $0.username) }
  }
}

struct TweetCell: ViewModel {
  var tweet: Tweet
  var isLiked = false

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("text", \.tweet.text)
    on.writable("isLiked", \.isLiked)
  }
}

struct Profile: ViewModel {
  var username: String

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("username", \.username)
  }
}

/// Shows what has come from a request that it makes when it is opened.
struct Greeted: ViewModel {
  var text = ""

  static func handlers(_ on: inout Handlers<Self>) {
    on.opened { _, run in
      run.ask(RequestTimeline(username: "jack")) { greeted, answer in
        greeted.text = answer.tweets.map(\.text).joined()
      }
    }
    on.shows("text", \.text)
  }
}
