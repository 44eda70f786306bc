// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import StoreFiles
import Testing
import TodoModel
import TodoServers
import TodoViewModel

@Suite("What a query shows of a list")
struct QueryTests {
  let milk = Todo.made(40, "Milk the cow")
  let call = Todo.made(30, "Call Ada")
  let bread = Todo.made(20, "Bread and milk")
  let mail = Todo.made(10, "mail")
  let context: Context
  let app: App

  init() throws {
    context = try Context()
    app = try App(in: context, milk, call, bread, mail)
  }

  private func find(_ text: String) throws -> Query {
    try Query("lower(title) contains lower($text)", values: ["text": .text(text)])
  }

  /// Asks for a list, and returns the ids of the rows then.
  @discardableResult
  private func ask(_ query: Query?, deleted: Bool? = nil) throws -> [String] {
    let request = RequestTodoViewModels(list: "home", deleted: deleted, query: query)
    _ = try context.request(request).get()
    return app.rows.rows.map(\.id)
  }

  private func row(_ todo: Todo) -> TodoViewModel { TodoViewModel(todo) }

  @Test func `without a query, all that is not deleted is in the order of the list (XE-02)`()
    throws
  {
    _ = try ask(nil)
    _ = try context.request(RequestDeleteTodoViewModel(row: row(call))).get()
    #expect(app.rows.rows.map(\.id) == ["40", "20", "10"])
    #expect(app.deletedRows.rows.map(\.id) == ["30"])
    #expect(app.rows.total == 3 && app.deletedRows.total == 1)
  }

  @Test func `a query selects, sorts and cuts both parts of the list (E-009)`() throws {
    #expect(try ask(find("MILK")) == ["40", "20"])
    #expect(try ask(find("' or $text")) == [])
    #expect(try ask(Query(sort: ["lower(title)"])) == ["20", "30", "10", "40"])
    #expect(try ask(Query(sort: ["lower(title)"], offset: 1, limit: 2)) == ["30", "10"])
    #expect(app.rows.offset == 1 && app.rows.total == 4)
    _ = try context.request(RequestDeleteTodoViewModel(row: row(bread))).get()
    #expect(try ask(find("milk"), deleted: true) == ["40"])
    #expect(app.deletedRows.rows.map(\.id) == ["20"])
    #expect(try ask(nil) == ["40", "30", "10"])
    #expect(app.rows.offset == 0 && app.rows.total == 3)
  }

  @Test func `a todo leaves the rows when it stops matching, and comes when it matches`() throws {
    _ = try ask(Query("not complete", limit: 3))
    #expect(app.rows.rows.map(\.id) == ["40", "30", "20"] && app.rows.total == 4)
    _ = app.rows.takeChanges()
    _ = try context.request(RequestToggleCompleteTodoViewModel(row: row(call))).get()
    #expect(app.rows.rows.map(\.id) == ["40", "20", "10"] && app.rows.total == 3)
    #expect(app.rows.takeChanges() == [.remove(1..<2), .insert(2..<3)])
    let done = try #require(try app.stored().first { $0.id == "30" })
    _ = try context.request(RequestToggleCompleteTodoViewModel(row: row(done))).get()
    #expect(app.rows.rows.map(\.id) == ["40", "30", "20"] && app.rows.total == 4)
  }

  @Test func `a move is refused while a query is shown, and says what to do`() throws {
    let move = RequestMoveTodoViewModel(row: row(mail), before: row(milk))
    _ = try ask(Query(sort: ["lower(title)"]))
    let refused = context.request(move)
    let failure = #expect(throws: Failure.self) { try refused.get() }
    #expect(failure?.userMessage == "To move a todo, show the whole list in its own order.")
    #expect(failure?.code.rawValue == 1007)
    _ = try ask(nil)
    _ = try context.request(move).get()
    #expect(app.rows.rows.map(\.id) == ["10", "40", "30", "20"])
  }

  @Test func `a query that does not fit rows is refused, and the one before stays`() throws {
    _ = try ask(find("milk"))
    for query in [try Query(sort: ["todo"]), try Query("todo = 'a'")] {
      let refused = context.request(RequestTodoViewModels(list: "home", query: query))
      let failure = #expect(throws: Failure.self) { try refused.get() }
      #expect(failure?.userMessage == "The list cannot be searched or sorted like this.")
    }
    #expect(app.rows.rows.map(\.id) == ["40", "20"])
  }
}
