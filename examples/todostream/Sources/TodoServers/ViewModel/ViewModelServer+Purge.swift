// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import TodoModel
public import TodoViewModel

extension ViewModelServer {
  /// Removes a deleted todo for good. From now on, old rows of it are refused, unless the model still has it.
  public mutating func purge(_ request: RequestPurgeTodoViewModel) -> RequestPurgeTodo {
    purged.insert(request.row.id)
    return RequestPurgeTodo(id: request.row.id)
  }

  /// Forgets a todo that is gone.
  public mutating func show(
    _ response: ResponsePurgedTodo, for row: TodoViewModel
  ) -> ResponsePurgedTodoViewModel {
    let todo = current(row.todo)
    lists[todo.list]?.remove(todo)
    known[todo.id] = nil
    writing[todo.id] = nil
    purged.insert(todo.id)
    deletions.forget(todo.id)
    return ResponsePurgedTodoViewModel(list: todo.list, row: TodoViewModel(todo))
  }

  /// The todo is still there.
  mutating func keep(_ row: TodoViewModel, after failure: Failure) -> Failure {
    purged.remove(row.id)
    return failure.forUser
  }

  static func purgeHandlers(_ on: inout Handlers<Self>) {
    on.answer(RequestPurgeTodoViewModel.self, asks: [RequestPurgeTodo.self]) { server, request in
      .ask(server.purge(request), goesOn: true) {
        .done($0.show($1, for: request.row))
      } failed: {
        throw $0.keep(request.row, after: $1)
      }
    }
  }
}
