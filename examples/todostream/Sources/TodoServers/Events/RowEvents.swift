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
