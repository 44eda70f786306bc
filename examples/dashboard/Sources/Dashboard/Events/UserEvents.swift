// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

// What the service is asked, in the words of the app.

struct ResponseUsers: Response, Equatable { var users: [UserModel] }
struct RequestFetchUsers: Request {
  typealias Answer = ResponseUsers
  /// Where they are.
  var site: String
}
