// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import TodoModel

/// A todo store in one SQLite file, opened or created on first use.
///
/// A failed call leaves the file as it was. The next call tries again, and opens the file again if it must. A store is
/// for one thread at a time: its server calls it from one handler at a time. Servers on different schedulers do not
/// share one.
public final class SQLiteStore: TodoStore, @unchecked Sendable {
  // Unchecked: a store belongs to the server it is given to, which makes one call at a time, on whatever thread.
  private let path: String
  private let patience: Patience
  private var database: Database?

  /// Creates a store for the file at `path`. Nothing is opened yet.
  public init(path: String, patience: Patience = Patience()) {
    self.path = path
    self.patience = patience
  }

  public func todos(in list: String) throws(StoreError) -> [Todo] {
    let (database, select) = try readable()
    let statement = try database.statement(select)
    defer { withExtendedLifetime(database) { statement.reset() } }
    try statement.bind(list, at: 1)
    var todos: [Todo] = []
    while try statement.step() { todos.append(try TodoTable.todo(in: statement)) }
    return todos
  }

  public func write(_ todo: Todo) throws(StoreError) {
    let statement = try opened().statement(TodoTable.upsert)
    defer { statement.reset() }
    try TodoTable.bind(todo, to: statement)
    _ = try statement.step()
  }

  public func place(_ places: [TodoPlace]) throws(StoreError) {
    let database = try opened()
    try database.transaction { () throws(StoreError) in
      for place in places {
        let statement = try database.statement(TodoTable.place)
        defer { statement.reset() }
        try statement.bind(place.id, at: 1)
        try statement.bind(place.place, at: 2)
        _ = try statement.step()
      }
    }
  }

  public func purge(_ id: Todo.ID) throws(StoreError) {
    _ = try step(TodoTable.purge, id)
    // What is still there was not deleted, whatever another program does meanwhile.
    guard try step(TodoTable.find, id) else { return }
    throw StoreError(.notDeleted, "the todo \(id) is not deleted")
  }

  /// Whether a statement about one todo returns a row.
  private func step(_ text: String, _ id: Todo.ID) throws(StoreError) -> Bool {
    let statement = try opened().statement(text)
    defer { statement.reset() }
    try statement.bind(id, at: 1)
    return try statement.step()
  }

  private func opened() throws(StoreError) -> Database {
    if let database { return database }
    let database = try Database(path: path, patience: patience)
    try TodoTable.prepare(database)
    self.database = database
    return database
  }

  /// The file to read, and how. One of version 1 that cannot be upgraded is read as it is; the next call tries again.
  private func readable() throws(StoreError) -> (database: Database, select: String) {
    if let database { return (database, TodoTable.select) }
    let database = try Database(path: path, patience: patience)
    do throws(StoreError) {
      try TodoTable.prepare(database)
      self.database = database
      return (database, TodoTable.select)
    } catch {
      try database.run("BEGIN")  // Until it is read, no other program upgrades it.
      guard try TodoTable.number(of: database) == 1 else { throw error }
      return (database, TodoTable.selectOld)
    }
  }
}
