// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoViewModel

/// What the view asks of one row; the row names its list.
public protocol RowRequest: Request where Answer == ResponseTodoViewModel {
  /// The row, as the view got it.
  var row: TodoViewModel { get }

  /// Asks it of a row.
  init(row: TodoViewModel)
}

extension RowRequest {
  public static var layer: Layer { .viewModel }
}

/// Asks to complete a todo, or to open it again: the other of what its row shows.
public struct RequestToggleCompleteTodoViewModel: RowRequest {
  public typealias Answer = ResponseTodoViewModel
  public var row: TodoViewModel
  public init(row: TodoViewModel) { self.row = row }
}

/// Asks to delete a todo. It can be brought back.
public struct RequestDeleteTodoViewModel: RowRequest {
  public typealias Answer = ResponseTodoViewModel
  public var row: TodoViewModel
  public init(row: TodoViewModel) { self.row = row }
}

/// Asks to bring a deleted todo back.
public struct RequestRestoreTodoViewModel: RowRequest {
  public typealias Answer = ResponseTodoViewModel
  public var row: TodoViewModel
  public init(row: TodoViewModel) { self.row = row }
}
