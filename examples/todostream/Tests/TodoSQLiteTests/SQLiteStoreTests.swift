// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import StoreFiles
import Testing
import TodoModel
import TodoSQLite

@Suite("SQLiteStore")
struct SQLiteStoreTests {
  let file: StoreFile
  let store: SQLiteStore
  let milk = Todo(
    id: "milk", list: "home", createdAt: Moment(microseconds: 10), title: "Milk 🥛",
    subtitle: "two", completedAt: Moment(microseconds: 20), priority: .high, isDeleted: true,
    order: -7)
  let bread = Todo(id: "bread", list: "home", createdAt: Moment(microseconds: 11), title: "Bread")

  init() throws {
    file = try StoreFile()
    store = SQLiteStore(path: file.path)
  }

  @Test func `the file is made on first use`() throws {
    #expect(!file.exists)
    #expect(try store.todos(in: "home").isEmpty)
    #expect(file.exists)
  }

  @Test func `every field comes back, also from a later store`() throws {
    try store.write(milk)
    try store.write(bread)

    let later = SQLiteStore(path: file.path)

    #expect(try store.todos(in: "home").inListOrder == [bread, milk])
    #expect(try later.todos(in: "home").inListOrder == [bread, milk])
  }

  @Test func `a text with a zero byte comes back whole`() throws {
    var odd = bread
    odd.title = "a\0b"
    try store.write(odd)

    #expect(try store.todos(in: "home") == [odd])
  }

  @Test func `a known id is replaced`() throws {
    try store.write(milk)
    var changed = milk
    changed.title = "Oat milk"
    changed.completedAt = nil
    try store.write(changed)

    #expect(try store.todos(in: "home") == [changed])
  }

  @Test func `lists are kept apart`() throws {
    try store.write(milk)

    #expect(try store.todos(in: "work").isEmpty)
  }

  @Test func `the file has a write-ahead log`() throws {
    try store.write(milk)
    let version = try file.header(at: 18)

    #expect(version == 2)
  }

  @Test func `a locked file refuses a write, is still read, and the next write works`() throws {
    try store.write(milk)
    let other = try Connection(path: file.path)
    try other.run("BEGIN EXCLUSIVE")

    #expect(reason { try store.write(bread) } == .locked)
    #expect(try store.todos(in: "home") == [milk])

    try other.run("ROLLBACK")
    try store.write(bread)
    #expect(try store.todos(in: "home").inListOrder == [bread, milk])
  }

  @Test func `a file that is locked from the start is opened once it is free`() throws {
    let other = try Connection(path: file.path)
    try other.run("BEGIN EXCLUSIVE")

    #expect(reason { try store.write(bread) } == .locked)
    #expect(reason { _ = try store.todos(in: "home") } == .locked)

    try other.run("ROLLBACK")
    try store.write(bread)
    #expect(try store.todos(in: "home") == [bread])
  }

  @Test func `a read-only file refuses a write and is still read`() throws {
    try SQLiteStore(path: file.path).write(milk)
    try file.makeReadOnly()

    #expect(reason { try store.write(bread) } == .readOnly)
    #expect(try store.todos(in: "home") == [milk])

    try file.makeWritable()
    let later = SQLiteStore(path: file.path)
    try later.write(bread)
    #expect(try later.todos(in: "home").inListOrder == [bread, milk])
  }

  @Test func `a read-only file without a write-ahead log is still read`() throws {
    try SQLiteStore(path: file.path).write(milk)
    try file.run("PRAGMA journal_mode = DELETE")
    try file.makeReadOnly()

    #expect(try store.todos(in: "home") == [milk])
    #expect(reason { try store.write(bread) } == .readOnly)
  }

  @Test func `a file that cannot be made is an error at each call`() {
    let nowhere = SQLiteStore(path: file.path + "/no/folder")

    #expect(reason { try nowhere.write(milk) } == .unavailable)
    #expect(reason { _ = try nowhere.todos(in: "home") } == .unavailable)
  }

  @Test func `a file that is no database is refused and left alone`() throws {
    try file.fill("This is a letter, not a database, and it is long enough to be read as one.")

    #expect(reason { try store.write(milk) } == .unreadable)
    #expect(try file.header(at: 0) == UInt8(ascii: "T"))
  }

  @Test func `a file of a later version is refused`() throws {
    try store.write(milk)
    try file.run("PRAGMA user_version = 3")

    #expect(reason { try SQLiteStore(path: file.path).write(bread) } == .unreadable)
  }

  @Test func `a row that is no todo is an error, not a guess`() throws {
    try store.write(milk)
    try file.run("UPDATE todo SET priority = 'maybe'")

    #expect(reason { _ = try store.todos(in: "home") } == .unreadable)
  }

