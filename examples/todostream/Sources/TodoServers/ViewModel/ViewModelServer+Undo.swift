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
    on.answer(
      RequestDeleteTodoViewModel.self,
      asking: { server, request in
        try server.checkIsKept(request.row.id, subject: request.row.id)
        return server.delete(request)
      },
      then: { server, _, kept in
        server.deletions.deleted(kept.todo.id)
        return server.show(kept)
      },
      failed: { server, request, failure in
        server.deletions.failed(request.row.id)
        throw failure.forUser
      })
  }

  static func undoHandlers(_ on: inout Handlers<Self>) {
    on.answer(RequestUndoDeleteTodoViewModel.self, asks: [RequestWriteTodo.self]) {
      let write = try $0.undo($1)
      return .ask(write) { server, kept in
        server.deletions.undone(kept.todo.id)
        return .done(server.show(kept))
      } failed: { server, failure in
        server.deletions.undoFailed(write.todo.id)
        throw failure.forUser
      }
    }
  }
}
