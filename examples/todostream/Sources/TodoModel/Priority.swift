// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// How urgent a todo is.
public enum Priority: String, Sendable, Codable, CaseIterable {
  case high
  case normal

  /// The other one.
  public var toggled: Priority { self == .high ? .normal : .high }
}
