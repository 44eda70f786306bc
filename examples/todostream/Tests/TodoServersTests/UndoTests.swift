// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import StoreFiles
import Testing
import TodoModel
import TodoServers
import TodoViewModel

@Suite("Undo of a delete")
struct UndoTests {
  let milk = Todo.made(10, "Milk")
  let bread = Todo.made(20, "Bread")
  let undo = RequestUndoDeleteTodoViewModel(list: "home")

  @Test func `it restores what was deleted last, all in one chain, then the one before`() throws {
    let test = TestContext()
    let app = try App(in: test, milk, bread)
    test.keep()
    for todo in [bread, milk] {
      _ = app.context.request(RequestDeleteTodoViewModel(row: TodoViewModel(todo)))
    }
    test.skip()

    for todo in [milk, bread] {
      test.send(undo)
      test.expect(undo)
      test.expect(RequestWriteTodo(todo: todo))
      test.expect(ResponseTodo(todo: todo))
      test.expect(ResponseTodoViewModel(list: "home", row: TodoViewModel(todo)))
    }
    #expect(try app.stored() == [bread, milk])

    test.send(undo)
    test.expect(undo)
    test.expect(nothing)
    test.expectNothing()
  }

  @Test func `it says where the row is again, and keeps what was changed since`() throws {
    let app = try App(in: Context(), milk, bread)
    _ = app.context.request(RequestTodoViewModels(list: "home"))
    let row = try app.context.request(RequestDeleteTodoViewModel(row: TodoViewModel(milk))).get()
      .row
    _ = try app.context.request(RequestToggleCompleteTodoViewModel(row: row)).get()

    _ = app.rows.takeChanges()

    _ = try app.context.request(undo).get()

    #expect(app.rows.takeChanges() == [.insert(1..<2)])
    #expect(try app.stored() == [bread, milk.completed(true, at: App.now)])
  }

  @Test func `without a delete there is nothing to undo`() throws {
    let app = try App(in: Context(), milk)

    #expect(throws: nothing) { try app.context.request(undo).get() }
  }

  @Test func `each list has its own`() throws {
    let call = Todo.made(5, "Call", list: "work")
    let app = try App(in: Context(), call)
    _ = app.context.request(RequestDeleteTodoViewModel(row: TodoViewModel(call)))

    #expect(throws: nothing) { try app.context.request(undo).get() }
    let work = RequestUndoDeleteTodoViewModel(list: "work")
    #expect(try app.context.request(work).get().row == TodoViewModel(call))
  }

  @Test func `what was restored otherwise is not undone`() throws {
    let app = try App(in: Context(), milk, bread)
    delete([milk, bread], in: app)
    let row = TodoViewModel(bread.deleted(true))
    _ = try app.context.request(RequestRestoreTodoViewModel(row: row)).get()

    #expect(try app.context.request(undo).get().row == TodoViewModel(milk))
    #expect(throws: nothing) { try app.context.request(undo).get() }
  }

  @Test func `a todo that is deleted again is undone once`() throws {
    let app = try App(in: Context(), milk, bread)
    delete([milk, bread, milk], in: app)

    let first = try app.context.request(undo).get()
    #expect(first.row == TodoViewModel(bread))
    #expect(try app.context.request(undo).get().row == TodoViewModel(milk))

    delete([bread], in: app)
    _ = try app.context.request(undo).get()
    delete([bread], in: app)
    #expect(try app.context.request(undo).get().row == TodoViewModel(bread))
    #expect(throws: nothing) { try app.context.request(undo).get() }
  }

  @Test func `a purged todo is not undone, but the one before`() throws {
    let app = try App(in: Context(), milk, bread)
    delete([milk, bread], in: app)
    let row = TodoViewModel(bread.deleted(true))
    _ = try app.context.request(RequestPurgeTodoViewModel(row: row)).get()

    #expect(try app.context.request(undo).get().row == TodoViewModel(milk))
    #expect(throws: nothing) { try app.context.request(undo).get() }
    #expect(try app.stored() == [milk])
  }

