// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import TodoModel
import TodoViewModel

extension ViewModelServer {
  /// Asks the model for the todos from which rows are made.
  public func read(_ request: RequestTodoViewModels) -> RequestReadTodos {
    RequestReadTodos(list: request.list, deleted: request.deleted ?? false)
  }

  /// The rows of all todos to show.
  public mutating func show(_ response: ResponseTodos) -> ResponseTodoViewModels {
    let list = TodoListViewModel(
      id: response.list, todos: response.todos, deleted: response.deleted)
    // What is not there any more was purged by another program.
    known = known.filter { $0.value.list != response.list }
    for todo in response.todos { known[todo.id] = todo }
    purged.subtract(response.todos.map(\.id))
    deletions.keep(response.todos.filter(\.isDeleted), in: response.list)
    shown = list.id
    if !response.deleted { lists[list.id] = list }
    return ResponseTodoViewModels(list: list)
  }

  /// The row of a todo, and its changes to the list shown.
  public mutating func show(_ response: ResponseTodo) -> ResponseTodoViewModel {
    var todo = response.todo
    // A write changes no place: this one may be from before a move.
    if let known = known[todo.id] { todo.place = known.place }
    known[todo.id] = todo
    purged.remove(todo.id)
    if !todo.isDeleted { deletions.restored(todo.id) }
    let changes = lists[todo.list]?.merge(todo) ?? []
    return ResponseTodoViewModel(list: todo.list, row: TodoViewModel(todo), changes: changes)
  }

  static func listHandlers(_ on: inout Handlers<Self>) {
    on.answer(
      RequestTodoViewModels.self, asking: { $0.read($1) }, then: { $0.show($2) },
      failed: { throw $2.forUser })
  }
}
