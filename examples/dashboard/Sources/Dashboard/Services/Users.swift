// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The users of a site: fetched when they are first asked for, and kept. A failure is not kept.
struct Users: Server {
  /// How long it waits for the site.
  let patience: Duration
  private var known: [String: [UserModel]] = [:]

  init(patience: Duration) { self.patience = patience }

  static func handlers(_ on: inout Handlers<Self>) {
    on.effect(.fetch) { on in
      on.answer(RequestFetchUsers.self) { $0.fetch($1) }
    }
  }

  /// However many ask at a time, the site is asked once.
  func fetch(_ request: RequestFetchUsers) -> Next<Self, ResponseUsers> {
    if let users = known[request.site] { return .done(ResponseUsers(users: users)) }
    let question = RequestHttp(url: "\(request.site)/users")
    return .ask(question, timeout: patience, shared: true) { service, answer in
      let users = try Site.users(answer)
      service.known[request.site] = users
      return .done(ResponseUsers(users: users))
    } failed: { _, failure in
      throw Site.sorry(failure)
    }
  }
}
