// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoViewModel

/// Asks to show a list: its rows are those of the values then.
public struct RequestTodoViewModels: Request {
  public typealias Answer = ResponseTodoViewModels
  public static var layer: Layer { .viewModel }

  /// The id of the list.
  public var list: String
  /// Whether the deleted todos are asked for; false if left out.
  public var deleted: Bool?

  /// Asks to show a list.
  public init(list: String, deleted: Bool? = nil) {
    self.list = list
    self.deleted = deleted
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
