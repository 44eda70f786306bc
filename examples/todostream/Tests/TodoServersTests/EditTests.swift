// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import StoreFiles
import Testing
import TodoModel
import TodoServers
import TodoViewModel

@Suite("An edit, from view to file and back")
struct EditTests {
  @Test func `an empty title is refused for its session, then the todo is written (A-21)`() throws {
    let test = TestContext()
    let app = try App(in: test)
    test.keep()
    let todo = Todo(id: "id-1", list: "home", createdAt: App.now)
    var detail = TodoDetailViewModel(todo, session: "id-2")

    test.send(RequestNewTodoDetailViewModel(list: "home"))
    test.expect(RequestNewTodoDetailViewModel(list: "home"))
    test.expect(ResponseTodoDetailViewModel(detail: detail))

    test.send(RequestUpdateDetailViewModel(detail: detail))
    test.expect(RequestUpdateDetailViewModel(detail: detail))
    test.expect(
      Failure("emptyTitle", userMessage: "Please add a title.", subject: "id-2", code: 1001))
    test.expectNothing()

    detail.title = "Milk"
    let milk = todo.titled("Milk")
    test.send(RequestUpdateDetailViewModel(detail: detail))
    test.expect(RequestUpdateDetailViewModel(detail: detail))
    test.expect(ResponseUpdateDetailViewModel(detail: detail, outcome: .saved))
    test.expect(RequestWriteTodo(todo: milk))
    test.expect(ResponseTodo(todo: milk))
    test.expect(ResponseTodoViewModel(list: "home", row: TodoViewModel(milk)))
    test.expectNothing()
    #expect(try app.stored() == [milk])

    test.send(RequestUpdateDetailViewModel(detail: detail))
    test.expect(RequestUpdateDetailViewModel(detail: detail))
    test.expect(closed("id-2"))
  }

  @Test func `a cancelled edit is over, and nothing is written (A-22)`() throws {
    let milk = Todo.made(10, "Milk")
    let test = TestContext()
    let app = try App(in: test, milk)
    test.keep()
    let new = TodoDetailViewModel(
      Todo(id: "id-1", list: "home", createdAt: App.now), session: "id-2")
    let edit = TodoDetailViewModel(milk, session: "id-3")

    test.send(RequestNewTodoDetailViewModel(list: "home"))
    test.expect(RequestNewTodoDetailViewModel(list: "home"))
    test.expect(ResponseTodoDetailViewModel(detail: new))
    test.send(RequestTodoDetailViewModel(row: TodoViewModel(milk)))
    test.expect(RequestTodoDetailViewModel(row: TodoViewModel(milk)))
    test.expect(ResponseTodoDetailViewModel(detail: edit))

    for detail in [new, edit] {
      test.send(RequestCancelDetailViewModel(detail: detail))
      test.expect(RequestCancelDetailViewModel(detail: detail))
      test.expect(ResponseUpdateDetailViewModel(detail: detail, outcome: .cancelled))
    }
    test.expectNothing()
    #expect(try app.stored() == [milk])

    test.send(RequestUpdateDetailViewModel(detail: edit))
    test.expect(RequestUpdateDetailViewModel(detail: edit))
    test.expect(closed("id-3"))
  }

  @Test func `an edit that cannot be kept comes back with the reason, to be saved again`() throws {
    let milk = Todo.made(10, "Milk")
    let test = TestContext()
    let app = try App(in: test, milk)
    test.keep()
    var detail = TodoDetailViewModel(milk, session: "id-1")
    test.send(RequestTodoDetailViewModel(row: TodoViewModel(milk)))
    test.expect(RequestTodoDetailViewModel(row: TodoViewModel(milk)))
    test.expect(ResponseTodoDetailViewModel(detail: detail))
    detail.title = "Oat milk"
    let oat = milk.titled("Oat milk")

    let other = try Connection(path: app.file.path)
    try other.run("BEGIN EXCLUSIVE")
    test.send(RequestUpdateDetailViewModel(detail: detail))
    try other.run("ROLLBACK")
    var reopened = detail
    reopened.error = "Another program is using the list. Please try again."
    test.expect(RequestUpdateDetailViewModel(detail: detail))
    test.expect(ResponseUpdateDetailViewModel(detail: detail, outcome: .saved))
    test.expect(RequestWriteTodo(todo: oat))
    test.expect(
      Failure("locked: SQLite 5: database is locked", subject: milk.id, code: 1010))
    test.expect(ResponseTodoDetailViewModel(detail: reopened))
    #expect(try app.stored() == [milk])

    test.send(RequestUpdateDetailViewModel(detail: reopened))
    test.expect(RequestUpdateDetailViewModel(detail: reopened))
    test.expect(ResponseUpdateDetailViewModel(detail: detail, outcome: .saved))
    test.expect(RequestWriteTodo(todo: oat))
    test.expect(ResponseTodo(todo: oat))
    test.expect(ResponseTodoViewModel(list: "home", row: TodoViewModel(oat)))
    #expect(try app.stored() == [oat])
  }

  private func closed(_ session: String) -> Failure {
    Failure(
      "closedSession", userMessage: "This todo is not being edited any more.", subject: session,
      code: 1002)
  }
}
