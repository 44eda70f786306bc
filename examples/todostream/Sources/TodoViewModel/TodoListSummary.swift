// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What is shown of a whole list, beside its rows.
public struct TodoListSummary: Sendable, Equatable, Codable {
  /// The id of the list.
  public let id: String
  /// One line about its todos.
  public let summary: String
  /// One line about its deleted todos.
  public let deletedSummary: String

  /// Makes the lines.
  ///
  /// - Parameters:
  ///   - id: The id of the list.
  ///   - open: How many todos are not complete.
  ///   - count: How many todos there are.
  ///   - deleted: How many deleted ones.
  init(id: String, open: Int, of count: Int, deleted: Int) {
    self.id = id
    summary = count == 0 ? "Nothing to do." : "\(open) of \(count) to do"
    deletedSummary = deleted == 0 ? "Nothing is deleted." : "\(deleted) deleted"
  }
}
