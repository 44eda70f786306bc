// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import TodoModel
import TodoViewModel

extension ViewModelServer {
  /// Completes or reopens a todo, whichever its row does not show. Everything else stays as the model has it.
  public func toggle(_ request: RequestToggleCompleteTodoViewModel) -> RequestWriteTodo {
    let row = request.row
    return RequestWriteTodo(
      todo: current(row.todo).completed(!row.isComplete, at: now()))
  }

  /// Restores a todo. Everything else stays as the model has it.
  public func restore(_ request: RequestRestoreTodoViewModel) -> RequestWriteTodo {
    RequestWriteTodo(todo: current(request.row.todo).deleted(false))
  }

  /// A todo as the model last had it; a view may still have an older one.
  func kept(_ todo: Todo) -> Todo { known[todo.id] ?? todo }

  /// A todo as the model last had it, or was asked to keep it since: what a change of it begins with.
  func current(_ todo: Todo) -> Todo { writing[todo.id] ?? kept(todo) }

  /// Asks the model to keep a todo. This goes on when the window that asked is closed: the model may have kept it.
  mutating func ask(
    _ write: RequestWriteTodo,
    kept: @escaping (inout Self) -> Void = { _ in },
    failed: @escaping (inout Self) -> Void = { _ in }
  ) -> Next<Self, ResponseTodoViewModel> {
    writing[write.todo.id] = write.todo
    return .ask(write, goesOn: true) { server, answer in
      server.forget(write.todo)
      kept(&server)
      return .done(server.show(answer))
    } failed: { server, failure in
      server.forget(write.todo)
      failed(&server)
      throw failure.forUser
    }
  }

  /// The model has kept a todo, or could not.
  mutating func forget(_ asked: Todo) {
    if writing[asked.id] == asked { writing[asked.id] = nil }
  }

  /// Refuses to write a todo that was purged: it would be there again.
  func checkIsKept(_ id: Todo.ID, subject: String) throws(Failure) {
    if purged.contains(id) { throw Failure(.purged, subject: subject) }
  }

  static func rowHandlers(_ on: inout Handlers<Self>) {
    on.write(RequestToggleCompleteTodoViewModel.self) { $0.toggle($1) }
    deleteHandler(&on)
    on.write(RequestRestoreTodoViewModel.self) { $0.restore($1) }
  }
}

extension Handlers where S == ViewModelServer {
  /// Asks the model to keep a changed row, and answers with the row as it is then.
  fileprivate mutating func write<R: RowRequest>(
    _ type: R.Type, _ change: @escaping (inout ViewModelServer, R) -> RequestWriteTodo
  ) {
    answer(type, asks: [RequestWriteTodo.self]) { server, request in
      try server.checkIsKept(request.row.id, subject: request.row.id)
      let write = change(&server, request)
      return server.ask(write)
    }
  }
}
