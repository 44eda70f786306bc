// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The screen: a name to look up, whose it is, and what they wrote.
struct Lookup: Pictured {
  /// Where the tweets come from.
  let site: String
  var pictures: Pictures
  var username = ""
  var user: User?
  var rows: [TweetCell.Row] = []
  var page = 0
  var isAllLoaded = false
  /// Why the next page is not there.
  var problem = ""
  /// How many look-ups have no answer yet, and how many loads of any kind.
  var lookups = 0
  var loads = 0

  var wanted: [String] { user.map { [$0.avatar] } ?? [] }
  var isUsernameValid: Bool {
    username.wholeMatch(of: /\w{3,15}/.asciiOnlyWordCharacters()) != nil
  }
  var hasMore: Bool { user != nil && !isAllLoaded }
  /// Not while a look-up is on its way: its list would get the next page of the one before.
  var canLoadMore: Bool { hasMore && lookups == 0 }
  /// What stands below the last tweet while there are more.
  var loadingRow: String { hasMore ? problem.isEmpty ? "Loading …" : problem : "" }

  static func handlers(_ on: inout Handlers<Self>) {
    on.writable("username", \.username)
    on.shows("isUsernameValid", \.isUsernameValid)
    on.shows("goAlpha") { $0.isUsernameValid ? 1.0 : 0.5 }
    on.shows("isLoading") { $0.loads > 0 }
    on.shows("avatar") { $0.pictures.key($0.user?.avatar) }
    on.shows("fullName") { $0.user?.fullName ?? "" }
    on.pictures()
    on.children("cells", \.rows) { TweetCell($0) }
    on.shows("canLoadMore", \.canLoadMore)
    on.shows("loadingRow", \.loadingRow)
    on.command(
      "go", enabled: \.isUsernameValid, policy: .latest,
      asks: [RequestFetchTimeline.self]
    ) { $0.go($1) }
    on.command(
      "loadMore", enabled: \.canLoadMore, cancelledBy: "go",
      asking: { $0.more() }, then: { $0.came($1) }, failed: { try $0.failed($1) })
  }

  mutating func go(_ run: Run<Self>) {
    lookups += 1
    loads += 1
    run.ask(question(username, 1)) { lookup, answer in
      lookup.lookups -= 1
      lookup.loads -= 1
      lookup.went(answer)
      lookup.ask(run)
    } failed: { lookup, failure in
      lookup.lookups -= 1
      lookup.loads -= 1
      throw failure
    }
  }

  func question(_ username: String, _ page: Int) -> RequestFetchTimeline {
    RequestFetchTimeline(site: site, username: username, page: page)
  }

  mutating func went(_ answer: ResponseTimeline) {
    (user, rows, isAllLoaded) = (answer.user, answer.tweets.map(row), answer.isLast)
    (page, problem) = (1, "")
    pictures.forget()
  }

  mutating func more() -> RequestFetchTimeline {
    loads += 1
    problem = ""
    return question(user?.name ?? "", page + 1)
  }

  mutating func came(_ answer: ResponseTimeline) {
    loads -= 1
    page += 1
    isAllLoaded = answer.isLast
    // What was written meanwhile has moved some to the next page.
    let known = Set(rows.map(\.id))
    rows += answer.tweets.filter { !known.contains($0.id) }.map(row)
  }

  private func row(_ tweet: Tweet) -> TweetCell.Row {
    TweetCell.Row(tweet: tweet, patience: pictures.patience)
  }

  mutating func failed(_ failure: Failure) throws {
    loads -= 1
    if failure.code != .cancelled { problem = failure.userMessage }
    throw failure
  }
}
