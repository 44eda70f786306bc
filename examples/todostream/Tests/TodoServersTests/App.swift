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

/// The app in a test: both servers on a real file, a clock that stands still, ids that count.
struct App {
  static let now = Moment(microseconds: 1000)

  let file: StoreFile
  let context: Context
  /// What a view sees, in a test's context.
  private(set) var shown: TestView?
  /// What a view sees of the rows, in another context.
  let rows = SeenList()
  /// What it sees of the rows of deleted todos.
  let deletedRows = SeenList()

  /// The app in a context, with some todos in its file.
  init(in context: Context, _ todos: Todo...) throws {
    try self.init(in: context, on: StoreFile(), todos)
  }

  /// The app in a context, on a file that may be there.
  init(in context: Context, on file: StoreFile, _ todos: [Todo] = []) throws {
    try self.init(context, file, todos)
    let shown = try context.open(ViewModelServer.counting())
    try rows.bind("rows", of: shown, in: context)
    try deletedRows.bind("deletedRows", of: shown, in: context)
  }

  /// The app in a test, which need not expect what it shows.
  init(in test: TestContext, validates: Bool = false, _ todos: Todo...) throws {
    try self.init(test.context, StoreFile(), todos)
    shown = test.open(ViewModelServer.counting(validates: validates))
  }

  private init(_ context: Context, _ file: StoreFile, _ todos: [Todo]) throws {
    (self.context, self.file) = (context, file)
    let store = SQLiteStore(path: file.path)
    for todo in todos { try store.write(todo) }
    try context.install(ModelServer(store: SQLiteStore(path: file.path)))
  }

  /// The todos of a list in the file, read through another store.
  func stored(_ list: String = "home") throws -> [Todo] {
    try SQLiteStore(path: file.path).todos(in: list).inListOrder
  }
}

/// What a view sees of a list.
final class SeenList {
  private(set) var rows: [TodoViewModel] = []
  /// Which part of what was found they are.
  private(set) var offset = 0
  private(set) var total = 0
  private var changes: [RowChange] = []
  private var binding: Binding?

  /// Sees a list of an owner from now on.
  func bind(_ name: String, of owner: Context, in context: Context) throws {
    binding = try context.bind(to: owner) { [self] in
      $0.show(name) { [self] (rows: Rows<TodoViewModel>) in
        self.rows = Array(rows)
        (offset, total) = (rows.offset, rows.total)
        changes += rows.changes
      }
    }
  }

  /// What has changed since the last call.
  func takeChanges() -> [RowChange] {
    defer { changes = [] }
    return changes
  }
}

extension Todo {
  /// A todo of the list "home" made at a given time, which is also its id.
  static func made(_ time: Int64, _ title: String, list: String = "home") -> Todo {
    Todo(id: "\(time)", list: list, createdAt: Moment(microseconds: time), title: title)
  }

  /// The same todo with another title.
  func titled(_ title: String) -> Todo {
    var todo = self
    todo.title = title
    return todo
  }
}

extension ViewModelServer {
  /// A server whose clock stands still and whose ids are 1, 2, 3 …
  static func counting(now: Moment = App.now, validates: Bool = false) -> ViewModelServer {
    var last = 0
    return ViewModelServer(
      now: { now },
      makeId: {
        last += 1
        return "id-\(last)"
      }, validates: validates)
  }
}
