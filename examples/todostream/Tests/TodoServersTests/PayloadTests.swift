// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing
import TodoModel
import TodoServers
import TodoViewModel

@Suite("Payloads, as C and Python read them")
struct PayloadTests {
  let coder = JSONCoder()
  let milk = Todo.made(10, "Milk")

  @Test func `a row has all that is to be shown`() throws {
    let json = String(decoding: try coder.encode(TodoViewModel(milk)), as: UTF8.self)

    #expect(
      json == #"{"complete":false,"completeActionTitle":"Complete","deleted":false,"#
        + #""subtitle":"Priority: NORMAL","title":"Milk","todo":{"createdAt":10,"deleted":false,"#
        + #""id":"10","list":"home","order":10,"priority":"normal","subtitle":"","title":"Milk"}}"#)
  }

  @Test func `a detail has all that is to be shown, and what was edited comes back`() throws {
    var detail = TodoDetailViewModel(milk, session: "s")
    detail.togglePriority()
    detail.toggleCompleted()
    detail.error = "No."

    let bytes = try coder.encode(detail)
    let json = String(decoding: bytes, as: UTF8.self)

    #expect(json.contains(#""completedText":"Complete""#))
    #expect(json.contains(#""priorityText":"HIGH""#))
    #expect(json.contains(#""deletedActionTitle":"Delete""#))
    #expect(try coder.decode(TodoDetailViewModel.self, from: bytes) == detail)
  }

  @Test func `what is shown of a list beside its rows is its id and two lines`() throws {
    let list = TodoListViewModel(id: "home", todos: [milk])

    #expect(
      text(list.summary)
        == #"{"deletedSummary":"Nothing is deleted.","id":"home","summary":"1 of 1 to do"}"#)
    #expect(
      text(ResponseTodoViewModels(list: "home", deleted: true))
        == #"{"deleted":true,"list":"home"}"#)
  }

  @Test func `a purge and an undo say only what they must`() throws {
    let undo = try coder.encode(RequestUndoDeleteTodoViewModel(list: "home"))
    let purged = ResponsePurgedTodoViewModel(list: "home", row: TodoViewModel(milk))

    #expect(String(decoding: undo, as: UTF8.self) == #"{"list":"home"}"#)
    #expect(
      String(decoding: try coder.encode(RequestPurgeTodo(id: "10")), as: UTF8.self)
        == #"{"id":"10"}"#)
    #expect(
      try coder.decode(ResponsePurgedTodoViewModel.self, from: coder.encode(purged)) == purged)
  }

  @Test func `a todo that was moved has its place, and its row does not show it`() throws {
    let moved = milk.placed("AV")
    let todo = text(moved)

    #expect(todo.contains(#""order":10,"place":"AV","priority""#))
    #expect(try coder.decode(Todo.self, from: Array(todo.utf8)) == moved)
    #expect(text(TodoViewModel(moved)) == text(TodoViewModel(milk)))
  }

  @Test func `a move to the end names no other`() throws {
    let move = RequestMoveTodoViewModel(row: TodoViewModel(milk))
    let places = RequestPlaceTodos(list: "home", places: [TodoPlace(id: "10", place: "AV")])

    #expect(!String(decoding: try coder.encode(move), as: UTF8.self).contains("before"))
    let json = #"{"row":\#(text(move.row)),"before":null}"#
    #expect(try coder.decode(RequestMoveTodoViewModel.self, from: Array(json.utf8)) == move)
    #expect(text(places) == #"{"list":"home","places":[{"id":"10","place":"AV"}]}"#)
  }

  private func text(_ value: some Encodable) -> String {
    (try? coder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  @Test func `the deleted ones need not be mentioned`() throws {
    let request = try coder.decode(
      RequestTodoViewModels.self, from: Array(#"{"list":"home"}"#.utf8))

    #expect(request == RequestTodoViewModels(list: "home"))
  }

  @Test func `a view sees the layer of view models only`() {
    let view: [any Event.Type] = [
      RequestTodoViewModels.self, ResponseTodoViewModels.self, ResponseTodoViewModel.self,
      RequestToggleCompleteTodoViewModel.self, RequestDeleteTodoViewModel.self,
      RequestRestoreTodoViewModel.self, RequestUndoDeleteTodoViewModel.self,
      RequestMoveTodoViewModel.self, RequestPurgeTodoViewModel.self,
      ResponsePurgedTodoViewModel.self,
      RequestNewTodoDetailViewModel.self,
      RequestTodoDetailViewModel.self, ResponseTodoDetailViewModel.self,
      RequestUpdateDetailViewModel.self, RequestCancelDetailViewModel.self,
      ResponseUpdateDetailViewModel.self,
    ]
    let model: [any Event.Type] = [
      RequestReadTodos.self, ResponseTodos.self, RequestWriteTodo.self, ResponseTodo.self,
      RequestPlaceTodos.self, ResponsePlacedTodos.self, RequestPurgeTodo.self,
      ResponsePurgedTodo.self,
    ]

    #expect(view.allSatisfy { $0.layer == .viewModel })
    #expect(model.allSatisfy { $0.layer == .model })
  }
}
