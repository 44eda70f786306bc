// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing
import TodoModel
import TodoServers
import TodoViewModel

/// What the server of view models shows, without a store and without a host.
@Suite("What is on the screen")
struct ShownTests {
  let milk = Todo.made(10, "Milk")
  let bread = Todo.made(20, "Bread")

  @Test func `a list is there when it was read, and follows each change`() {
    let test = TestContext()
    let shown = open(in: test, [milk, bread])
    test.expect(shown, "list", TodoListSummary?.none)
    test.expect(shown, "rows", [TodoViewModel]())

    ask(RequestTodoViewModels(list: "home"), in: test)
    expect(shown, [milk, bread], in: test)

    ask(RequestDeleteTodoViewModel(row: TodoViewModel(milk)), in: test)
    expect(shown, [milk.deleted(true), bread], in: test)
  }

  @Test func `a purged todo is not among the deleted any more`() {
    let test = TestContext()
    let shown = open(in: test, [milk, bread.deleted(true)])
    test.stub(RequestPurgeTodo.self) { ResponsePurgedTodo(id: $0.id) }
    ask(RequestTodoViewModels(list: "home"), in: test)
    expect(shown, [milk, bread.deleted(true)], in: test)

    ask(RequestPurgeTodoViewModel(row: TodoViewModel(bread.deleted(true))), in: test)
    expect(shown, [milk], in: test)
  }

  @Test func `a purge that cannot be kept changes nothing`() {
    let test = TestContext()
    let shown = open(in: test, [bread.deleted(true)])
    test.stub(RequestPurgeTodo.self) { _ in throw Failure("full", code: 1012) }
    ask(RequestTodoViewModels(list: "home"), in: test)
    let purge = RequestPurgeTodoViewModel(row: TodoViewModel(bread.deleted(true)))

    let answer = test.context.request(purge)
    test.skip()

    let text = "The list cannot be changed: the disk is full."
    #expect(#expect(throws: Failure.self) { try answer.get() }?.userMessage == text)
    expect(shown, [bread.deleted(true)], in: test)
  }

  @Test func `what another program purged is gone when the list is read again`() {
    let test = TestContext()
    let shown = test.open(ViewModelServer.counting())
    var todos = [milk, bread.deleted(true)]
    test.stub(RequestReadTodos.self) { ResponseTodos(list: $0.list, todos: todos) }
    ask(RequestTodoViewModels(list: "home"), in: test)

    todos = [milk]
    ask(RequestTodoViewModels(list: "home"), in: test)

    expect(shown, [milk], in: test)
  }

  @Test func `the list on the screen is the one that was read last`() {
    let call = Todo.made(5, "Call", list: "work")
    let test = TestContext()
    let shown = open(in: test, [milk, call])

    ask(RequestTodoViewModels(list: "home"), in: test)
    ask(RequestTodoViewModels(list: "work"), in: test)
    expect(shown, [call], of: "work", in: test)

    ask(RequestDeleteTodoViewModel(row: TodoViewModel(milk)), in: test)
    expect(shown, [call], of: "work", in: test)
  }

  @Test func `a list that cannot be read again stays as it was`() {
    let test = TestContext()
    let shown = open(in: test, [milk], readsOnce: true)

    ask(RequestTodoViewModels(list: "home"), in: test)
    ask(RequestTodoViewModels(list: "home"), in: test)

    expect(shown, [milk], in: test)
  }

  @Test func `an edit is on the screen until it is saved or cancelled`() throws {
    let test = TestContext()
    let shown = open(in: test, [])
    test.expect(shown, "detail", TodoDetailViewModel?.none)

    ask(RequestNewTodoDetailViewModel(list: "home"), in: test)
    var detail = try #require(try shown.value(of: "detail", as: TodoDetailViewModel.self))
    ask(RequestUpdateDetailViewModel(detail: detail), in: test)
    test.expect(shown, "detail", detail)

    detail.title = "Milk"
    ask(RequestUpdateDetailViewModel(detail: detail), in: test)
    test.expect(shown, "detail", TodoDetailViewModel?.none)
  }

  @Test func `behind an edit that is over is the one that was opened before`() throws {
    let test = TestContext()
    let shown = open(in: test, [])
    ask(RequestTodoDetailViewModel(row: TodoViewModel(milk)), in: test)
    let first = try #require(try shown.value(of: "detail", as: TodoDetailViewModel.self))
    ask(RequestTodoDetailViewModel(row: TodoViewModel(bread)), in: test)
    let second = try #require(try shown.value(of: "detail", as: TodoDetailViewModel.self))
    #expect((first.id, second.id) == (milk.id, bread.id))

    ask(RequestCancelDetailViewModel(detail: second), in: test)
    test.expect(shown, "detail", first)
  }

  @Test func `an edit that could not be kept is there again, and says why`() throws {
    let test = TestContext()
    let shown = open(in: test, [], keeps: false)
    ask(RequestTodoDetailViewModel(row: TodoViewModel(milk)), in: test)
    var detail = try #require(try shown.value(of: "detail", as: TodoDetailViewModel.self))
    detail.title = "Oat milk"

    ask(RequestUpdateDetailViewModel(detail: detail), in: test)

    detail.error = "The list cannot be changed: the disk is full."
    test.expect(shown, "detail", detail)
  }

  @Test func `an edit that is being kept can no longer be cancelled`() throws {
    var server = ViewModelServer.counting()
    var detail = server.detail(.init(row: TodoViewModel(milk))).detail
    detail.title = "Oat milk"
    let saved = try server.update(.init(detail: detail))

    #expect(throws: Failure.self) { try server.cancel(.init(detail: detail)) }
    #expect(server.save(saved)?.todo.title == "Oat milk")
  }

  /// The server in a test, above a model that has these todos.
  private func open(
    in test: TestContext, _ todos: [Todo], readsOnce: Bool = false, keeps: Bool = true
  ) -> TestView {
    var reads = 0
    test.stub(RequestReadTodos.self) { request in
      reads += 1
      if readsOnce, reads > 1 { throw Failure("locked", code: 1010) }
      return ResponseTodos(list: request.list, deleted: request.deleted, todos: todos)
    }
    test.stub(RequestWriteTodo.self) { request in
      guard keeps else { throw Failure("full", code: 1012) }
      return ResponseTodo(todo: request.todo)
    }
    return test.open(ViewModelServer.counting())
  }

  /// Asks as a view does; the events are those that other tests expect.
  private func ask<R: Request>(_ request: R, in test: TestContext) {
    _ = test.context.request(request)
    test.skip()
  }

  /// A view must see a list of these todos.
  private func expect(
    _ shown: TestView, _ todos: [Todo], of id: String = "home", in test: TestContext,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let list = TodoListViewModel(id: id, todos: todos)
    test.expect(shown, "rows", list.rows, sourceLocation: sourceLocation)
    test.expect(shown, "deletedRows", list.deletedRows, sourceLocation: sourceLocation)
    test.expect(shown, "list", list.summary, sourceLocation: sourceLocation)
  }
}
