// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import StoreFiles
import Testing
import TodoModel
import TodoSQLite
import TodoServers
import TodoViewModel

@Suite("A store with a thread of its own")
struct HeldStoreTests {
  /// The order counts, not the time: the patience only ends a test that fails.
  @Test func `while the store is held, what does not need it is answered (A-20)`() throws {
    let milk = Todo.made(10, "Milk")
    let file = try StoreFile()
    try SQLiteStore(path: file.path).write(milk)
    let store = SQLiteStore(path: file.path, patience: Patience(milliseconds: 60_000))
    let context = try Context()
    try context.install(ModelServer(store: store), on: try context.serial("store"))
    try context.open(ViewModelServer.counting())
    var seen: [String] = []
    let log = try context.observe { if !$0.name.contains(".") { seen.append($0.name) } }
    defer { log.cancel() }
    let other = try Connection(path: file.path)
    try other.run("BEGIN EXCLUSIVE")

    try context.send(RequestToggleCompleteTodoViewModel(row: TodoViewModel(milk)))
    _ = try context.request(RequestNewTodoDetailViewModel(list: "home")).get()

    #expect(
      seen == [
        "RequestToggleCompleteTodoViewModel", "RequestWriteTodo",
        "RequestNewTodoDetailViewModel", "ResponseTodoDetailViewModel",
      ])
    try other.run("ROLLBACK")
    while try context.requestCount(of: RequestWriteTodo.self) > 0 { try context.wait() }
    try context.drain()
    #expect(seen.suffix(2) == ["ResponseTodo", "ResponseTodoViewModel"])
  }

  @Test func `what a window asked that is closed meanwhile is kept, and shown`() throws {
    let milk = Todo.made(10, "Milk")
    let file = try StoreFile()
    try SQLiteStore(path: file.path).write(milk)
    let store = SQLiteStore(path: file.path, patience: Patience(milliseconds: 60_000))
    let context = try Context()
    try context.install(ModelServer(store: store), on: try context.serial("store"))
    let owner = try context.open(ViewModelServer.counting())
    let rows = SeenList()
    try rows.bind("rows", of: owner, in: context)
    _ = try context.request(RequestTodoViewModels(list: "home")).get()
    let other = try Connection(path: file.path)
    try other.run("BEGIN EXCLUSIVE")

    let window = try context.scope("window")
    let toggle = RequestToggleCompleteTodoViewModel(row: TodoViewModel(milk))
    let pending = try window.request(toggle) { _, _ in }
    try window.close()

    try other.run("ROLLBACK")
    while try context.requestCount(of: RequestWriteTodo.self) > 0 { try context.wait() }
    try context.drain()
    let kept = try SQLiteStore(path: file.path).todos(in: "home")
    #expect(kept == [milk.completed(true, at: App.now)])
    #expect(rows.rows == kept.map { TodoViewModel($0) })
    withExtendedLifetime(pending) {}
  }

  @Test func `what is asked while the store is held is all kept`() throws {
    let milk = Todo.made(10, "Milk")
    let file = try StoreFile()
    try SQLiteStore(path: file.path).write(milk)
    let store = SQLiteStore(path: file.path, patience: Patience(milliseconds: 60_000))
    let context = try Context()
    try context.install(ModelServer(store: store), on: try context.serial("store"))
    try context.open(ViewModelServer.counting())
    let row = TodoViewModel(milk)
    var detail = try context.request(RequestTodoDetailViewModel(row: row)).get().detail
    detail.title = "Oat milk"
    let other = try Connection(path: file.path)
    try other.run("BEGIN EXCLUSIVE")

    try context.send(RequestUpdateDetailViewModel(detail: detail))
    try context.send(RequestToggleCompleteTodoViewModel(row: row))
    try context.send(RequestDeleteTodoViewModel(row: row))

    try other.run("ROLLBACK")
    while try context.requestCount(of: RequestWriteTodo.self) > 0 { try context.wait() }
    let kept = milk.titled("Oat milk").completed(true, at: App.now).deleted(true)
    #expect(try SQLiteStore(path: file.path).todos(in: "home") == [kept])
  }
}
