// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// Who is signed in.
public struct User: Codable, Equatable, Sendable {
  public var name: String
  /// When, in the words of the server.
  public var time: String

  public init(name: String, time: String) {
    self.name = name
    self.time = time
  }
}

/// The value of the session, which everybody may hear: a late one gets the present one.
public enum SignState: Notice {
  public static let name = "Session.state"
  public static let role = Role.value
  public static let layer = Layer.viewModel

  case unsigned, signingIn, signingUp, signingOut
  case signed(user: User)

  public var isBusy: Bool { [.signingIn, .signingUp, .signingOut].contains(self) }
  public var user: User? { if case .signed(let user) = self { user } else { nil } }
}
