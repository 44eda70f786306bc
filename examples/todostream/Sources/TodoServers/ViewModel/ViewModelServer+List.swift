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

  /// Shows the list of these todos.
  public mutating func show(_ response: ResponseTodos) -> ResponseTodoViewModels {
    // What is not there any more was purged by another program.
    known = known.filter { $0.value.list != response.list }
    for todo in response.todos { known[todo.id] = todo }
    purged.subtract(response.todos.map(\.id))
    deletions.keep(response.todos.filter(\.isDeleted), in: response.list)
    lists[response.list] = TodoListViewModel(id: response.list, todos: response.todos)
    shown = response.list
    return ResponseTodoViewModels(list: response.list, deleted: response.deleted)
  }

  /// Shows a todo as it is now.
  public mutating func show(_ response: ResponseTodo) -> ResponseTodoViewModel {
    // A write changes no place: this one may be from before a move.
    let old = known[response.todo.id]
    let todo = old.map { response.todo.placed($0.place) } ?? response.todo
    known[todo.id] = todo
    purged.remove(todo.id)
    if !todo.isDeleted { deletions.restored(todo.id) }
    lists[todo.list]?.merge(todo, replacing: old)
    return ResponseTodoViewModel(list: todo.list, row: TodoViewModel(todo))
  }

  static func listHandlers(_ on: inout Handlers<Self>) {
    on.answer(
      RequestTodoViewModels.self, asking: { $0.read($1) }, then: { $0.show($2) },
      failed: { throw $2.forUser })
  }
}
