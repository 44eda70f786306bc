// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import StoreFiles
import Testing
import TodoModel
import TodoServers
import TodoViewModel

@Suite("A purge, from view to file and back")
struct PurgeTests {
  let milk = Todo.made(10, "Milk")
  let gone = Todo.made(20, "Gone").deleted(true)
  let older = Todo.made(5, "Older").deleted(true)

  @Test func `a deleted todo leaves the file, all in one chain`() throws {
    let test = TestContext()
    let app = try App(in: test, milk, gone, older)
    test.keep()
    var chain: [UInt64] = []
    show("home", of: [gone, milk, older], in: test)
    let subscription = try app.context.observe {
      if !$0.name.contains(".") { chain.append($0.correlation) }
    }

    test.send(RequestPurgeTodoViewModel(row: TodoViewModel(older)))
    test.expect(RequestPurgeTodoViewModel(row: TodoViewModel(older)))
    test.expect(RequestPurgeTodo(id: older.id))
    test.expect(ResponsePurgedTodo(id: older.id))
    test.expect(
      ResponsePurgedTodoViewModel(list: "home", row: TodoViewModel(older)))
    test.expectNothing()
    test.expect(try #require(app.shown), "deletedRows", [TodoViewModel(gone)])

    subscription.cancel()
    #expect(chain == Array(repeating: chain[0], count: 4))
    #expect(try app.stored() == [gone, milk])
  }

  @Test func `a todo that is not deleted is refused, and stays`() throws {
    let test = TestContext()
    let app = try App(in: test, milk)
    test.keep()
    let purge = RequestPurgeTodoViewModel(row: TodoViewModel(milk))

    test.send(purge)
    test.expect(purge)
    test.expect(RequestPurgeTodo(id: milk.id))
    let message = "notDeleted: the todo 10 is not deleted"
    test.expect(Failure(message, subject: milk.id, code: 1003))
    test.expect(
      Failure(
        message, userMessage: "Only a deleted todo can be removed for good.", subject: milk.id,
        code: 1003))
    test.expectNothing()
    #expect(try app.stored() == [milk])
  }

  @Test func `a todo that is gone already is no error, and leaves the list that shows it`() throws {
    let app = try App(in: Context(), milk)
    _ = app.context.request(RequestTodoViewModels(list: "home"))
    try app.file.run("DELETE FROM todo")
    let purge = RequestPurgeTodoViewModel(row: TodoViewModel(milk))

    let first = try app.context.request(purge).get()
    let again = try app.context.request(purge).get()

    #expect(first == .init(list: "home", row: TodoViewModel(milk)))
    #expect(again == first)
    #expect(app.rows.takeChanges() == [.reset, .insert(0..<1), .remove(0..<1)])
  }

  @Test func `a purge that fails is an error, and the next one works`() throws {
    let app = try App(in: Context(), gone)
    _ = app.context.request(RequestTodoViewModels(list: "home"))
    let purge = RequestPurgeTodoViewModel(row: TodoViewModel(gone))
    let other = try Connection(path: app.file.path)
    try other.run("BEGIN EXCLUSIVE")

    let locked = app.context.request(purge)
    try other.run("ROLLBACK")

    let forUser = Failure(
      "locked: SQLite 5: database is locked",
      userMessage: "Another program is using the list. Please try again.", subject: gone.id,
      code: 1010)
    #expect(throws: forUser) { try locked.get() }
    #expect(try app.stored() == [gone])
    #expect(app.deletedRows.takeChanges() == [.reset, .insert(0..<1)])
    _ = try app.context.request(purge).get()
    #expect(app.deletedRows.takeChanges() == [.remove(0..<1)])
    #expect(try app.stored().isEmpty)
  }

  @Test func `a purge of a read-only file is an error, and the todo can still be restored`() throws
  {
    let app = try App(in: Context(), gone)
    try app.file.makeReadOnly()

    let answer = app.context.request(RequestPurgeTodoViewModel(row: TodoViewModel(gone)))

    let failure = #expect(throws: Failure.self) { try answer.get() }
    #expect(failure?.userMessage == "The list cannot be changed: its file is read-only.")
    #expect(failure?.code == 1011)
    #expect(try app.stored() == [gone])
    let restore = app.context.request(RequestRestoreTodoViewModel(row: TodoViewModel(gone)))
    #expect(#expect(throws: Failure.self) { try restore.get() }?.code == 1011)
  }

  @Test func `an old row or an open edit brings no purged todo back`() throws {
    let app = try App(in: Context(), gone)
    let row = TodoViewModel(gone)
    let edit = try app.context.request(RequestTodoDetailViewModel(row: row)).get().detail
    _ = try app.context.request(RequestPurgeTodoViewModel(row: row)).get()

    let answers = [
      app.context.request(RequestRestoreTodoViewModel(row: row)),
      app.context.request(RequestDeleteTodoViewModel(row: row)),
      app.context.request(RequestToggleCompleteTodoViewModel(row: row)),
    ]
    let save = app.context.request(RequestUpdateDetailViewModel(detail: edit))

    for answer in answers { #expect(throws: purged(gone.id)) { try answer.get() } }
    #expect(throws: purged(edit.session)) { try save.get() }
    #expect(try app.stored().isEmpty)
    let cancel = app.context.request(RequestCancelDetailViewModel(detail: edit))
    #expect(try cancel.get().outcome == .cancelled)
  }

  @Test func `while a todo is being purged, it cannot be restored`() {
    let test = TestContext()
    test.open(ViewModelServer.counting())
    let answer = ResponsePurgedTodo(id: gone.id)
    test.stub(RequestPurgeTodo.self, [.after(.milliseconds(10), .answer(answer))])
    let purge = RequestPurgeTodoViewModel(row: TodoViewModel(gone))
    let restore = RequestRestoreTodoViewModel(row: TodoViewModel(gone))

    test.send(purge)
    test.send(restore)
    test.expect(purge)
    test.expect(RequestPurgeTodo(id: gone.id))
    test.expect(restore)
    test.expect(purged(gone.id))
    test.expectNothing()

    test.advance(by: .milliseconds(10))
    test.expect(answer)
    test.expect(ResponsePurgedTodoViewModel(list: "home", row: TodoViewModel(gone)))
  }

  @Test func `what another program puts back can be changed again`() throws {
    let app = try App(in: Context(), gone)
    let row = TodoViewModel(gone)
    _ = try app.context.request(RequestPurgeTodoViewModel(row: row)).get()
    let values = "'20', 'home', 20, 'Gone', '', NULL, 'normal', 1, 20, NULL"
    try app.file.run("INSERT INTO todo VALUES (\(values))")
    _ = app.context.request(RequestTodoViewModels(list: "home"))

    _ = try app.context.request(RequestRestoreTodoViewModel(row: row)).get()

    #expect(app.rows.takeChanges() == [.reset, .insert(0..<1)])
    #expect(try app.stored() == [gone.deleted(false)])
  }

  private func purged(_ subject: String) -> Failure {
    Failure(
      "purged", userMessage: "This todo has been removed for good.", subject: subject, code: 1005)
  }

  private func show(_ list: String, of todos: [Todo], in test: TestContext) {
    test.send(RequestTodoViewModels(list: list))
    test.expect(RequestTodoViewModels(list: list))
    test.expect(RequestReadTodos(list: list))
    test.expect(ResponseTodos(list: list, todos: todos))
    test.expect(ResponseTodoViewModels(list: list))
  }
}
