// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing
import TodoModel
import TodoServers
import TodoViewModel

@Suite("ViewModelServer")
struct ViewModelServerTests {
  let milk = Todo.made(10, "Milk")

  @Test func `a toggle completes the todo now, and the next one opens it again`() {
    let server = ViewModelServer.counting()

    let write = server.toggle(.init(row: TodoViewModel(milk)))
    let again = server.toggle(.init(row: TodoViewModel(write.todo)))

    #expect(write == RequestWriteTodo(todo: milk.completed(true, at: App.now)))
    #expect(again == RequestWriteTodo(todo: milk))
  }

  @Test func `it asks the model, and nothing else happens before that answers (A-03)`() {
    let complete = milk.completed(true, at: App.now)
    let test = TestContext()
    test.open(ViewModelServer.counting())
    let kept = ResponseTodo(todo: complete)
    test.stub(RequestWriteTodo.self, [.after(.milliseconds(10), .answer(kept))])

    test.send(RequestToggleCompleteTodoViewModel(row: TodoViewModel(milk)))
    test.expect(RequestToggleCompleteTodoViewModel(row: TodoViewModel(milk)))
    test.expect(RequestWriteTodo(todo: complete))
    test.expectNothing()

    test.advance(by: .milliseconds(10))
    test.expect(kept)
    test.expect(ResponseTodoViewModel(list: "home", row: TodoViewModel(complete)))
    test.expectNothing()
  }

  @Test func `delete and restore change nothing else`() {
    var server = ViewModelServer.counting()

    #expect(server.delete(.init(row: TodoViewModel(milk))).todo == milk.deleted(true))
    #expect(server.restore(.init(row: TodoViewModel(milk.deleted(true)))).todo == milk)
  }

  @Test func `an old row does not overwrite what was changed since`() {
    var server = ViewModelServer.counting()
    let renamed = milk.titled("Oat milk")
    _ = server.show(ResponseTodo(todo: renamed))

    let write = server.toggle(.init(row: TodoViewModel(milk)))

    #expect(write.todo == renamed.completed(true, at: App.now))
  }

  @Test func `who asks for the deleted ones is told that these were read`() {
    var server = ViewModelServer.counting()

    let all = server.show(ResponseTodos(list: "home", todos: [milk]))
    let deleted = server.show(ResponseTodos(list: "home", deleted: true, todos: [milk]))

    #expect((all.deleted, deleted.deleted) == (false, true))
  }

  @Test func `new todos have sessions of their own, and each is newer than the last`() {
    var server = ViewModelServer.counting()

    let first = server.new(.init(list: "home")).detail
    let second = server.new(.init(list: "home")).detail

    #expect(first.session != second.session)
    #expect(first.id != second.id)
    #expect(second.todo.precedes(first.todo))
    #expect(first.title.isEmpty)
  }

  @Test func `a new title keeps the time at which the todo was done (A-24)`() throws {
    var server = ViewModelServer.counting()
    let done = milk.completed(true, at: Moment(microseconds: 500))
    var detail = server.detail(.init(row: TodoViewModel(done))).detail
    detail.title = "Oat milk"

    let saved = try server.update(.init(detail: detail))
    let write = server.save(saved)

    #expect(write?.todo.title == "Oat milk")
    #expect(write?.todo.completedAt == Moment(microseconds: 500))
  }

  @Test func `an empty title is an error for its session, which stays open`() throws {
    var server = ViewModelServer.counting()
    var detail = server.new(.init(list: "home")).detail
    detail.title = " \t"

    let expected = Failure(
      "emptyTitle", userMessage: "Please add a title.", subject: detail.session, code: 1001)
    #expect(throws: expected) { try server.update(.init(detail: detail)) }

    detail.title = "Bread"
    #expect(try server.update(.init(detail: detail)).outcome == .saved)
  }

  @Test func `a session is over once it is saved or cancelled`() throws {
    var server = ViewModelServer.counting()
    var detail = server.new(.init(list: "home")).detail
    detail.title = "Bread"

    #expect(try server.cancel(.init(detail: detail)).outcome == .cancelled)
    #expect(throws: Failure.self) { try server.cancel(.init(detail: detail)) }
    #expect(throws: Failure.self) { try server.update(.init(detail: detail)) }
  }

  @Test func `who says that an edit was saved, but is not this server, writes nothing`() {
    var server = ViewModelServer.counting()
    let detail = TodoDetailViewModel(milk, session: "mine")

    let saved = ResponseUpdateDetailViewModel(detail: detail, outcome: .saved)

    #expect(server.save(saved) == nil)
  }

  @Test func `where there is no model, who asks is told`() throws {
    let context = try Context()
    try context.open(ViewModelServer.counting())

    let answer = context.request(RequestToggleCompleteTodoViewModel(row: TodoViewModel(milk)))

    #expect(throws: Failure.self) { try answer.get() }
    #expect(try context.stats().requests == 0)
  }
}
