// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Why the store could not read or write. A value: nothing is lost, the next call may work.
public struct StoreError: Error, Sendable, Equatable {
  /// What went wrong, as far as anybody can act on it.
  public enum Reason: String, Sendable, Codable, CaseIterable {
    /// Another program holds the file.
    case locked
    /// The file may not be changed.
    case readOnly
    /// The disk is full.
    case noSpace
    /// The file can be neither opened nor created.
    case unavailable
    /// The file is not a todo file, or a later version made it.
    case unreadable
    /// Only a deleted todo can be removed for good, and this one is not deleted.
    case notDeleted
    /// Anything else; the message says what.
    case failed
  }

  /// What went wrong.
  public var reason: Reason
  /// The details, for developers.
  public var message: String

  /// Creates an error.
  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }
}
