// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// A session of the todo list that was recorded once in each version of the format: Tests/journals.
@Suite("Kept journal") struct KeptJournalTests {
  private static let versions: [UInt32] = [1, 2, 3]

  @Test(arguments: versions) func `it is read as it was`(version: UInt32) throws {
    let kept = Kept(version)
    let journal = try Journal(kept.path)
    var read: [String] = []
    while let event = try journal.next() { read.append(event.line) }

    #expect(read.count == 96)
    #expect(read == kept.lines)
    #expect(try journal.info().isClean)
    #expect(try journal.info().version == version)
  }

  @Test(arguments: versions) func `all its events come again`(version: UInt32) throws {
    let kept = Kept(version)
    let context = try Context()
    let replay = try context.replay(kept.path)
    var seen: [String] = []
    let watching = try context.observe { seen.append($0.line) }

    #expect(try replay.toEnd() == kept.lines.count)
    #expect(seen == kept.lines)
    watching.cancel()
  }
}

/// One of them, and the lines that it has.
private struct Kept {
  let path: String
  let lines: [String]

  init(_ version: UInt32) {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    path = "/\(tests)/journals/todo-\(version).journal"
    let text = String(
      decoding: Folder.bytes(of: "/\(tests)/journals/todo-\(version).txt"), as: UTF8.self)
    lines = text.split(separator: "\n").map { String($0) }
  }
}
