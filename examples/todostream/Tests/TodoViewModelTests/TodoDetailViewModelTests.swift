// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import TodoModel
import TodoViewModel

@Suite("TodoDetailViewModel")
struct TodoDetailViewModelTests {
  let todo = Todo(id: "1", list: "home", createdAt: Moment(microseconds: 10), title: "Milk")
  let now = Moment(microseconds: 50)

  @Test func `it shows an open todo`() {
    let detail = TodoDetailViewModel(todo, session: "s")

    #expect(detail.title == "Milk")
    #expect(detail.subtitle == "")
    #expect(detail.priorityText == "NORMAL")
    #expect(detail.completedText == "Incomplete")
    #expect(detail.deletedActionTitle == "Delete")
  }

  @Test func `toggling changes what it shows`() {
    var detail = TodoDetailViewModel(todo, session: "s")
    detail.togglePriority()
    detail.toggleCompleted()
    detail.toggleDeleted()

    #expect(detail.priorityText == "HIGH")
    #expect(detail.completedText == "Complete")
    #expect(detail.deletedActionTitle == "Restore")
  }

  @Test(
    arguments: [
      { $0.title = "Bread" }, { $0.subtitle = "two" }, { $0.togglePriority() },
      { $0.toggleCompleted() }, { $0.toggleDeleted() },
    ] as [@Sendable (inout TodoDetailViewModel) -> Void])
  func `one field that differs makes it unequal, and it still shows the same todo`(
    flip: @Sendable (inout TodoDetailViewModel) -> Void
  ) {
    let detail = TodoDetailViewModel(todo, session: "s")
    var other = detail
    flip(&other)

    #expect(other != detail)
    #expect(other.id == detail.id)
    #expect(other.edited(todo, at: now) != todo)
  }

  @Test func `what somebody else changed meanwhile stays changed`() {
    var detail = TodoDetailViewModel(todo, session: "s")
    detail.title = "Bread"
    let current = todo.toggled(at: now)

    let edited = detail.edited(current, at: now.next)

    #expect(edited.title == "Bread")
    #expect(edited.completedAt == now)
  }

  @Test func `another session or another todo makes it unequal`() {
    let detail = TodoDetailViewModel(todo, session: "s")

    #expect(detail != TodoDetailViewModel(todo, session: "t"))
    #expect(detail != TodoDetailViewModel(todo.deleted(true), session: "s"))
  }

  @Test(arguments: ["", " ", "\t \u{a0}"])
  func `a title of nothing but spaces is empty`(title: String) {
    var detail = TodoDetailViewModel(todo, session: "s")
    detail.title = title

    #expect(detail.problem == .emptyTitle)
    #expect(detail.problem?.text == "Please add a title.")
  }

  @Test func `a new title leaves a done todo done since then`() {
    let done = todo.toggled(at: now)
    var detail = TodoDetailViewModel(done, session: "s")
    detail.title = "Bread"

    #expect(detail.problem == nil)
    #expect(detail.edited(done, at: now.next).title == "Bread")
    #expect(detail.edited(done, at: now.next).completedAt == now)
  }
}
