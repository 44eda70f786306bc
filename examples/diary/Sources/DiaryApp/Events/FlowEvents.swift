// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

// What components finish with, and what a flow says.

/// The answer to a question.
struct Confirmed: Notice, Equatable {
  static let layer = Layer.viewModel
  var isYes: Bool
}
/// In the drawer, the user wants to sign out.
struct SignOutPressed: Notice, Equatable {
  static let layer = Layer.viewModel
}
/// Something could not be done.
struct AlertRaised: Notice, Equatable {
  static let layer = Layer.viewModel
  var text: String
}

extension Destination<Confirmed> {
  static let confirm = Destination("confirm")
}
extension Destination<SignOutPressed> {
  static let drawer = Destination("drawer")
}
