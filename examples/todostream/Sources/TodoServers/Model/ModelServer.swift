// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoModel

/// Reads, writes, places and purges todos. Only this server knows the store.
///
/// It may be installed on a ``SerialScheduler``, so that a slow store delays no other event.
public struct ModelServer: Server, Sendable {
  private let store: any TodoStore

  /// Creates a server on a store.
  public init(store: any TodoStore) { self.store = store }

  /// All todos of a list.
  public func read(_ request: RequestReadTodos) throws(Failure) -> ResponseTodos {
    do throws(StoreError) {
      let todos = try store.todos(in: request.list)
      return ResponseTodos(
        list: request.list, deleted: request.deleted, todos: todos.inListOrder)
    } catch {
      throw Failure(error, subject: request.list)
    }
  }

  /// Keeps a todo.
  public func write(_ request: RequestWriteTodo) throws(Failure) -> ResponseTodo {
    do throws(StoreError) {
      try store.write(request.todo)
      return ResponseTodo(todo: request.todo)
    } catch {
      throw Failure(error, subject: request.todo.id)
    }
  }

  /// Removes a deleted todo for good.
  public func purge(_ request: RequestPurgeTodo) throws(Failure) -> ResponsePurgedTodo {
    do throws(StoreError) {
      try store.purge(request.id)
      return ResponsePurgedTodo(id: request.id)
    } catch {
      throw Failure(error, subject: request.id)
    }
  }

  /// Gives todos their places.
  public func place(_ request: RequestPlaceTodos) throws(Failure) -> ResponsePlacedTodos {
    do throws(StoreError) {
      try store.place(request.places)
      return ResponsePlacedTodos(list: request.list)
    } catch {
      throw Failure(error, subject: request.list)
    }
  }

  public static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestReadTodos.self) { try $0.read($1) }
    on.answer(RequestWriteTodo.self) { try $0.write($1) }
    on.answer(RequestPurgeTodo.self) { try $0.purge($1) }
    on.answer(RequestPlaceTodos.self) { try $0.place($1) }
  }
}
