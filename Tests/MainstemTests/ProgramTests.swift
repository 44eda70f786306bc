// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

struct Todo: Codable, Sendable, Equatable, Identifiable {
  var id: Int
  var title: String
  var done = false
}
struct ResponseTodo: Response { var todo: Todo }
struct RequestToggle: Request {
  typealias Answer = ResponseTodo
  var id: Todo.ID
}

struct TodoServer: Server {
  var todos: [Todo.ID: Todo]

  mutating func toggle(_ request: RequestToggle) throws -> ResponseTodo {
    guard var todo = todos[request.id] else {
      throw Failure("UNKNOWN_TODO", userMessage: "It is gone.")
    }
    todo.done.toggle()
    todos[todo.id] = todo
    return ResponseTodo(todo: todo)
  }
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestToggle.self) { try $0.toggle($1) }
  }
}

@Test func `a toggle marks the todo done, and an unknown one is an error`() throws {
  let milk = Todo(id: 1, title: "Milk")
  var server = TodoServer(todos: [1: milk])
  #expect(try server.toggle(RequestToggle(id: 1)).todo.done)

  let test = TestContext()
  test.install(TodoServer(todos: [1: milk]))
  test.send(RequestToggle(id: 1))
  test.expect(RequestToggle(id: 1))
  test.expect(ResponseTodo(todo: Todo(id: 1, title: "Milk", done: true)))
  test.send(RequestToggle(id: 9))
  test.expect(RequestToggle(id: 9))
  test.expect(Failure("UNKNOWN_TODO", userMessage: "It is gone."))
}
