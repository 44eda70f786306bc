// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What is known of the user, from one visit to the next.
struct Account: Codable, Equatable, Sendable {
  /// Tells the store whose entries are asked for. Empty: nobody is signed in.
  var token = ""
  /// Stays after a sign-out, to be offered the next time.
  var nickname = ""
  var hasAgreed = false
  var hasSeenGuide = false

  var isSignedIn: Bool { !token.isEmpty }
}
