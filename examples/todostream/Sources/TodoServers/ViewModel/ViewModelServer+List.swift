// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
import TodoModel
import TodoViewModel

extension ViewModelServer {
  /// Asks the model for the todos from which rows are made.
  public func read(_ request: RequestTodoViewModels) throws(Failure) -> RequestReadTodos {
    if let query = request.query, !query.fitsRows {
      throw Failure(.wrongQuery, subject: request.list)
    }
    return RequestReadTodos(list: request.list, deleted: request.deleted ?? false)
  }

  /// Shows what a query selects from the list of these todos; without one, all of it.
  public mutating func show(
    _ response: ResponseTodos, by query: Query? = nil
  ) -> ResponseTodoViewModels {
    // What is not there any more was purged by another program.
    known = known.filter { $0.value.list != response.list }
    for todo in response.todos { known[todo.id] = todo }
    purged.subtract(response.todos.map(\.id))
    deletions.keep(response.todos.filter(\.isDeleted), in: response.list)
    lists[response.list] = TodoListViewModel(id: response.list, todos: response.todos)
    shown = response.list
    self.query = query
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
      RequestTodoViewModels.self, asking: { try $0.read($1) },
      then: { $0.show($2, by: $1.query) },
      failed: { throw $2.forUser })
  }
}
