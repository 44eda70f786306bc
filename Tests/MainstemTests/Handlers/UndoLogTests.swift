// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

private struct ResponseAdd: Response { var id: Int }
private struct RequestAdd: Request {
  typealias Answer = ResponseAdd
  var title: String
}
private struct ResponseDone: Response {}
private struct RequestRemove: Request {
  typealias Answer = ResponseDone
  var id: Int
}
private struct RequestUndo: Request { typealias Answer = ResponseDone }
private struct RequestRedo: Request { typealias Answer = ResponseDone }
private struct UndoState: Event, Equatable {
  static let role = Role.value
  var undo: String
  var redo: String
  var count: Int
}

private final class Titles { var all: [Int: String] = [:] }

private struct Todos: Server {
  let titles: Titles

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestAdd.self) { todos, request in
      todos.titles.all[todos.titles.all.count + 1] = request.title
      return ResponseAdd(id: todos.titles.all.count)
    }
    on.answer(RequestRemove.self) { todos, request in
      if todos.titles.all[request.id] == "stuck" { throw Failure("the disk is gone") }
      todos.titles.all[request.id] = nil
      return ResponseDone()
    }
  }
}

/// A program with an undo log that leaves "secret" out, and cannot undo "broken".
private final class Program {
  let context: Context
  let log: Context
  let titles = Titles()
  var shown: [UndoState] = []
  var reports: [String] = []
  private var watching: [Subscription] = []

  init(limit: Int = 1024) throws {
    context = try Context(ContextOptions(clock: .virtual))
    try context.install(Todos(titles: titles))
    log = try context.addUndoLog(
      "Undo",
      [
        Undoable(RequestAdd.self, by: RequestRemove.self) {
          if try $0.request.title == "broken" { throw Failure("no id") }
          if try $0.request.title == "left out" { return nil }
          return RequestRemove(id: try $0.answer(to: RequestAdd.self).id)
        }
      ], undo: RequestUndo.self, redo: RequestRedo.self, shown: UndoState.self, limit: limit)
    watching = [
      try context.observe(UndoState.self) { state, _ in self.shown.append(state) },
      try context.observe(FailureReport.self) { report, _ in self.reports.append(report.message) },
    ]
  }

  func ask<Asked: Request>(_ request: Asked) throws -> Result<Asked.Answer, Failure> {
    var found: Result<Asked.Answer, Failure>?
    try context.request(request) { answer, _ in found = answer }
    return try #require(found)
  }
}

@Suite("UndoLogs") struct UndoLogTests {
  @Test func `a command is undone and done again`() throws {
    let program = try Program()
    _ = try program.ask(RequestAdd(title: "milk"))
    #expect(program.shown.last == UndoState(undo: "RequestAdd", redo: "", count: 1))
    _ = try program.ask(RequestUndo()).get()
    #expect(program.titles.all.isEmpty)
    #expect(program.shown.last == UndoState(undo: "", redo: "RequestAdd", count: 0))
    _ = try program.ask(RequestRedo()).get()
    #expect(program.titles.all == [1: "milk"])
    let failure = #expect(throws: Failure.self) { try program.ask(RequestRedo()).get() }
    #expect(failure?.code == .unset)
    #expect(failure?.message == "there is nothing to do again")
  }

  @Test func `an undo that fails stays`() throws {
    let program = try Program()
    _ = try program.ask(RequestAdd(title: "stuck"))
    let failure = #expect(throws: Failure.self) { try program.ask(RequestUndo()).get() }
    #expect(failure?.message == "the disk is gone")
    program.titles.all[1] = "free"
    _ = try program.ask(RequestUndo()).get()
    #expect(program.titles.all.isEmpty)
  }

  @Test func `a closure may leave a command out, or fail`() throws {
    let program = try Program()
    _ = try program.ask(RequestAdd(title: "milk"))
    _ = try program.ask(RequestAdd(title: "left out"))
    #expect(program.shown.last?.count == 1)
    _ = try program.ask(RequestAdd(title: "broken"))
    #expect(program.shown.last?.count == 0)
    #expect(program.reports == ["the undo log is empty now: no id"])
  }

  @Test func `the oldest step is forgotten`() throws {
    let program = try Program(limit: 1)
    _ = try program.ask(RequestAdd(title: "milk"))
    _ = try program.ask(RequestAdd(title: "bread"))
    _ = try program.ask(RequestUndo()).get()
    #expect(throws: Failure.self) { try program.ask(RequestUndo()).get() }
    #expect(program.titles.all == [1: "milk"])
  }

  @Test func `its end ends it`() throws {
    let program = try Program()
    _ = try program.ask(RequestAdd(title: "milk"))
    try program.log.close()
    let failure = #expect(throws: Failure.self) { try program.ask(RequestUndo()).get() }
    #expect(failure?.code == .unhandled)
  }

  @Test func `mistakes are refused`() throws {
    let context = try Context()
    let none = #expect(throws: StreamError.self) {
      try context.addUndoLog(
        "Undo", [], undo: RequestUndo.self, redo: RequestRedo.self, shown: UndoState.self)
    }
    #expect(none?.message == "addUndoLog: count: is 0: an undo log keeps commands")
    let limit = #expect(throws: StreamError.self) {
      try context.addUndoLog(
        "Undo", [], undo: RequestUndo.self, redo: RequestRedo.self, shown: UndoState.self, limit: 0)
    }
    #expect(limit?.message == "addUndoLog: limit is 0: at least 1")
  }
}
