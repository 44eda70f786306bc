// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What an event type is for.
public enum Role: Sendable, Hashable {
  /// It asks.
  case request
  /// It answers.
  case response
  /// It tells.
  case notice
  /// It changes a value: see ``Context/set(_:)``.
  case value
}

extension Role {
  var contract: mainstem_contract {
    switch self {
    case .request: MAINSTEM_ROLE_REQUEST
    case .response: MAINSTEM_ROLE_RESPONSE
    case .notice: MAINSTEM_ROLE_NOTICE
    case .value: MAINSTEM_ROLE_VALUE
    }
  }
}
