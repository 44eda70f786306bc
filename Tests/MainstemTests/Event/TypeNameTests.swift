// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// What two modules of one program declare, each without the other in mind.
enum Editor {
  struct Saved: Notice { var file: String }
  struct RequestSave: Request {
    typealias Answer = ResponseSave
    var file: String
  }
  struct ResponseSave: Response { var size: Int }
  struct Closed: Notice { var file: String }
  struct Lookup: ViewModel {
    var word = ""
    static func handlers(_ on: inout Handlers<Self>) { on.shows("word", \.word) }
  }
}

enum Backup {
  struct Saved: Notice { var file: String }
  struct RequestSave: Request {
    typealias Answer = ResponseSave
    var disk: Int
  }
  struct ResponseSave: Response { var size: Int }
  struct RequestStore: Request {
    typealias Answer = ResponseSave
    var disk: Int
  }
  struct Shut: Notice {
    static let name = "Closed"
    var file: String
  }
  struct Lookup: ViewModel {
    var word = ""
    static func handlers(_ on: inout Handlers<Self>) { on.shows("word", \.word) }
  }
}

private struct Saver: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(Editor.RequestSave.self) { _, request in .init(size: request.file.utf8.count) }
  }
}

private struct Disk: Server {
  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(Backup.RequestStore.self) { _, request in .init(size: request.disk) }
  }
}

@Suite("TypeName") struct TypeNameTests {
  private func message(_ body: () throws -> Void) -> String? {
    let error = #expect(throws: StreamError.self, performing: body)
    #expect(error?.status == .invalid)
    return error?.message
  }

  @Test func `the second of two types of one name is refused, and both are named`() throws {
    let context = try Context()
    var seen: [Editor.Saved] = []
    let subscription = try context.observe(Editor.Saved.self) { saved, _ in seen.append(saved) }

    let told = message { try context.send(Backup.Saved(file: "a")) }

    #expect(seen.isEmpty)
    #expect(told?.contains("Editor.Saved and ") == true)
    #expect(told?.contains("Backup.Saved have this name") == true)
    #expect(told?.hasSuffix("static let name = …") == true)
    subscription.cancel()
  }

  @Test func `also if one declares the name`() throws {
    let context = try Context()
    try context.send(Editor.Closed(file: "a"))

    #expect(message { try context.send(Backup.Shut(file: "a")) }?.contains("Backup.Shut") == true)
  }

  @Test func `also in a scope, where it is observed, posted and asked`() throws {
    let context = try Context()
    let scope = try context.scope("Backup")
    try context.install(Saver())

    _ = message { _ = try scope.observe(Backup.RequestSave.self) { _, _ in } }
    _ = message { _ = try scope.poster(for: Backup.RequestSave.self) }
    _ = message { _ = try scope.install(Disk()) }
    let answer = context.request(Editor.RequestSave(file: "abc"))

    #expect(try answer.get().size == 3)
    guard case .failure(let failure) = context.request(Backup.RequestSave(disk: 1)) else {
      Issue.record("the other module's server has answered")
      return
    }
    #expect(failure.message.contains("Backup.RequestSave"))
  }

  @Test func `a request whose answer has another's name is refused each time`() throws {
    let context = try Context()
    try context.send(Editor.ResponseSave(size: 1))

    for _ in 1...3 {
      let told = message { try context.send(Backup.RequestStore(disk: 1)) }
      #expect(told?.hasPrefix("ResponseSave: ") == true)
    }
  }

  @Test func `the same type may be registered twice, also by a second wrapper of the context`()
    throws
  {
    let context = try Context()
    try context.send(Editor.Saved(file: "a"))
    try context.send(Editor.Saved(file: "b"))
    try Context(borrowing: context.handle).send(Editor.Saved(file: "c"))
    let scope = try context.scope("Editor")
    try Context(borrowing: scope.handle).send(Editor.Saved(file: "d"))
    try scope.close()
    try Context().send(Backup.Saved(file: "of another context"))
  }

  @Test func `modules of a C host are told, too, unless one declares the name`() throws {
    let context = try Context()
    let editor = Context(borrowing: context.handle)
    let scope = try context.scope("Backup")
    let backup = Context(borrowing: scope.handle)
    try editor.send(Editor.Saved(file: "a"))
    try editor.send(Editor.Closed(file: "a"))

    _ = message { try backup.send(Backup.Saved(file: "a")) }
    try backup.send(Backup.Shut(file: "a"))
    try scope.close()
  }

  @Test func `types that are private are told apart, too`() throws {
    struct Saved: Notice {}
    let context = try Context()
    try context.send(Editor.Saved(file: "a"))

    let told = message { try context.send(Saved()) }

    #expect(told?.contains("(private).Saved") == true)
    #expect(told?.contains("$") == false)
  }

  @Test func `a second kind of view models of one name is refused, unless it is opened by another`()
    throws
  {
    let context = try Context()
    try context.open(Editor.Lookup())
    try context.open(Editor.Lookup())

    let told = message { _ = try context.open(Backup.Lookup()) }
    try context.open(Backup.Lookup(), name: "BackupLookup")

    #expect(told?.contains("Editor.Lookup and ") == true)
  }
}
