// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import StoreFiles
import Testing
import TodoModel
import TodoSQLite
import TodoServers
import TodoViewModel

/// A host's validator that answers when a test says so, as one on another machine would.
private final class Validator {
  var asked: [Reply<RequestValidateDetailViewModel>] = []

  func agree() throws { try asked.removeFirst().respond(ResponseValidateDetailViewModel()) }

  func refuse() throws {
    try asked.removeFirst().fail(Failure("taken", userMessage: "This title is taken.", code: 2001))
  }
}

private struct ValidatorServer: Server {
  let validator: Validator

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestValidateDetailViewModel.self) { server, _, delivery in
      server.validator.asked.append(try delivery.reply(to: RequestValidateDetailViewModel.self))
      return []
    }
  }
}

@Suite("Validation by the host, which answers later (E-075)")
struct ValidationTests {
  private let milk = Todo.made(10, "Milk")
  private var named: TodoDetailViewModel {
    var detail = TodoDetailViewModel(milk, session: "id-1")
    detail.title = "Oat milk"
    return detail
  }

  @Test func `an edit is kept when the validator agrees, and not before`() throws {
    let (test, app, validator) = try opened()
    test.send(RequestUpdateDetailViewModel(detail: named))
    test.expect(RequestUpdateDetailViewModel(detail: named))
    test.expect(RequestValidateDetailViewModel(detail: named))
    test.expectNothing()
    #expect(try app.stored() == [milk])

    try validator.agree()
    test.expect(ResponseValidateDetailViewModel())
    test.expect(ResponseUpdateDetailViewModel(detail: named, outcome: .saved))
    test.expect(RequestWriteTodo(todo: milk.titled("Oat milk")))
    test.expect(ResponseTodo(todo: milk.titled("Oat milk")))
    test.expect(
      ResponseTodoViewModel(list: "home", row: TodoViewModel(milk.titled("Oat milk"))))
    #expect(try app.stored() == [milk.titled("Oat milk")])
  }

  @Test func `a refusal is the answer, and the session stays open`() throws {
    let (test, app, validator) = try opened()
    let refusal = Failure(
      "taken", userMessage: "This title is taken.", subject: "id-1", code: 2001)
    for _ in 1...2 {
      test.send(RequestUpdateDetailViewModel(detail: named))
      test.expect(RequestUpdateDetailViewModel(detail: named))
      test.expect(RequestValidateDetailViewModel(detail: named))
      try validator.refuse()
      test.expect(Failure("taken", userMessage: "This title is taken.", code: 2001))
      test.expect(refusal)
      test.expectNothing()
    }
    #expect(try app.stored() == [milk])
  }

  @Test func `what is wrong without it is not asked, and what is over meanwhile stays over`() throws
  {
    let (test, app, validator) = try opened()
    var empty = named
    empty.title = " "
    test.send(RequestUpdateDetailViewModel(detail: empty))
    test.expect(RequestUpdateDetailViewModel(detail: empty))
    test.expect(
      Failure("emptyTitle", userMessage: "Please add a title.", subject: "id-1", code: 1001))
    #expect(validator.asked.isEmpty)

    test.send(RequestUpdateDetailViewModel(detail: named))
    test.send(RequestCancelDetailViewModel(detail: named))
    test.expect(RequestUpdateDetailViewModel(detail: named))
    test.expect(RequestValidateDetailViewModel(detail: named))
    test.expect(RequestCancelDetailViewModel(detail: named))
    test.expect(ResponseUpdateDetailViewModel(detail: named, outcome: .cancelled))
    try validator.agree()
    test.expect(ResponseValidateDetailViewModel())
    test.expect(
      Failure(
        "closedSession", userMessage: "This todo is not being edited any more.", subject: "id-1",
        code: 1002))
    test.expectNothing()
    #expect(try app.stored() == [milk])
  }

  @Test func `without a validator the user is told to try again`() throws {
    let (context, file) = (try Context(), try StoreFile())
    let store = SQLiteStore(path: file.path)
    try store.write(milk)
    try context.install(ModelServer(store: store))
    let app = try context.open(ViewModelServer.counting(validates: true))
    try context.send(RequestTodoDetailViewModel(row: TodoViewModel(milk)))
    var told: Failure?
    let answer = context.request(RequestUpdateDetailViewModel(detail: named))
    if case .failure(let failure) = answer { told = failure }
    #expect(told?.userMessage == "The todo could not be checked. Please try again.")
    #expect(told?.code.rawValue == 1009)
    #expect(told?.subject == "id-1")
    #expect(try store.todos(in: "home") == [milk])
    withExtendedLifetime(app) {}
  }

  /// The app with a validator and an open edit session.
  private func opened() throws -> (TestContext, App, Validator) {
    let test = TestContext()
    let app = try App(in: test, validates: true, milk)
    let validator = Validator()
    try test.context.install(ValidatorServer(validator: validator))
    test.keep()
    let detail = TodoDetailViewModel(milk, session: "id-1")
    test.send(RequestTodoDetailViewModel(row: TodoViewModel(milk)))
    test.expect(RequestTodoDetailViewModel(row: TodoViewModel(milk)))
    test.expect(ResponseTodoDetailViewModel(detail: detail))
    return (test, app, validator)
  }
}