  @Test func `what another program restored or purged is not undone`() throws {
    let app = try App(in: Context(), milk, bread)
    delete([milk, bread], in: app)
    try app.file.run("UPDATE todo SET deleted = 0 WHERE id = '10'")
    try app.file.run("DELETE FROM todo WHERE id = '20'")
    _ = app.context.request(RequestTodoViewModels(list: "home"))

    #expect(throws: nothing) { try app.context.request(undo).get() }
    #expect(try app.stored() == [milk])
  }

  @Test func `a delete that fails is not undone, but the one before`() throws {
    let app = try App(in: Context(), milk, bread)
    delete([milk], in: app)
    let other = try Connection(path: app.file.path)
    try other.run("BEGIN EXCLUSIVE")
    delete([bread], in: app)
    try other.run("ROLLBACK")

    #expect(try app.context.request(undo).get().row == TodoViewModel(milk))
    #expect(throws: nothing) { try app.context.request(undo).get() }
  }

  @Test func `an undo that fails says why, and the next one works`() throws {
    let app = try App(in: Context(), milk, bread)
    delete([milk, bread], in: app)
    let other = try Connection(path: app.file.path)
    try other.run("BEGIN EXCLUSIVE")
    let locked = app.context.request(undo)
    try other.run("ROLLBACK")

    let failure = #expect(throws: Failure.self) { try locked.get() }
    #expect(failure?.userMessage == "Another program is using the list. Please try again.")
    #expect(try app.context.request(undo).get().row == TodoViewModel(bread))
    #expect(try app.context.request(undo).get().row == TodoViewModel(milk))
  }

  @Test(arguments: [
    (Status(rawValue: 1011), "The list cannot be changed: its file is read-only."),
    (Status(rawValue: 1012), "The list cannot be changed: the disk is full."),
  ])
  func `an undo that cannot be kept stays the next one`(code: Status, text: String) throws {
    let test = TestContext()
    test.open(ViewModelServer.counting())
    var isFull = false
    test.stub(RequestWriteTodo.self) { request in
      if isFull { throw Failure("refused", code: code) }
      return ResponseTodo(todo: request.todo)
    }
    _ = test.context.request(RequestDeleteTodoViewModel(row: TodoViewModel(milk)))

    isFull = true
    let refused = test.context.request(undo)
    isFull = false
    let restored = test.context.request(undo)
    test.skip()

    #expect(#expect(throws: Failure.self) { try refused.get() }?.userMessage == text)
    #expect(try restored.get().row == TodoViewModel(milk))
  }

  @Test func `an undo before the delete is kept means this delete`() throws {
    let test = TestContext()
    test.open(ViewModelServer.counting())
    test.stub(
      RequestWriteTodo.self,
      [
        .after(.milliseconds(10), .answer(ResponseTodo(todo: milk.deleted(true)))),
        .after(.milliseconds(20), .answer(ResponseTodo(todo: milk))),
      ])
    let delete = RequestDeleteTodoViewModel(row: TodoViewModel(milk))

    test.send(delete)
    test.send(undo)
    test.send(undo)
    test.expect(delete)
    test.expect(RequestWriteTodo(todo: milk.deleted(true)))
    test.expect(undo)
    test.expect(RequestWriteTodo(todo: milk))
    test.expect(undo)
    test.expect(nothing)

    test.advance(by: .milliseconds(20))
    test.expect(ResponseTodo(todo: milk.deleted(true)))
    test.expect(ResponseTodoViewModel(list: "home", row: TodoViewModel(milk.deleted(true))))
    test.expect(ResponseTodo(todo: milk))
    test.expect(ResponseTodoViewModel(list: "home", row: TodoViewModel(milk)))
    test.send(undo)
    test.expect(undo)
    test.expect(nothing)
  }

  private let nothing = Failure(
    "nothingToUndo", userMessage: "There is nothing to undo.", subject: "home", code: 1004)

  private func delete(_ todos: [Todo], in app: App) {
    for todo in todos {
      _ = app.context.request(RequestDeleteTodoViewModel(row: TodoViewModel(todo)))
    }
  }
}
