// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import TodoModel
import TodoViewModel

extension ViewModelServer {
  /// Tells whoever waits for a todo, and everyone who observes, whether the todo was kept.
  static func modelHandlers(_ on: inout Handlers<Self>) {
    on.on(ResponseTodo.self) { server, response, delivery in
      let shown = server.show(response)
      let correlation = delivery.correlation
      switch server.writesAsked.take(subject: response.todo.id, correlation: correlation) {
      case .row(let reply):
        try reply.respond(shown)
        return []
      case .edit(let detail):
        server.sessions[detail.session] = nil
        return [shown]
      case nil:
        return [shown]
      }
    }
    on.failed(ResponseTodo.self) { server, failure, delivery in
      let correlation = delivery.correlation
      switch server.writesAsked.take(subject: failure.subject, correlation: correlation) {
      case .row(let reply):
        try reply.fail(failure.forUser)
        return []
      case .edit(let detail):
        return [server.reopen(detail, after: failure)]
      case nil:
        return []
      }
    }
  }
}
