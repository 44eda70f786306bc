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

@Suite("A move, from view to file and back")
struct MoveTests {
  let todos = [40, 30, 20, 10].map { Todo.made($0, "\($0)") }
  let ids = ["40", "30", "20", "10"]

  @Test func `a todo goes in front of another one, all in one chain (E-091)`() throws {
    let test = TestContext()
    let app = try App(in: test, todos[0], todos[1], todos[2], todos[3])
    test.keep()
    read(in: app)
    test.skip()
    var chain: [UInt64] = []
    let subscription = try app.context.observe {
      if !$0.name.contains(".") { chain.append($0.correlation) }
    }
    let key = try #require(OrderKey.between(todos[0].key, todos[1].key))
    let moved = todos[3].placed(key)
    let move = RequestMoveTodoViewModel(row: TodoViewModel(todos[3]), before: .init(todos[1]))

    test.send(move)
    test.expect(move)
    test.expect(RequestPlaceTodos(list: "home", places: [TodoPlace(id: "10", place: key)]))
    test.expect(ResponsePlacedTodos(list: "home"))
    test.expect(
      ResponseTodoViewModel(list: "home", row: TodoViewModel(moved)))
    test.expectNothing()

    subscription.cancel()
    #expect(chain == Array(repeating: chain[0], count: 4))
    #expect(try app.stored() == [todos[0], moved, todos[1], todos[2]])
  }

  @Test(
    arguments: [
      (3, 0, ["10", "40", "30", "20"], .move(3..<4, to: 0)),
      (1, 0, ["30", "40", "20", "10"], .move(0..<1, to: 1)),
      (0, 2, ["30", "40", "20", "10"], .move(0..<1, to: 1)),
      (0, nil, ["30", "20", "10", "40"], .move(0..<1, to: 3)),
      (2, nil, ["40", "30", "10", "20"], .move(2..<3, to: 3)),
    ] as [(Int, Int?, [String], RowChange)])
  func `one row moves, and the answer has that of the todo`(
    from: Int, before: Int?, ids: [String], change: RowChange
  ) throws {
    let app = try app()

    let answer = try move(todos[from], before: before.map { todos[$0] }, in: app)

    #expect(answer.row.id == todos[from].id)
    #expect(app.rows.takeChanges() == [change])
    #expect(app.rows.rows.map(\.id) == ids)
    #expect(try app.stored().map(\.id) == ids)
    #expect(read(in: app) == ids)
  }

  @Test(arguments: [(1, 1), (1, 2), (3, nil)] as [(Int, Int?)])
  func `a todo that is there already writes nothing`(from: Int, before: Int?) throws {
    let app = try app()
    try app.file.makeReadOnly()

    _ = try move(todos[from], before: before.map { todos[$0] }, in: app)

    #expect(app.rows.takeChanges().isEmpty)
    #expect(try app.stored() == todos)
  }

  @Test func `after another view has moved a todo, one still goes in front of it`() throws {
    let app = try app()
    _ = try move(todos[3], before: todos[0], in: app)

    _ = try move(todos[1], before: todos[3], in: app)

    #expect(try app.stored().map(\.id) == ["30", "10", "40", "20"])
  }

  @Test func `a todo that is deleted or gone is refused, and so is one in front of it`() throws {
    let app = try app()
    let row = TodoViewModel(todos[1])
    _ = try app.context.request(RequestDeleteTodoViewModel(row: row)).get()

    #expect(throws: notInList("30")) { try move(todos[1], before: todos[0], in: app) }
    #expect(throws: notInList("30")) { try move(todos[0], before: todos[1], in: app) }

    _ = try app.context.request(RequestPurgeTodoViewModel(row: row)).get()
    let purged = Failure(
      "purged", userMessage: "This todo has been removed for good.", subject: "30", code: 1005)
    #expect(throws: purged) { try move(todos[1], in: app) }
    #expect(throws: notInList("30")) { try move(todos[0], before: todos[1], in: app) }
    #expect(throws: notInList("5")) { try move(todos[0], before: .made(5, "x"), in: app) }
    #expect(throws: notInList("7")) { try move(.made(7, "x", list: "work"), in: app) }
    #expect(try app.stored() == [todos[0], todos[2], todos[3]])
  }

  @Test func `in a list that was not read, nothing moves`() throws {
    let app = try App(in: Context(), todos[0], todos[1])

    #expect(throws: notInList("40")) { try move(todos[0], in: app) }
  }

  @Test func `a move of what another program purged or changed meanwhile undoes nothing`() throws {
    let app = try app()
    try app.file.run("DELETE FROM todo WHERE id = '10'")
    try app.file.run("UPDATE todo SET title = 'Changed', deleted = 1 WHERE id = '20'")

    for todo in todos[2...] { _ = try move(todo, before: todos[0], in: app) }

    let stored = try app.stored()
    #expect(stored.map(\.id) == ["20", "40", "30"])
    #expect(stored[0].title == "Changed")
    #expect(read(in: app) == ["40", "30"])
  }

