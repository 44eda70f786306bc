// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoViewModel

/// Asks for the rows of a list.
public struct RequestTodoViewModels: Request {
  public typealias Answer = ResponseTodoViewModels
  public static var layer: Layer { .viewModel }

  /// The id of the list.
  public var list: String
  /// Whether to show the deleted todos instead; false if left out.
  public var deleted: Bool?

  /// Asks for the rows of a list.
  public init(list: String, deleted: Bool? = nil) {
    self.list = list
    self.deleted = deleted
  }
}

/// The rows of a list.
public struct ResponseTodoViewModels: Response {
  public static var layer: Layer { .viewModel }
  public static var record: RecordMode { .inputs }

  /// The list, ready to be shown.
  public var list: TodoListViewModel

  /// The rows of a list.
  public init(list: TodoListViewModel) { self.list = list }
}

/// A todo has changed: one answer for every request that changes one.
///
/// Whoever shows the list applies the changes one after another; an inserted, reloaded or moved row is the row of this
/// event. Without changes the list looks as before.
public struct ResponseTodoViewModel: Response {
  public static var layer: Layer { .viewModel }

  /// The list that the todo is in.
  public var list: String
  /// The todo as it is now.
  public var row: TodoViewModel
  /// The resulting changes to the rows of the last ``ResponseTodoViewModels`` that did not show deleted todos.
  public var changes: [Change]

  /// A todo has changed.
  public init(list: String, row: TodoViewModel, changes: [Change] = []) {
    self.list = list
    self.row = row
    self.changes = changes
  }
}
