// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// Who has written what: a page of tweets by name and number, as the site has them now.
struct Timelines: Server {
  let patience: Duration

  static func handlers(_ on: inout Handlers<Self>) {
    on.effect(.fetch) { on in
      on.answer(RequestFetchTimeline.self) { $0.fetch($1) }
    }
  }

  func fetch(_ request: RequestFetchTimeline) -> Next<Self, ResponseTimeline> {
    let url = "\(request.site)/timeline/\(request.username)?page=\(request.page)"
    return .ask(RequestHttp(url: url), timeout: patience) { _, answer in
      .done(try Site.read(ResponseTimeline.self, answer))
    } failed: { _, failure in
      throw Site.sorry(failure, missing: "Nobody has that name. Check how it is spelled.")
    }
  }
}
