// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
import Testing

/// A session of the todo list that was recorded once: Tests/journals.
@Suite("Kept journal") struct KeptJournalTests {
  private let path: String
  private let lines: [String]

  init() {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    path = "/\(tests)/journals/todo-1.journal"
    let text = String(decoding: Folder.bytes(of: "/\(tests)/journals/todo-1.txt"), as: UTF8.self)
    lines = text.split(separator: "\n").map { String($0) }
  }

  @Test func `it is read as it was`() throws {
    let journal = try Journal(path)
    var read: [String] = []
    while let event = try journal.next() { read.append(event.line) }

    #expect(read.count == 96)
    #expect(read == lines)
    #expect(try journal.info().isClean)
  }

  @Test func `all its events come again`() throws {
    let context = try Context()
    let replay = try context.replay(path)
    var seen: [String] = []
    let watching = try context.observe { seen.append($0.line) }

    #expect(try replay.toEnd() == lines.count)
    #expect(seen == lines)
    watching.cancel()
  }
}
