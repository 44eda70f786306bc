// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoModel

/// Asks for all todos of a list, whatever a view shows of it: a line about the list counts all of them, and a move needs
/// the neighbors that are not shown.
public struct RequestReadTodos: Request {
  public typealias Answer = ResponseTodos
  public static var layer: Layer { .model }

  /// The id of the list.
  public var list: String
  /// Whether to show the deleted todos or the others. The answer repeats it.
  public var deleted: Bool

  /// Asks for the todos of a list.
  public init(list: String, deleted: Bool = false) {
    self.list = list
    self.deleted = deleted
  }
}

/// All todos of a list, including the deleted ones, in the order of the list.
public struct ResponseTodos: Response {
  public static var layer: Layer { .model }

  /// The id of the list.
  public var list: String
  /// Whether to show the deleted todos or the others.
  public var deleted: Bool
  /// All todos of the list.
  public var todos: [Todo]

  /// The todos of a list.
  public init(list: String, deleted: Bool = false, todos: [Todo]) {
    self.list = list
    self.deleted = deleted
    self.todos = todos
  }
}

/// Asks to keep a todo as it is now; the todo names its list. The place of a todo that is kept already stays, as another
/// program may have moved it: only ``RequestPlaceTodos`` changes it.
public struct RequestWriteTodo: Request {
  public typealias Answer = ResponseTodo
  public static var layer: Layer { .model }

  /// What to keep.
  public var todo: Todo

  /// Asks to keep a todo.
  public init(todo: Todo) { self.todo = todo }
}

/// A todo was kept. When that failed, the error's subject is the todo's id.
public struct ResponseTodo: Response {
  public static var layer: Layer { .model }

  /// The todo as it is kept now.
  public var todo: Todo

  /// A todo was kept.
  public init(todo: Todo) { self.todo = todo }
}

/// Asks to give todos of a list their places, all or none of them.
///
/// Only the places are written: what another program has changed in these todos meanwhile stays, and what it has purged
/// does not come back.
public struct RequestPlaceTodos: Request {
  public typealias Answer = ResponsePlacedTodos
  public static var layer: Layer { .model }
  // There may be as many places as todos.
  public static var record: RecordMode { .inputs }

  /// The id of the list.
  public var list: String
  /// The places.
  public var places: [TodoPlace]

  /// Asks for places.
  public init(list: String, places: [TodoPlace]) {
    self.list = list
    self.places = places
  }
}

/// The places are kept. When that failed, the error's subject is the list.
public struct ResponsePlacedTodos: Response {
  public static var layer: Layer { .model }

  /// The id of the list.
  public var list: String

  /// The places are kept.
  public init(list: String) { self.list = list }
}

/// Asks to remove a deleted todo for good.
public struct RequestPurgeTodo: Request {
  public typealias Answer = ResponsePurgedTodo
  public static var layer: Layer { .model }

  /// The id of the todo.
  public var id: Todo.ID

  /// Asks to remove a todo.
  public init(id: Todo.ID) { self.id = id }
}

/// A todo is not kept any more, or never was. If it is still there, the error's subject is its id.
public struct ResponsePurgedTodo: Response {
  public static var layer: Layer { .model }

  /// The id of the todo.
  public var id: Todo.ID

  /// A todo is gone.
  public init(id: Todo.ID) { self.id = id }
}