  @Test func `where there is no room, all todos get new keys, and one row moves`() throws {
    let app = try crowded()

    let answer = try move(todos[3], before: todos[1], in: app)

    #expect(app.rows.takeChanges() == [.move(3..<4, to: 1)])
    let stored = try app.stored()
    #expect(stored.map(\.id) == ["40", "10", "30", "15", "20"])
    #expect(stored.allSatisfy { $0.place?.utf8.count == 2 })
    #expect(answer.row == TodoViewModel(stored[1]))
    let restore = RequestRestoreTodoViewModel(row: TodoViewModel(.made(15, "15").deleted(true)))
    _ = try app.context.request(restore).get()
    #expect(app.rows.takeChanges() == [.insert(3..<4)])
    #expect(read(in: app) == ["40", "10", "30", "15", "20"])
  }

  @Test func `a new todo comes first, after moves and after new keys for all`() throws {
    let app = try app()
    _ = try move(todos[3], before: todos[0], in: app)
    #expect(try add("one", to: app) == [.insert(0..<1)])
    #expect(try add("two", to: app) == [.insert(0..<1)])
    for _ in 1...10 {
      _ = try move(todos[1], before: todos[3], in: app)
      _ = try move(todos[3], before: todos[1], in: app)
    }
    try app.file.run("UPDATE todo SET order_key = 'C'")
    read(in: app)
    let last = try #require(try app.stored().last)
    _ = try move(last, before: try app.stored()[0], in: app)

    #expect(try add("three", to: app) == [.insert(0..<1)])
    #expect(read(in: app).count == 7)
    #expect(try app.stored()[0].title == "three")
  }

  @Test(arguments: [false, true])
  func `a locked file refuses a move as a whole, and the next one works`(isCrowded: Bool) throws {
    let app = try isCrowded ? crowded() : app()
    let before = try app.stored()
    let other = try Connection(path: app.file.path)
    try other.run("BEGIN EXCLUSIVE")
    #expect(throws: locked) { try move(todos[3], before: todos[1], in: app) }
    try other.run("ROLLBACK")

    #expect(try app.stored() == before)
    _ = try move(todos[3], before: todos[1], in: app)
    #expect(app.rows.takeChanges() == [.move(3..<4, to: 1)])
  }

