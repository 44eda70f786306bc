// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What was written on a day.
struct Entry: Codable, Equatable, Identifiable, Sendable {
  /// The later one is the greater one.
  var id: Int
  /// As 2026-11-23.
  var day: String
  var text: String

  /// What a list has room for.
  var title: String {
    String(text.split(separator: "\n", omittingEmptySubsequences: true).first ?? "")
  }
}
