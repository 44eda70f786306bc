// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import TodoModel

/// The table of todos, and how a todo becomes a row and back.
enum TodoTable {
  static let version: Int64 = 2

  static let create = """
    CREATE TABLE todo (
      id TEXT PRIMARY KEY NOT NULL, list TEXT NOT NULL, created_at INTEGER NOT NULL,
      title TEXT NOT NULL, subtitle TEXT NOT NULL, completed_at INTEGER, priority TEXT NOT NULL,
      deleted INTEGER NOT NULL, place INTEGER NOT NULL, order_key TEXT) STRICT;
    CREATE INDEX todo_list ON todo (list);
    PRAGMA user_version = 2;
    """

  /// Makes a file of version 1 one of this version. There, no todo was moved.
  static let upgrade = "ALTER TABLE todo ADD COLUMN order_key TEXT; PRAGMA user_version = 2;"

  static let select = select(key: "order_key")

  /// Reads a file of version 1.
  static let selectOld = select(key: "NULL")

  static let upsert = """
    INSERT INTO todo VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    ON CONFLICT (id) DO UPDATE SET list = ?2, created_at = ?3, title = ?4, subtitle = ?5,
      completed_at = ?6, priority = ?7, deleted = ?8, place = ?9
    """

  static let place = "UPDATE todo SET order_key = ?2 WHERE id = ?1"

  static let purge = "DELETE FROM todo WHERE id = ?1 AND deleted <> 0"

  static let find = "SELECT 1 FROM todo WHERE id = ?1"

  /// Creates the table in a new file and upgrades an old one; refuses a file of a later version.
  static func prepare(_ database: Database) throws(StoreError) {
    if try number(of: database) == version { return }
    try database.transaction { () throws(StoreError) in
      // Another program may have been faster.
      switch try number(of: database) {
      case 0: try database.run(create)
      case 1: try database.run(upgrade)
      default: break
      }
    }
  }

  /// The version of a file; 0: it is new.
  static func number(of database: Database) throws(StoreError) -> Int64 {
    let number = try database.number(of: "PRAGMA user_version")
    guard 0...version ~= number else {
      throw StoreError(.unreadable, "the file has version \(number)")
    }
    return number
  }

  private static func select(key: String) -> String {
    """
    SELECT id, list, created_at, title, subtitle, completed_at, priority, deleted, place, \(key)
    FROM todo WHERE list = ?1
    """
  }

  static func bind(_ todo: Todo, to statement: Statement) throws(StoreError) {
    try check(todo.id, .failed)
    try statement.bind(todo.id, at: 1)
    try statement.bind(todo.list, at: 2)
    try statement.bind(todo.createdAt.microseconds, at: 3)
    try statement.bind(todo.title, at: 4)
    try statement.bind(todo.subtitle, at: 5)
    try statement.bind(todo.completedAt?.microseconds, at: 6)
    try statement.bind(todo.priority.rawValue, at: 7)
    try statement.bind(todo.isDeleted ? 1 : 0, at: 8)
    try statement.bind(todo.order, at: 9)
    try statement.bind(todo.place, at: 10)
  }

  static func todo(in row: Statement) throws(StoreError) -> Todo {
    try check(row.text(at: 0), .unreadable)
    guard let priority = Priority(rawValue: row.text(at: 6)) else {
      throw StoreError(.unreadable, "the todo \(row.text(at: 0)) has no known priority")
    }
    return Todo(
      id: row.text(at: 0), list: row.text(at: 1),
      createdAt: Moment(microseconds: row.number(at: 2)), title: row.text(at: 3),
      subtitle: row.text(at: 4),
      completedAt: row.isNull(at: 5) ? nil : Moment(microseconds: row.number(at: 5)),
      priority: priority, isDeleted: row.number(at: 7) != 0, order: row.number(at: 8),
      place: row.isNull(at: 9) ? nil : row.text(at: 9))
  }

  /// An id is the key of a row that views see.
  private static func check(_ id: Todo.ID, _ reason: StoreError.Reason) throws(StoreError) {
    guard 1...255 ~= id.utf8.count else {
      throw StoreError(reason, "the id \"\(id)\" has not 1 to 255 bytes")
    }
  }
}
