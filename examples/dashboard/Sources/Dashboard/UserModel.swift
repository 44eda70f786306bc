// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A user, as the site knows them: data only. A field may be missing.
struct UserModel: Codable, Equatable, Sendable {
  var id: Int?
  var name: String?
  var username: String?
}
