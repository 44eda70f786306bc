// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import StoreFiles
import Testing
import TodoModel
import TodoServers
import TodoViewModel

/// What a user does with a todo.
enum Gesture {
  case restore, toggle, delete
  case rename(String)
}

@Suite("What changes in the rows that a view sees")
struct ListChangeTests {
  @Test(
    arguments: [
      (.restore, 25, [.insert(1..<2)], []),
      (.restore, 40, [.insert(0..<1)], []),
      (.restore, 5, [.insert(3..<4)], []),
      (.restore, 20, [], []),
      (.restore, 15, [.insert(2..<3)], [.remove(0..<1)]),
      (.toggle, 20, [.update(1..<2)], []),
      (.toggle, 15, [], [.update(0..<1)]),
      (.rename("other"), 20, [.update(1..<2)], []),
      (.rename("20"), 20, [], []),
      (.delete, 20, [.remove(1..<2)], [.insert(0..<1)]),
      (.delete, 10, [.remove(2..<3)], [.insert(1..<2)]),
      (.delete, 15, [], []),
      (.delete, 25, [], [.insert(0..<1)]),
    ] as [(Gesture, Int64, [RowChange], [RowChange])])
  func `a gesture changes the row it must, and nothing else (A-23)`(
    gesture: Gesture, id: Int64, changes: [RowChange], deletedChanges: [RowChange]
  ) throws {
    let app = try app()

    try make(gesture, of: .init(.made(id, "\(id)")), in: app.context)

    #expect(app.rows.takeChanges() == changes)
    #expect(app.deletedRows.takeChanges() == deletedChanges)
  }

  @Test func `an older todo that is restored goes where it was`() throws {
    let app = try app()
    let row = app.rows.rows[2]
    try make(.delete, of: row, in: app.context)
    #expect(app.rows.takeChanges() == [.remove(2..<3)])

    try make(.restore, of: row, in: app.context)

    #expect(app.rows.takeChanges() == [.insert(2..<3)])
    #expect(app.rows.rows[2] == row)
  }

  @Test func `what another program has changed comes in one event`() throws {
    let app = try app()
    try app.file.run("UPDATE todo SET title = 'other' WHERE id IN ('10', '30')")
    read(app)
    #expect(app.rows.takeChanges() == [.update(0..<1), .update(2..<3)])

    try app.file.run("UPDATE todo SET deleted = NOT deleted WHERE id IN ('15', '30')")
    try app.file.run("UPDATE todo SET order_key = 'A' WHERE id = '10'")
    read(app)
    #expect(app.rows.takeChanges() == [.remove(0..<1), .move(0..<1, to: 1), .insert(2..<3)])
    #expect(app.rows.rows.map(\.id) == ["10", "20", "15"])
    #expect(app.deletedRows.takeChanges() == [.remove(0..<1), .insert(0..<1)])
  }

  @Test func `what is read again as it was is no event`() throws {
    let app = try app()

    read(app)

    #expect(app.rows.takeChanges().isEmpty)
    #expect(app.deletedRows.takeChanges().isEmpty)
  }

  /// The app with the list 30, 20, 10, which was read; 15 is deleted.
  private func app() throws -> App {
    let todos = [30, 20, 10].map { Todo.made($0, "\($0)") }
    let app = try App(in: Context(), todos[0], todos[1], todos[2], .made(15, "15").deleted(true))
    read(app)
    #expect(app.rows.takeChanges() == [.reset, .insert(0..<3)])
    #expect(app.deletedRows.takeChanges() == [.reset, .insert(0..<1)])
    return app
  }

  private func read(_ app: App) {
    _ = app.context.request(RequestTodoViewModels(list: "home"))
  }

  private func make(_ gesture: Gesture, of row: TodoViewModel, in context: Context) throws {
    switch gesture {
    case .restore: _ = try context.request(RequestRestoreTodoViewModel(row: row)).get()
    case .toggle: _ = try context.request(RequestToggleCompleteTodoViewModel(row: row)).get()
    case .delete: _ = try context.request(RequestDeleteTodoViewModel(row: row)).get()
    case .rename(let title):
      var detail = try context.request(RequestTodoDetailViewModel(row: row)).get().detail
      detail.title = title
      _ = try context.request(RequestUpdateDetailViewModel(detail: detail)).get()
    }
  }
}
