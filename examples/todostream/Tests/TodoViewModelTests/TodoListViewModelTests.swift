// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import TodoModel
import TodoViewModel

@Suite("TodoListViewModel")
struct TodoListViewModelTests {
  static func todo(_ time: Int64, _ title: String = "") -> Todo {
    Todo(id: "\(time)", list: "home", createdAt: Moment(microseconds: time), title: title)
  }

  let three = [todo(10, "ten"), todo(30, "thirty"), todo(20, "twenty")]

  func list(_ todos: [Todo]) -> TodoListViewModel {
    TodoListViewModel(id: "home", todos: todos)
  }

  @Test func `it shows the newest first, and leaves out other lists`() {
    let away = Todo(id: "away", list: "work", createdAt: Moment(microseconds: 40))
    let shown = list([Self.todo(10), Self.todo(30), Self.todo(20).deleted(true), away])

    #expect(shown.rows.map(\.id) == ["30", "10"])
    #expect(shown.deletedRows.map(\.id) == ["20"])
    #expect(shown.summary.summary == "2 of 2 to do")
    #expect(shown.summary.deletedSummary == "1 deleted")
  }

  @Test func `an empty list says so`() {
    #expect(list([]).summary.summary == "Nothing to do.")
    #expect(list([]).summary.deletedSummary == "Nothing is deleted.")
  }

  @Test func `what is done counts as done`() {
    let done = Self.todo(10).toggled(at: Moment(microseconds: 50))

    #expect(list([done, Self.todo(20)]).summary.summary == "1 of 2 to do")
  }

  @Test(
    arguments: [
      todo(25), todo(40), todo(5), todo(20, "changed"), todo(20, "twenty").deleted(true),
      todo(25).deleted(true), todo(20, "twenty"), todo(20).toggled(at: Moment(microseconds: 50)),
      todo(10).placed("A"), todo(30).placed("C"),
    ])
  func `a list with a todo merged in is the list of all todos`(todo: Todo) {
    var shown = list(three)
    let old = three.first { $0.id == todo.id }

    shown.merge(todo, replacing: old)

    let others = three.filter { $0.id != todo.id }
    #expect(shown == list(others + [todo]))
    shown.remove(todo)
    #expect(shown == list(others))
    shown.remove(todo)
    #expect(shown == list(others))
    if let old { shown.merge(old, replacing: nil) }
    #expect(shown == list(three))
  }

  @Test func `a todo with another place of its creation moves`() {
    var shown = list(three)
    var raised = three[0]
    raised.order = 100

    shown.merge(raised, replacing: three[0])

    #expect(shown.rows.map(\.id) == ["10", "30", "20"])
  }

  @Test func `a todo of another list leaves this one`() {
    var shown = list(three)
    var away = three[0]
    away.list = "work"

    shown.merge(away, replacing: three[0])

    #expect(shown == list(Array(three.dropFirst())))
  }
}
