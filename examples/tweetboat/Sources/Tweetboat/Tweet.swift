// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Who writes.
struct User: Codable, Equatable, Sendable {
  var name: String
  var fullName: String
  var about: String
  var followers: Int
  /// Where the picture is.
  var avatar: String
}

/// What somebody wrote.
struct Tweet: Codable, Equatable, Identifiable, Sendable {
  var id: Int
  var author: User
  var text: String
  var picture: Picture?
}

/// A picture in a tweet.
struct Picture: Codable, Equatable, Sendable {
  var url: String
  /// What is seen in it, for those who cannot see it.
  var about: String
}
