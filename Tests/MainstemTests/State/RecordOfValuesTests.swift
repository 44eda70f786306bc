// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

/// It shows many lines, which are made anew from a count.
private struct Lines: ViewModel {
  var count = 0
  var word = "line"

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("lines", of: \.count, \.word, record: kept) { lines in
      (0..<lines.count).map { "\(lines.word) \($0)" }
    }
    on.command("grow") { $0.count += 1000 }
  }

  /// What a journal keeps of the lines; set before one is opened.
  @TaskLocal static var kept = RecordMode.full
}

/// The same as Tests/PythonTests/test_record_of_values.py, through the Swift face.
@Suite("What a journal keeps of a value") struct RecordOfValuesTests {
  private let folder = Folder()

  private func record(_ mode: RecordMode) throws -> String {
    let path = folder.file("\(mode)")
    try Lines.$kept.withValue(mode) {
      let context = try Context()
      try context.record(to: path)
      let lines = try context.open(Lines())
      let view = try context.bind(to: lines) { _ in }
      for _ in 1...5 { try view.run("grow") }
      view.end()
      try context.close()
    }
    return path
  }

  private func verify(_ path: String, _ mode: RecordMode, _ word: String = "line") throws {
    try Lines.$kept.withValue(mode) {
      try Journal.verify(path) { try $0.open(Lines(word: word)) }
    }
  }

  @Test func `a program that keeps more or less verifies what was kept`() throws {
    for recorded in [RecordMode.full, .inputs] {
      let path = try record(recorded)
      for verified in [RecordMode.full, .inputs] { try verify(path, verified) }
    }
  }

  @Test func `of what is made anew there is a digest`() throws {
    let (full, inputs) = (try record(.full), try record(.inputs))

    #expect(Folder.bytes(of: inputs).count < 10_000)
    #expect(Folder.bytes(of: full).count > 50_000)
  }

  @Test func `a value that is made otherwise differs`() throws {
    for mode in [RecordMode.full, .inputs] {
      let path = try record(mode)
      let error = #expect(throws: Difference.self) { try verify(path, mode, "row") }
      #expect("\(try #require(error))".contains("Lines.lines"))
    }
  }
}
