// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import TodoModel

@Suite("Todo")
struct TodoTests {
  let todo = Todo(id: "1", list: "home", createdAt: Moment(microseconds: 10), title: "Milk")
  let now = Moment(microseconds: 50)

  @Test(
    arguments: [
      { $0.list = "work" }, { $0.createdAt = Moment(microseconds: 11) }, { $0.title = "Bread" },
      { $0.subtitle = "two" }, { $0.completedAt = Moment(microseconds: 12) },
      { $0.priority = .high },
      { $0.isDeleted = true }, { $0.order = 99 }, { $0.place = "B" },
    ] as [@Sendable (inout Todo) -> Void])
  func `one field that differs makes it unequal, and it is still the same todo (A-25)`(
    flip: @Sendable (inout Todo) -> Void
  ) {
    var other = todo
    flip(&other)

    #expect(other != todo)
    #expect(other.id == todo.id)
  }

  @Test func `another id is another todo`() {
    var other = todo
    other.id = "2"

    #expect(other != todo)
    #expect(other.id != todo.id)
  }

  @Test func `toggling completes it now, and opens it again`() {
    let complete = todo.toggled(at: now)

    #expect(complete.completedAt == now)
    #expect(complete.toggled(at: now.next) == todo)
  }

  @Test func `what is done already stays done since then`() {
    let complete = todo.completed(true, at: now)

    #expect(complete.completed(true, at: now.next).completedAt == now)
    #expect(complete.completed(false, at: now.next).completedAt == nil)
  }

  @Test func `deleting changes nothing else`() {
    #expect(todo.deleted(true).isDeleted)
    #expect(todo.deleted(true).deleted(false) == todo)
  }

  @Test func `the newest is first, a place of its own comes before, ids decide the rest`() {
    let older = Todo(id: "a", list: "home", createdAt: Moment(microseconds: 1))
    let twin = Todo(id: "b", list: "home", createdAt: Moment(microseconds: 1))
    let raised = Todo(id: "c", list: "home", createdAt: Moment(microseconds: 0), order: 100)

    let sorted = [twin, todo, older, raised].inListOrder

    #expect(sorted == [raised, todo, older, twin])
  }

  @Test func `keys are compared as bytes, those that are equal by time and id`() {
    var moved = ["b", "Z", "B", "B", "A0", "9", "\u{e9}", "e\u{301}"].map { place in
      Todo(id: place, list: "home", createdAt: todo.createdAt, place: place)
    }
    moved[3].createdAt = moved[2].createdAt.next

    let sorted = (moved + [todo]).inListOrder

    #expect(
      sorted
        == [moved[5], moved[4], todo, moved[3], moved[2], moved[1], moved[0], moved[7], moved[6]])
  }
}
