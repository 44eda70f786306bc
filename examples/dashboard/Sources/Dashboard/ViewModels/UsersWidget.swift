// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The widget: how many users there are, and who has an id.
struct UsersWidget: ViewModel {
  /// Where the users come from.
  let site: String
  var load = LoadState.initialized
  var users: [UserModel] = []
  /// Why they are not there.
  var problem = ""
  /// The id to look for, as it was typed.
  var query = ""

  var isLoaded: Bool { load == .loaded }
  var canRetry: Bool { load == .failed }
  var count: String { isLoaded ? "The system has \(users.count) users" : "" }
  /// While it is not known who is there, nobody is missing.
  var found: String { query.isEmpty || !isLoaded ? "---" : match ?? "User not found" }

  /// Who has the id that was typed. What is no number is nobody's id.
  private var match: String? {
    guard let id = Int(query), let user = users.first(where: { $0.id == id }) else { return nil }
    let names = [user.name, user.username].compactMap { $0 }
    return names.isEmpty ? nil : "I found \(names.joined(separator: " aka "))"
  }

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("load", \.load.rawValue)
    on.shows("isLoading") { $0.load == .loading }
    on.shows("isSearchShown", \.isLoaded)
    on.shows("count", \.count)
    on.writable("query", \.query)
    on.shows("found", \.found)
    on.shows("problem", \.problem)
    on.shows("canRetry", \.canRetry)
    on.opened(asks: [RequestFetchUsers.self]) { widget, run in
      run.ask(widget.fetch()) {
        $0.came($1)
      } failed: {
        $0.failed($1)
      }
    }
    on.command(
      "retry", enabled: \.canRetry, asking: { $0.fetch() }, then: { $0.came($1) },
      failed: {
        $0.failed($1)
        throw $1
      })
  }

  mutating func fetch() -> RequestFetchUsers {
    (load, problem) = (.loading, "")
    return RequestFetchUsers(site: site)
  }

  mutating func came(_ answer: ResponseUsers) { (load, users) = (.loaded, answer.users) }

  mutating func failed(_ failure: Failure) { (load, problem) = (.failed, failure.userMessage) }
}
