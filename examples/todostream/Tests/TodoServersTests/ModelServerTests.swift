// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import StoreFiles
import Testing
import TodoModel
import TodoSQLite
import TodoServers

@Suite("ModelServer")
struct ModelServerTests {
  let file: StoreFile
  let server: ModelServer
  let milk = Todo.made(10, "Milk")

  init() throws {
    file = try StoreFile()
    server = ModelServer(store: SQLiteStore(path: file.path))
  }

  @Test func `what is written is read, newest first, the deleted too`() throws {
    let bread = Todo.made(20, "Bread").deleted(true)
    #expect(try server.write(.init(todo: milk)) == ResponseTodo(todo: milk))
    _ = try server.write(.init(todo: bread))

    let response = try server.read(.init(list: "home", deleted: true))

    #expect(response == ResponseTodos(list: "home", deleted: true, todos: [bread, milk]))
  }

  @Test func `a locked file is an error about the todo, and then it works`() throws {
    _ = try server.read(.init(list: "home"))
    let other = try Connection(path: file.path)
    try other.run("BEGIN EXCLUSIVE")

    let locked = Failure(
      "locked: SQLite 5: database is locked", subject: milk.id, code: 1010)
    #expect(throws: locked) { try server.write(.init(todo: milk)) }

    try other.run("ROLLBACK")
    #expect(try server.write(.init(todo: milk)).todo == milk)
  }

  @Test func `what is purged is read no more`() throws {
    let gone = milk.deleted(true)
    _ = try server.write(.init(todo: gone))

    #expect(try server.purge(.init(id: gone.id)) == ResponsePurgedTodo(id: gone.id))
    #expect(try server.read(.init(list: "home")).todos.isEmpty)
    #expect(try server.purge(.init(id: gone.id)) == ResponsePurgedTodo(id: gone.id))
  }

  @Test func `a purge of a todo that is not deleted is an error about the todo`() throws {
    _ = try server.write(.init(todo: milk))

    let refused = Failure(
      "notDeleted: the todo 10 is not deleted", subject: milk.id, code: 1003)
    #expect(throws: refused) { try server.purge(.init(id: milk.id)) }
    #expect(try server.read(.init(list: "home")).todos == [milk])
  }

  @Test func `a purge in a locked file is an error about the todo, and then it works`() throws {
    _ = try server.write(.init(todo: milk.deleted(true)))
    let other = try Connection(path: file.path)
    try other.run("BEGIN EXCLUSIVE")

    let locked = Failure(
      "locked: SQLite 5: database is locked", subject: milk.id, code: 1010)
    #expect(throws: locked) { try server.purge(.init(id: milk.id)) }

    try other.run("ROLLBACK")
    #expect(try server.purge(.init(id: milk.id)).id == milk.id)
  }

  @Test func `places that cannot be kept are an error about the list`() throws {
    _ = try server.write(.init(todo: milk))
    let request = RequestPlaceTodos(list: "home", places: [TodoPlace(id: milk.id, place: "A")])
    let other = try Connection(path: file.path)
    try other.run("BEGIN EXCLUSIVE")

    let locked = Failure("locked: SQLite 5: database is locked", subject: "home", code: 1010)
    #expect(throws: locked) { try server.place(request) }

    try other.run("ROLLBACK")
    #expect(try server.place(request) == ResponsePlacedTodos(list: "home"))
    #expect(try server.read(.init(list: "home")).todos.map(\.place) == ["A"])
  }

  @Test func `a file that is no list is an error about the list`() throws {
    try file.fill("This is a letter, not a database, and it is long enough to be read as one.")

    let unreadable = Failure(
      "unreadable: SQLite 26: file is not a database", subject: "home", code: 1014)
    #expect(throws: unreadable) { try server.read(.init(list: "home")) }
  }
}
