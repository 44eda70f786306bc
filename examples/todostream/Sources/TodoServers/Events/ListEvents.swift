// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoViewModel

/// Asks to show a list: its rows are those of the values then.
///
/// Without a query, `rows` has all todos that are not deleted, and `deletedRows` those that are, both in the order of the
/// list. With a query, each of the two has what the query selects from it. Its condition and its sort name the members of
/// a row: `title`, `complete`, `todo.priority`.
public struct RequestTodoViewModels: Request {
  public typealias Answer = ResponseTodoViewModels
  public static var layer: Layer { .viewModel }

  /// The id of the list.
  public var list: String
  /// Whether the deleted todos are asked for; false if left out.
  public var deleted: Bool?
  /// Which rows, in which order, and which part of them; nil: all in the order of the list.
  public var query: Query?

  /// Asks to show a list.
  public init(list: String, deleted: Bool? = nil, query: Query? = nil) {
    self.list = list
    self.deleted = deleted
    self.query = query
  }
}

/// A list was read. Its rows are shown now.
public struct ResponseTodoViewModels: Response {
  public static var layer: Layer { .viewModel }

  /// The id of the list.
  public var list: String
  /// Whether the deleted todos were asked for.
  public var deleted: Bool

  /// A list was read.
  public init(list: String, deleted: Bool = false) {
    self.list = list
    self.deleted = deleted
  }
}

/// A todo has changed: one answer for every request that changes one. The rows that are shown have changed before.
public struct ResponseTodoViewModel: Response {
  public static var layer: Layer { .viewModel }

  /// The list that the todo is in.
  public var list: String
  /// The todo as it is now.
  public var row: TodoViewModel

  /// A todo has changed.
  public init(list: String, row: TodoViewModel) {
    self.list = list
    self.row = row
  }
}