  @Test(arguments: [0, 256])
  func `an id that is no key of a list is refused, and is not read`(size: Int) throws {
    let id = String(repeating: "x", count: size)
    let wrong = Todo(id: id, list: "home", createdAt: milk.createdAt)

    #expect(reason { try store.write(wrong) } == .failed)
    try store.write(milk)
    #expect(try store.todos(in: "home") == [milk])
    try file.run("UPDATE todo SET id = '\(id)'")
    #expect(reason { _ = try store.todos(in: "home") } == .unreadable)
  }

  @Test func `a deleted todo is purged from the file, and the others stay`() throws {
    try store.write(milk)
    try store.write(bread)

    try store.purge(milk.id)

    #expect(try store.todos(in: "home") == [bread])
    #expect(try SQLiteStore(path: file.path).todos(in: "home") == [bread])
  }

  @Test func `a todo that is not deleted is not purged`() throws {
    try store.write(bread)

    #expect(reason { try store.purge(bread.id) } == .notDeleted)
    #expect(try store.todos(in: "home") == [bread])
  }

  @Test func `to purge a todo that is not there is no error`() throws {
    try store.purge("nobody")
    try store.write(milk)
    try store.purge(milk.id)
    try store.purge(milk.id)

    #expect(try store.todos(in: "home").isEmpty)
  }

  @Test func `a locked file refuses a purge, and the next one works`() throws {
    try store.write(milk)
    let other = try Connection(path: file.path)
    try other.run("BEGIN EXCLUSIVE")

    #expect(reason { try store.purge(milk.id) } == .locked)
    #expect(try store.todos(in: "home") == [milk])

    try other.run("ROLLBACK")
    try store.purge(milk.id)
    #expect(try store.todos(in: "home").isEmpty)
  }

  @Test func `a read-only file refuses a purge`() throws {
    try SQLiteStore(path: file.path).write(milk)
    try file.makeReadOnly()

    #expect(reason { try store.purge(milk.id) } == .readOnly)
    #expect(try store.todos(in: "home") == [milk])
  }

  @Test func `a file that cannot be made refuses a purge`() {
    let nowhere = SQLiteStore(path: file.path + "/no/folder")

    #expect(reason { try nowhere.purge(milk.id) } == .unavailable)
  }

  @Test func `a place is kept, and nothing else of a todo changes`() throws {
    try store.write(milk)
    try store.write(bread)

    try store.place([TodoPlace(id: milk.id, place: "A"), TodoPlace(id: "nobody", place: "B")])

    var moved = milk
    moved.place = "A"
    #expect(try store.todos(in: "home").inListOrder == [moved, bread])
    #expect(try SQLiteStore(path: file.path).todos(in: "home").inListOrder == [moved, bread])
  }

  @Test func `a write keeps the place of a todo that is kept already`() throws {
    var moved = milk
    moved.place = "A"
    try store.write(moved)
    try store.write(milk.toggled(at: Moment(microseconds: 30)))

    #expect(try store.todos(in: "home") == [moved.toggled(at: Moment(microseconds: 30))])
  }

  @Test func `places are kept all or none`() throws {
    try store.write(milk)
    try store.write(bread)
    try file.run(
      """
      CREATE TRIGGER refuse BEFORE UPDATE ON todo WHEN NEW.id = 'milk'
      BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    let places = [TodoPlace(id: bread.id, place: "C"), TodoPlace(id: milk.id, place: "B")]

    #expect(reason { try store.place(places) } == .failed)
    #expect(try store.todos(in: "home").inListOrder == [bread, milk])

    try file.run("DROP TRIGGER refuse")
    try store.place(places)
    #expect(try store.todos(in: "home").inListOrder.map(\.place) == ["B", "C"])
  }

  @Test func `a locked file refuses places, and the next ones are kept`() throws {
    try store.write(milk)
    let other = try Connection(path: file.path)
    try other.run("BEGIN EXCLUSIVE")

    #expect(reason { try store.place([TodoPlace(id: milk.id, place: "A")]) } == .locked)
    #expect(try store.todos(in: "home") == [milk])

    try other.run("ROLLBACK")
    try store.place([TodoPlace(id: milk.id, place: "A")])
    #expect(try store.todos(in: "home").map(\.place) == ["A"])
  }

  @Test func `a read-only file refuses places`() throws {
    try SQLiteStore(path: file.path).write(milk)
    try file.makeReadOnly()

    #expect(reason { try store.place([TodoPlace(id: milk.id, place: "A")]) } == .readOnly)
    #expect(try store.todos(in: "home") == [milk])
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
