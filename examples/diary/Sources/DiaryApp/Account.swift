// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What is known of the user, from one visit to the next. What proves who it is, only the store knows.
struct Account: Codable, Equatable, Sendable {
  var isSignedIn = false
  /// Stays after a sign-out, to be offered the next time.
  var nickname = ""
  var hasAgreed = false
  var hasSeenGuide = false
}
