// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// A case of Tests/scenarios: docs/testing.md says how they are written.
struct Scenario: CustomTestStringConvertible, Sendable {
  /// A line, and the lines below it that are further in.
  struct Line: Sendable {
    let text: String
    var below: [Line] = []
    var isShown: Bool { text.hasPrefix("|") }
    var steps: [Line] { below.filter { !$0.isShown } }
    var shown: [String] { below.filter(\.isShown).map { String($0.text.dropFirst(2)) } }
    /// How many callbacks on a scheduler's own thread it shows: lines that end in `on W`.
    var shownBeside: Int { shown.count { $0.split(separator: " ").dropLast().last == "on" } }
  }

  let message: String
  let options: Words
  let lines: [Line]
  var testDescription: String { message }

  /// The cases of a law that a context of one thread can play: in Swift there is no other.
  static func cases(law: Int, file: String = #filePath) -> [Scenario] {
    let tests = file.components(from: "/MainstemTests/")[0]
    let bytes = Folder.bytes(of: "\(tests)/scenarios/law_\(law).txt")
    let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { !$0.drop { $0 == " " }.hasPrefix("#") }
    precondition(!rows.isEmpty, "no scenarios of law \(law)")
    let starts = rows.indices.filter { rows[$0].hasPrefix("case ") }
    return zip(starts, starts.dropFirst() + [rows.count]).map { start, end in
      Scenario(message: String(rows[start].dropFirst(5)), rows: rows[(start + 1)..<end])
    }.filter { $0.options.after("threads") != "any" }
  }

  private init(message: String, rows: ArraySlice<String>) {
    self.message = message
    let hasOptions = rows.first?.hasPrefix("with ") == true
    options = Words(hasOptions ? rows[rows.startIndex] : "with")
    var rest = hasOptions ? rows.dropFirst() : rows
    lines = Scenario.lines(of: &rest, indent: 0)
    precondition(rest.isEmpty, "\(rest): two spaces further in, or as far as a line above")
  }

  /// Takes the lines that are this far in, each with what is below it.
  private static func lines(of rows: inout ArraySlice<String>, indent: Int) -> [Line] {
    var lines: [Line] = []
    while let row = rows.first, row.prefix(while: { $0 == " " }).count == indent {
      rows.removeFirst()
      lines.append(
        Line(
          text: String(row.dropFirst(indent)), below: Scenario.lines(of: &rows, indent: indent + 2))
      )
    }
    return lines
  }
}

/// One step: `send Notice "hello" in Scope -> FULL`.
struct Words: Sendable {
  private let words: [String]
  let wanted: String

  init(_ text: String) {
    let parts = text.components(from: " -> ")
    wanted = parts.count > 1 ? parts[1] : "OK"
    // What is in quotes is one word.
    words = parts[0].split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .flatMap { index, part in
        index % 2 == 1 ? ["\"\(part)"] : part.split(separator: " ").map(String.init)
      }
  }

  /// A word; empty if there are not as many.
  subscript(index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

  /// The word behind this one.
  func after(_ word: String) -> String? {
    words.dropFirst().firstIndex(of: word).map { words[$0 + 1] }
  }

  func has(_ word: String) -> Bool { words.contains(word) }

  func number(_ word: String) -> Int? { after(word).flatMap { Int($0) } }

  var payloads: [String] { words.filter { $0.hasPrefix("\"") }.map { String($0.dropFirst()) } }

  var payload: String { payloads.first ?? "" }
}

extension String {
  /// What is before and behind the first place where a text is.
  fileprivate func components(from text: String) -> [String] {
    guard let found = firstRange(of: text) else { return [self] }
    return [String(self[..<found.lowerBound]), String(self[found.upperBound...])]
  }
}
