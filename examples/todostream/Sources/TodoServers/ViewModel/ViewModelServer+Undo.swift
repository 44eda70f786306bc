// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
import TodoModel
import TodoViewModel

extension ViewModelServer {
  /// Deletes a todo, which an undo restores. Everything else stays as the model has it.
  public mutating func delete(_ request: RequestDeleteTodoViewModel) -> RequestWriteTodo {
    let todo = current(request.row.todo)
    if !todo.isDeleted { deletions.begin(todo) }
    return RequestWriteTodo(todo: todo.deleted(true))
  }

  /// Restores the todo that was deleted last. Everything else stays as the model has it.
  public mutating func undo(_ request: RequestUndoDeleteTodoViewModel) throws(Failure)
    -> RequestWriteTodo
  {
    guard let todo = deletions.undo(in: request.list, except: purged) else {
      throw Failure(.nothingToUndo, subject: request.list)
    }
    return RequestWriteTodo(todo: current(todo).deleted(false))
  }

  static func deleteHandler(_ on: inout Handlers<Self>) {
    on.answer(RequestDeleteTodoViewModel.self, asks: [RequestWriteTodo.self]) { server, request in
      let id = request.row.id
      try server.checkIsKept(id, subject: id)
      let write = server.delete(request)
      return server.ask(
        write, kept: { $0.deletions.deleted(id) }, failed: { $0.deletions.failed(id) })
    }
  }

  static func undoHandlers(_ on: inout Handlers<Self>) {
    on.answer(RequestUndoDeleteTodoViewModel.self, asks: [RequestWriteTodo.self]) {
      let write = try $0.undo($1)
      let id = write.todo.id
      return $0.ask(
        write, kept: { $0.deletions.undone(id) }, failed: { $0.deletions.undoFailed(id) })
    }
  }
}
