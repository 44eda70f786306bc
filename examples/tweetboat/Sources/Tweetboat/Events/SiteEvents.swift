// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

// What the site is asked, in the words of the app.

struct ResponseTimeline: Response, Equatable {
  var user: User
  var tweets: [Tweet]
  var isLast: Bool
}
struct RequestFetchTimeline: Request {
  typealias Answer = ResponseTimeline
  var site: String
  var username: String
  var page: Int
}
