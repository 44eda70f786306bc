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

  @Test func `it shows the newest first, leaves out the deleted and other lists`() {
    let away = Todo(id: "away", list: "work", createdAt: Moment(microseconds: 40))
    let shown = list([Self.todo(10), Self.todo(30), Self.todo(20).deleted(true), away])

    #expect(shown.rows.map(\.id) == ["30", "10"])
    #expect(shown.summary == "2 of 2 to do")
  }

  @Test func `it can show the deleted ones instead`() {
    let todos = [Self.todo(10), Self.todo(20).deleted(true)]
    let shown = TodoListViewModel(id: "home", todos: todos, deleted: true)

    #expect(shown.rows.map(\.id) == ["20"])
    #expect(shown.summary == "1 deleted")
  }

  @Test func `an empty list says so`() {
    #expect(list([]).summary == "Nothing to do.")
    #expect(
      TodoListViewModel(id: "home", todos: [], deleted: true).summary == "Nothing is deleted.")
  }

  @Test func `what is done counts as done`() {
    let done = Self.todo(10).toggled(at: Moment(microseconds: 50))

    #expect(list([done, Self.todo(20)]).summary == "1 of 2 to do")
  }

  @Test(
    arguments: [
      (todo(25), [.insert(at: 1)]),
      (todo(40), [.insert(at: 0)]),
      (todo(20, "changed"), [.reload(at: 1)]),
      (todo(20, "twenty").deleted(true), [.delete(at: 1)]),
      (todo(25).deleted(true), []),
      (todo(20, "twenty"), []),
    ] as [(Todo, [Change])])
  func `one todo changes the row it must, and nothing else`(todo: Todo, changes: [Change]) {
    var shown = list(three)

    #expect(shown.merge(todo) == changes)
    #expect(shown == list(three.filter { $0.id != todo.id } + [todo]))
  }

  @Test func `an old todo that comes back goes where it was`() {
    var shown = list(three)
    let oldest = Self.todo(10, "ten")

    #expect(shown.merge(oldest.deleted(true)) == [.delete(at: 2)])
    #expect(shown.merge(oldest) == [.insert(at: 2)])
    #expect(shown == list(three))
  }

  @Test func `a row that is removed says where it was, and then nothing`() {
    var shown = list(three)

    #expect(shown.remove("20") == [.delete(at: 1)])
    #expect(shown.rows.map(\.id) == ["30", "10"])
    #expect(shown.remove("20").isEmpty)
  }

  @Test func `a todo with a new place moves`() {
    var shown = list(three)
    var raised = Self.todo(10, "ten")
    raised.order = 100

    #expect(shown.merge(raised) == [.move(from: 2, at: 0)])
    #expect(shown.rows[0].todo == raised)
  }

  @Test(
    arguments: [("10", "A", 2, 0), ("20", "A", 1, 0), ("30", "C", 0, 2)]
      as [(
        String, String, Int, Int
      )])
  func `a todo with an order key moves, even by one place`(
    id: String, key: String, from: Int, at: Int
  ) throws {
    var shown = list(three)
    var moved = try #require(three.first { $0.id == id })
    moved.place = key

    #expect(shown.merge(moved) == [.move(from: from, at: at)])
    #expect(shown.rows[at].todo == moved)
  }

  @Test func `new order keys for all reload no row, and each row has its own`() throws {
    var shown = list(three)
    let places = ["20", "30", "10"].enumerated().map { TodoPlace(id: $1, place: "B\($0 + 1)") }
    let moved = try #require(three.first { $0.id == "20" })

    #expect(shown.merge(moved, places) == [.move(from: 1, at: 0)])
    #expect(shown.rows.map(\.todo.place) == ["B1", "B2", "B3"])
    #expect(shown.merge(shown.rows[0].todo).isEmpty)
  }

  @Test func `what looks as before is not reloaded`() {
    var shown = list(three)
    var keyed = Self.todo(20, "twenty")
    keyed.place = keyed.key

    #expect(shown.merge(keyed).isEmpty)
    #expect(shown.rows[1].todo == keyed)
    keyed.title = "changed"
    #expect(shown.merge(keyed) == [.reload(at: 1)])
  }
}
