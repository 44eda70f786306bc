// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

// The service User: what it can be asked, and its state, which everybody may hear. Each datum is a value of its own.

struct ResponseUser: Response, Equatable {
  static let layer = Layer.model
  var account: Account
}
/// Who it is. The first one reads what was kept.
struct RequestUser: Request {
  typealias Answer = ResponseUser
  static let layer = Layer.model
}
struct RequestPerformSignIn: Request, Equatable {
  static var name: String { "\(Prefix.chosen)RequestPerformSignIn" }
  typealias Answer = ResponseUser
  static let layer = Layer.model
  var nickname: String
  var hasAgreed: Bool
}
struct RequestPerformSignOut: Request {
  static var name: String { "\(Prefix.chosen)RequestPerformSignOut" }
  typealias Answer = ResponseUser
  static let layer = Layer.model
}
/// The guide was seen, and is not shown again.
struct RequestUpdateGuide: Request {
  typealias Answer = ResponseUser
  static let layer = Layer.model
}

struct UserIsSignedIn: Notice, ScalarEvent {
  static let name = "User.isSignedIn"
  static let role = Role.value
  static let layer = Layer.viewModel
  var value: Bool
}
struct UserNickname: Notice, TextEvent {
  static let name = "User.nickname"
  static let role = Role.value
  static let layer = Layer.viewModel
  var text: String
}
struct UserHasAgreed: Notice, ScalarEvent {
  static let name = "User.hasAgreed"
  static let role = Role.value
  static let layer = Layer.viewModel
  var value: Bool
}
struct UserHasSeenGuide: Notice, ScalarEvent {
  static let name = "User.hasSeenGuide"
  static let role = Role.value
  static let layer = Layer.viewModel
  var value: Bool
}
/// Whether the session has ended without a sign-out: whose it was has to sign in again.
struct UserSessionEnded: Notice, ScalarEvent {
  static let name = "User.sessionEnded"
  static let role = Role.value
  static let layer = Layer.viewModel
  var value: Bool
}
