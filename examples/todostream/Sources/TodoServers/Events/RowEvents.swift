// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoViewModel

/// A request that the view makes about one row; the row names its list.
public protocol RowRequest: Request where Answer == ResponseTodoViewModel {
  /// The row, as the view received it.
  var row: TodoViewModel { get }

  /// Makes the request about a row.
  init(row: TodoViewModel)
}

extension RowRequest {
  public static var layer: Layer { .viewModel }
}

/// Asks to complete a todo or to reopen it, whichever its row does not show.
public struct RequestToggleCompleteTodoViewModel: RowRequest {
  public typealias Answer = ResponseTodoViewModel
  public var row: TodoViewModel
  public init(row: TodoViewModel) { self.row = row }
}

/// Asks to delete a todo. It can be restored.
public struct RequestDeleteTodoViewModel: RowRequest {
  public typealias Answer = ResponseTodoViewModel
  public var row: TodoViewModel
  public init(row: TodoViewModel) { self.row = row }
}

/// Asks to restore a deleted todo.
public struct RequestRestoreTodoViewModel: RowRequest {
  public typealias Answer = ResponseTodoViewModel
  public var row: TodoViewModel
  public init(row: TodoViewModel) { self.row = row }
}

/// Asks to restore the todo of a list that was deleted last; asked again, the one before.
public struct RequestUndoDeleteTodoViewModel: Request {
  public typealias Answer = ResponseTodoViewModel
  public static var layer: Layer { .viewModel }

  /// The id of the list.
  public var list: String

  /// Asks to undo a delete.
  public init(list: String) { self.list = list }
}

/// Asks to move a todo within its list.
///
/// The request names the todo that follows, not a number: so it means the same after another view has changed the list.
public struct RequestMoveTodoViewModel: Request {
  public typealias Answer = ResponseTodoViewModel
  public static var layer: Layer { .viewModel }

  /// The row, as the view received it.
  public var row: TodoViewModel
  /// The row that it goes in front of; nil: to the end of the list.
  public var before: TodoViewModel?

  /// Asks to move a todo.
  public init(row: TodoViewModel, before: TodoViewModel? = nil) {
    self.row = row
    self.before = before
  }
}

/// Asks to remove a deleted todo for good. It cannot be restored.
public struct RequestPurgeTodoViewModel: Request {
  public typealias Answer = ResponsePurgedTodoViewModel
  public static var layer: Layer { .viewModel }

  /// The row, as the view received it.
  public var row: TodoViewModel

  /// Asks to remove a todo.
  public init(row: TodoViewModel) { self.row = row }
}

/// A todo was removed for good. The rows that are shown have changed before.
public struct ResponsePurgedTodoViewModel: Response {
  public static var layer: Layer { .viewModel }

  /// The list that the todo was in.
  public var list: String
  /// The todo as it was last.
  public var row: TodoViewModel

  /// A todo was removed.
  public init(list: String, row: TodoViewModel) {
    self.list = list
    self.row = row
  }
}
