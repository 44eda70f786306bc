// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import TodoModel
import TodoViewModel

@Suite("TodoViewModel")
struct TodoViewModelTests {
  let todo = Todo(
    id: "1", list: "home", createdAt: Moment(microseconds: 10), title: "Milk", subtitle: "hidden")

  @Test func `an open todo offers to complete it`() {
    let row = TodoViewModel(todo)

    #expect(row.title == "Milk")
    #expect(row.subtitle == "Priority: NORMAL")
    #expect(!row.isComplete)
    #expect(!row.isDeleted)
    #expect(row.completeActionTitle == "Complete")
  }

  @Test func `a complete urgent todo offers to open it again`() {
    var urgent = todo.toggled(at: Moment(microseconds: 20))
    urgent.priority = .high
    let row = TodoViewModel(urgent.deleted(true))

    #expect(row.subtitle == "Priority: HIGH")
    #expect(row.isComplete)
    #expect(row.isDeleted)
    #expect(row.completeActionTitle == "Uncomplete")
  }

  @Test func `rows of one todo are the same row, and equal only while it is unchanged`() {
    let row = TodoViewModel(todo)
    let deleted = TodoViewModel(todo.deleted(true))

    #expect(row.id == deleted.id)
    #expect(row != deleted)
    #expect(row == TodoViewModel(todo))
  }

  @Test func `an order key is not shown: rows are equal without it`() {
    #expect(TodoViewModel(todo.placed("B")) == TodoViewModel(todo))
    #expect(TodoViewModel(todo.placed("B")).todo.place == "B")
  }
}
