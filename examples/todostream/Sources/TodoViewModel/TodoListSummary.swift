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

  /// Which of the rows that a query has found are shown.
  public struct Found: Sendable, Equatable {
    let offset: Int
    let count: Int
    let total: Int

    /// Rows of a query.
    public init(offset: Int, count: Int, total: Int) {
      (self.offset, self.count, self.total) = (offset, count, total)
    }

    fileprivate var text: String {
      if count == total { return count == 0 ? "Nothing found" : "\(total) found" }
      return count == 0
        ? "Nothing shown of \(total) found" : "\(offset + 1) to \(offset + count) of \(total) found"
    }
  }

  /// Makes the lines.
  ///
  /// - Parameters:
  ///   - id: The id of the list.
  ///   - open: How many todos are not complete.
  ///   - count: How many todos there are.
  ///   - deleted: How many deleted ones.
  ///   - found: What a query has found of the todos; nil: there is no query.
  ///   - deletedFound: What it has found of the deleted ones.
  init(
    id: String, open: Int, of count: Int, deleted: Int, found: Found? = nil,
    deletedFound: Found? = nil
  ) {
    self.id = id
    let all = count == 0 ? "Nothing to do." : "\(open) of \(count) to do"
    let allDeleted = deleted == 0 ? "Nothing is deleted." : "\(deleted) deleted"
    summary = found.map { "\($0.text). \(all)" } ?? all
    deletedSummary = deletedFound.map { "\($0.text). \(allDeleted)" } ?? allDeleted
  }
}