  @Test(arguments: [false, true])
  func `a read-only file refuses a move as a whole`(isCrowded: Bool) throws {
    let app = try isCrowded ? crowded(isReadOnly: true) : app(isReadOnly: true)
    let before = try app.stored()

    let failure = #expect(throws: Failure.self) {
      try move(todos[3], before: todos[1], in: app)
    }
    #expect(failure?.userMessage == "The list cannot be changed: its file is read-only.")
    #expect(try app.stored() == before)
    #expect(read(in: app) == ids)
  }

  @Test(arguments: [false, true])
  func `a full disk changes nothing that is shown`(isCrowded: Bool) throws {
    let test = TestContext()
    let kept = isCrowded ? todos.map { $0.placed("C") } : todos
    let shown = test.open(ViewModelServer.counting())
    test.stub(RequestReadTodos.self) { ResponseTodos(list: $0.list, todos: kept) }
    var asked: [Int] = []
    test.stub(RequestPlaceTodos.self) { request in
      asked.append(request.places.count)
      throw Failure("full", code: 1012)
    }
    _ = test.context.request(RequestTodoViewModels(list: "home"))
    let request = RequestMoveTodoViewModel(row: .init(kept[3]), before: .init(kept[1]))

    let answers = [test.context.request(request), test.context.request(request)]
    test.skip()

    let text = "The list cannot be changed: the disk is full."
    for answer in answers {
      #expect(#expect(throws: Failure.self) { try answer.get() }?.userMessage == text)
    }
    #expect(asked == (isCrowded ? [4, 4] : [1, 1]))
    test.expect(shown, "rows", TodoListViewModel(id: "home", todos: kept).rows)
    let toggle = RequestToggleCompleteTodoViewModel(row: .init(kept[3]))
    test.stub(RequestWriteTodo.self) { ResponseTodo(todo: $0.todo) }
    _ = test.context.request(toggle)
    test.skip()
    let rows = try #require(try shown.value(of: "rows", as: [TodoViewModel].self))
    #expect(rows.map(\.id) == kept.map(\.id))
  }

  @Test func `what is asked while a todo moves goes on from there`() throws {
    let test = TestContext()
    let shown = test.open(ViewModelServer.counting())
    test.stub(RequestReadTodos.self) { [todos] in ResponseTodos(list: $0.list, todos: todos) }
    _ = test.context.request(RequestTodoViewModels(list: "home"))
    test.skip()
    let answer = ResponsePlacedTodos(list: "home")
    test.stub(
      RequestPlaceTodos.self,
      [.after(.milliseconds(10), .answer(answer)), .after(.milliseconds(20), .answer(answer))])
    let toggled = todos[3].completed(true, at: App.now)
    let first = try #require(OrderKey.between(todos[0].key, todos[1].key))
    let second = try #require(OrderKey.between(first, todos[1].key))
    test.stub(
      RequestWriteTodo.self,
      [.after(.milliseconds(30), .answer(ResponseTodo(todo: toggled)))])
    let moves = [3, 2].map {
      RequestMoveTodoViewModel(row: .init(todos[$0]), before: .init(todos[1]))
    }
    let toggle = RequestToggleCompleteTodoViewModel(row: .init(todos[3]))

    for move in moves { test.send(move) }
    test.send(toggle)
    test.expect(moves[0])
    test.expect(RequestPlaceTodos(list: "home", places: [TodoPlace(id: "10", place: first)]))
    test.expect(moves[1])
    test.expect(RequestPlaceTodos(list: "home", places: [TodoPlace(id: "20", place: second)]))
    test.expect(toggle)
    test.expect(RequestWriteTodo(todo: toggled))

    test.advance(by: .milliseconds(30))
    test.expect(answer)
    test.expect(
      ResponseTodoViewModel(list: "home", row: .init(todos[3].placed(first))))
    test.expect(answer)
    test.expect(
      ResponseTodoViewModel(list: "home", row: .init(todos[2].placed(second))))
    test.expect(ResponseTodo(todo: toggled))
    test.expect(
      ResponseTodoViewModel(list: "home", row: .init(toggled.placed(first))))
    let rows = [todos[0], toggled, todos[2], todos[1]].map(TodoViewModel.init)
    test.expect(shown, "rows", rows)
  }

  @Test(arguments: [("30", "10"), ("20", "10"), ("10", "10")])
  func `two contexts that move at once show the same after a reload (A-27)`(
    other: String, id: String
  ) throws {
    let app = try app()
    let second = try App(in: Context(), on: app.file)
    #expect(read(in: second) == ids)

    // Both know the list as it was; the first two cases put two todos in the same place.
    _ = try move(todos[3], before: todos[0], in: app)
    let row = try #require(todos.first { $0.id == other })
    let request = RequestMoveTodoViewModel(
      row: .init(row), before: other == id ? .init(todos[1]) : .init(todos[0]))
    _ = try second.context.request(request).get()

    let order = read(in: app)
    #expect(read(in: second) == order)
    #expect(Set(order) == Set(ids))
    #expect(order == (other == id ? ["40", "10", "30", "20"] : [other, id] + rest(other, id)))
    // And in between, there is room for a third one.
    _ = try move(todos[0], before: todos[3], in: app)
    #expect(read(in: second) == read(in: app))
  }

  @Test func `a change of what another program has moved leaves it there`() throws {
    let app = try app()
    try app.file.run("UPDATE todo SET order_key = 'B' || id")
    let toggle = RequestToggleCompleteTodoViewModel(row: .init(todos[0]))

    _ = try app.context.request(toggle).get()

    #expect(try app.stored().map(\.id) == ["10", "20", "30", "40"])
    #expect(read(in: app) == ["10", "20", "30", "40"])
  }

  private func rest(_ moved: String...) -> [String] { ids.filter { !moved.contains($0) } }

  private let locked = Failure(
    "locked: SQLite 5: database is locked",
    userMessage: "Another program is using the list. Please try again.", subject: "home",
    code: 1010)

  private func notInList(_ subject: String) -> Failure {
    Failure(
      "notInList", userMessage: "This todo is not in the list any more.", subject: subject,
      code: 1006)
  }

  /// The app with four todos, whose list was read.
  private func app(isReadOnly: Bool = false) throws -> App {
    let app = try App(in: Context(), todos[0], todos[1], todos[2], todos[3])
    if isReadOnly { try app.file.makeReadOnly() }
    read(in: app)
    return app
  }

  /// The app with the four todos and one that is deleted, three of them in the same place.
  private func crowded(isReadOnly: Bool = false) throws -> App {
    let app = try App(
      in: Context(), todos[0].placed("C"), todos[1].placed("C"), todos[2].placed("D"),
      todos[3].placed("E"), .made(15, "15").placed("C").deleted(true))
    if isReadOnly { try app.file.makeReadOnly() }
    read(in: app)
    return app
  }

  @discardableResult
  private func move(_ todo: Todo, before other: Todo? = nil, in app: App) throws
    -> ResponseTodoViewModel
  {
    try app.context.request(
      RequestMoveTodoViewModel(row: .init(todo), before: other.map { TodoViewModel($0) })
    ).get()
  }

  /// Adds a todo, and returns the changes.
  private func add(_ title: String, to app: App) throws -> [RowChange] {
    _ = app.rows.takeChanges()
    var detail = try app.context.request(RequestNewTodoDetailViewModel(list: "home")).get().detail
    detail.title = title
    _ = try app.context.request(RequestUpdateDetailViewModel(detail: detail)).get()
    return app.rows.takeChanges()
  }

  /// Reads the list, and returns the ids that are shown.
  @discardableResult
  private func read(in app: App) -> [String] {
    _ = app.context.request(RequestTodoViewModels(list: "home"))
    _ = app.rows.takeChanges()
    return app.rows.rows.map(\.id)
  }
}
