// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import StoreFiles
import Testing
import TodoModel
import TodoSQLite

@Suite("A file of version 1")
struct UpgradeTests {
  let file: StoreFile
  let store: SQLiteStore
  let milk = Todo(id: "milk", list: "home", createdAt: Moment(microseconds: 10), title: "Milk")
  let bread = Todo(id: "bread", list: "home", createdAt: Moment(microseconds: 11), title: "Bread")

  init() throws {
    file = try StoreFile()
    store = SQLiteStore(path: file.path)
    // As 0.12 makes it.
    try file.run(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE todo (
        id TEXT PRIMARY KEY NOT NULL, list TEXT NOT NULL, created_at INTEGER NOT NULL,
        title TEXT NOT NULL, subtitle TEXT NOT NULL, completed_at INTEGER, priority TEXT NOT NULL,
        deleted INTEGER NOT NULL, place INTEGER NOT NULL) STRICT;
      CREATE INDEX todo_list ON todo (list);
      PRAGMA user_version = 1;
      INSERT INTO todo VALUES ('milk', 'home', 10, 'Milk', '', NULL, 'normal', 0, 10);
      INSERT INTO todo VALUES ('bread', 'home', 11, 'Bread', '', NULL, 'normal', 0, 11);
      """)
  }

  @Test func `it is upgraded on first use, and nothing in it changes`() throws {
    #expect(try store.todos(in: "home").inListOrder == [bread, milk])
    #expect(try version() == 2)

    try store.place([TodoPlace(id: milk.id, place: "A")])
    let later = SQLiteStore(path: file.path)
    #expect(try later.todos(in: "home").inListOrder.map(\.id) == [milk.id, bread.id])
  }

  @Test func `it may be a move that upgrades it`() throws {
    try store.place([TodoPlace(id: milk.id, place: "A")])

    #expect(try version() == 2)
    #expect(try store.todos(in: "home").inListOrder.map(\.place) == ["A", nil])
  }

  @Test func `one that is read-only is read, and upgraded once it is not`() throws {
    try file.makeReadOnly()

    for _ in 1...2 { #expect(try store.todos(in: "home").inListOrder == [bread, milk]) }
    #expect(reason { try store.write(milk) } == .readOnly)
    #expect(reason { try store.place([TodoPlace(id: milk.id, place: "A")]) } == .readOnly)
    #expect(reason { try store.purge(milk.id) } == .readOnly)
    #expect(try version() == 1)

    try file.makeWritable()
    try store.place([TodoPlace(id: milk.id, place: "A")])
    #expect(try version() == 2)
    #expect(try store.todos(in: "home").inListOrder.map(\.place) == ["A", nil])
  }

  @Test func `one that is locked is read, and upgraded once it is free`() throws {
    let other = try Connection(path: file.path)
    try other.run("BEGIN IMMEDIATE")

    #expect(try store.todos(in: "home").inListOrder == [bread, milk])
    #expect(reason { try store.place([TodoPlace(id: milk.id, place: "A")]) } == .locked)
    #expect(try version() == 1)

    try other.run("ROLLBACK")
    #expect(try store.todos(in: "home").inListOrder == [bread, milk])
    #expect(try version() == 2)
  }

  @Test func `it may be another program that upgrades it`() throws {
    let other = try Connection(path: file.path)
    try other.run("BEGIN IMMEDIATE")
    #expect(try store.todos(in: "home").count == 2)
    try other.run(
      """
      ALTER TABLE todo ADD COLUMN order_key TEXT; PRAGMA user_version = 2;
      UPDATE todo SET order_key = 'A' WHERE id = 'milk'; COMMIT
      """)

    #expect(try store.todos(in: "home").inListOrder.map(\.place) == ["A", nil])
  }

  @Test func `an upgrade that fails leaves the file as it was`() throws {
    try file.run("ALTER TABLE todo ADD COLUMN order_key TEXT")

    #expect(reason { try store.write(milk) } == .failed)
    #expect(try version() == 1)
    #expect(try store.todos(in: "home").inListOrder == [bread, milk])
  }

  /// The file's version, which another program reads.
  private func version() throws -> Int32 {
    try Connection(path: file.path).number(of: "PRAGMA user_version")
  }

  private func reason(_ work: () throws -> Void) -> StoreError.Reason? {
    do {
      try work()
      return nil
    } catch {
      return (error as? StoreError)?.reason
    }
  }
}
