// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import StoreFiles
import Testing
import TodoModel
import TodoServers
import TodoViewModel

@Suite("A list, from view to file and back")
struct ListTests {
  let milk = Todo.made(10, "Milk")
  let bread = Todo.made(30, "Bread")
  let gone = Todo.made(20, "Gone").deleted(true)

  @Test func `it shows what is not deleted, newest first, and another list is not touched (A-05)`()
    throws
  {
    let call = Todo.made(5, "Call", list: "work")
    let test = TestContext()
    let app = try App(in: test, milk, bread, gone, call)
    test.keep()

    test.send(RequestTodoViewModels(list: "home"))
    test.expect(RequestTodoViewModels(list: "home"))
    test.expect(RequestReadTodos(list: "home"))
    test.expect(ResponseTodos(list: "home", todos: [bread, gone, milk]))
    test.expect(ResponseTodoViewModels(list: "home"))
    test.expectNothing()
    test.expect(try #require(app.shown), "rows", [bread, milk].map(TodoViewModel.init))

    test.send(RequestTodoViewModels(list: "work"))
    test.expect(RequestTodoViewModels(list: "work"))
    test.expect(RequestReadTodos(list: "work"))
    test.expect(ResponseTodos(list: "work", todos: [call]))
    test.expect(ResponseTodoViewModels(list: "work"))
    test.expect(try #require(app.shown), "rows", [TodoViewModel(call)])
    #expect(try app.stored("work") == [call])
  }

  @Test func `a toggle is written and shown, all in one chain (A-04)`() throws {
    let test = TestContext()
    let app = try App(in: test, milk)
    test.keep()
    let complete = milk.completed(true, at: App.now)
    var chain: [UInt64] = []
    let subscription = try app.context.observe {
      if !$0.name.contains(".") { chain.append($0.correlation) }
    }

    test.send(RequestToggleCompleteTodoViewModel(row: TodoViewModel(milk)))
    test.expect(RequestToggleCompleteTodoViewModel(row: TodoViewModel(milk)))
    test.expect(RequestWriteTodo(todo: complete))
    test.expect(ResponseTodo(todo: complete))
    test.expect(ResponseTodoViewModel(list: "home", row: TodoViewModel(complete)))
    test.expectNothing()

    subscription.cancel()
    #expect(chain == Array(repeating: chain[0], count: 4))
    #expect(try app.stored() == [complete])
  }

  @Test func `who asks for a toggle gets its answer`() throws {
    let app = try App(in: Context(), milk)

    let answer = app.context.request(RequestToggleCompleteTodoViewModel(row: TodoViewModel(milk)))

    #expect(try answer.get().row.completeActionTitle == "Uncomplete")
    #expect(try app.context.stats().requests == 0)
    #expect(try app.stored().map(\.isComplete) == [true])
  }

  @Test func `a list that was shown learns where its row changes`() throws {
    let app = try App(in: Context(), milk, bread)
    _ = app.context.request(RequestTodoViewModels(list: "home"))
    #expect(app.rows.takeChanges() == [.reset, .insert(0..<2)])

    _ = app.context.request(RequestDeleteTodoViewModel(row: TodoViewModel(milk)))
    #expect(app.rows.takeChanges() == [.remove(1..<2)])
    _ = app.context.request(RequestRestoreTodoViewModel(row: TodoViewModel(milk)))
    #expect(app.rows.takeChanges() == [.insert(1..<2)])
    _ = app.context.request(RequestToggleCompleteTodoViewModel(row: TodoViewModel(bread)))
    #expect(app.rows.takeChanges() == [.update(0..<1)])

    #expect(app.deletedRows.takeChanges() == [.reset, .insert(0..<1), .remove(0..<1)])
    #expect(try app.stored().map(\.isComplete) == [true, false])
  }

  @Test func `a write that fails is an error, and its observer sees the next one (A-06)`() throws {
    let test = TestContext()
    let app = try App(in: test, milk)
    test.keep()
    let toggle = RequestToggleCompleteTodoViewModel(row: TodoViewModel(milk))
    let complete = milk.completed(true, at: App.now)
    var shown: [Result<ResponseTodoViewModel, Failure>] = []
    let subscription = try app.context.observe(results: ResponseTodoViewModel.self) {
      result, _ in shown.append(result)
    }
    test.send(RequestTodoViewModels(list: "home"))
    test.expect(RequestTodoViewModels(list: "home"))
    test.expect(RequestReadTodos(list: "home"))
    test.expect(ResponseTodos(list: "home", todos: [milk]))
    test.expect(ResponseTodoViewModels(list: "home"))

    let other = try Connection(path: app.file.path)
    try other.run("BEGIN EXCLUSIVE")
    test.send(toggle)
    try other.run("ROLLBACK")
    let message = "locked: SQLite 5: database is locked"
    let forUser = Failure(
      message, userMessage: "Another program is using the list. Please try again.",
      subject: milk.id, code: 1010)
    test.expect(toggle)
    test.expect(RequestWriteTodo(todo: complete))
    test.expect(Failure(message, subject: milk.id, code: 1010))
    test.expect(forUser)
    #expect(try app.stored() == [milk])

    test.send(toggle)
    let response = ResponseTodoViewModel(list: "home", row: TodoViewModel(complete))
    test.expect(toggle)
    test.expect(RequestWriteTodo(todo: complete))
    test.expect(ResponseTodo(todo: complete))
    test.expect(response)
    subscription.cancel()
    #expect(shown == [.failure(forUser), .success(response)])
    #expect(try app.stored() == [complete])
  }

  @Test func `a read that fails is an error for who asked`() throws {
    let app = try App(in: Context())
    try app.file.fill("This is a letter, not a database, and it is long enough to be read as one.")

    let answer = app.context.request(RequestTodoViewModels(list: "home"))

    #expect(throws: Failure.self) { try answer.get() }
    #expect(try app.file.header(at: 0) == UInt8(ascii: "T"))
  }

  @Test func `the servers end with their context`() throws {
    weak var store: EmptyStore?
    do {
      let context = try Context()
      let kept = EmptyStore()
      store = kept
      try context.install(ModelServer(store: kept))
      #expect(try context.request(RequestReadTodos(list: "home")).get().todos.isEmpty)
    }
    #expect(store == nil)
  }
}

/// An empty store that shows when it is released.
private final class EmptyStore: TodoStore {
  func todos(in list: String) throws(StoreError) -> [Todo] { [] }
  func write(_ todo: Todo) throws(StoreError) {}
  func place(_ places: [TodoPlace]) throws(StoreError) {}
  func purge(_ id: Todo.ID) throws(StoreError) {}
}
