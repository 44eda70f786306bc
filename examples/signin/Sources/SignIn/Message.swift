// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a screen says, in words; hosts that have words of their own take the id.
enum Message: Equatable {
  case fillInName, nameTooShort, fillInPassword, ready
  case signedIn(User), signedOut, failed(String)

  /// The least that a name has.
  static let shortestName = 4

  var id: String {
    switch self {
    case .fillInName: "fillInName"
    case .nameTooShort: "nameTooShort"
    case .fillInPassword: "fillInPassword"
    case .ready: "ready"
    case .signedIn: "signedIn"
    case .signedOut: "signedOut"
    case .failed: "failed"
    }
  }

  var text: String {
    switch self {
    case .fillInName: "Please enter your name."
    case .nameTooShort: "A name has at least \(Message.shortestName) characters."
    case .fillInPassword: "Please enter your password."
    case .ready: ""
    case .signedIn(let user): "\(user.name), signed in at \(user.time)"
    case .signedOut: "You are signed out."
    case .failed(let text): text
    }
  }
}
