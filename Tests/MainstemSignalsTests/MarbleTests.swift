// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MainstemSignals
import MainstemTesting
import Testing

/// The tables of docs/signals.md are the tests.
@Suite("Marbles")
struct MarbleTests {
  typealias Text = Signal<String, MarbleFailure>

  /// A line of a table, with the inputs above it.
  struct Row: CustomTestStringConvertible, Sendable {
    let expression: String
    let expected: String
    let inputs: [String: String]

    var testDescription: String { expression }
  }

  static let rows: [Row] = {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/signals.md")
    guard let text = try? String(contentsOf: page, encoding: .utf8) else { return [] }
    var (rows, inputs, isTable): ([Row], [String: String], Bool) = ([], [:], false)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        (isTable, inputs) = (line == "```marbles", [:])
      } else if isTable {
        let parts = line.split(separator: "   ", maxSplits: 1)
        let (name, drawn) = (String(parts[0]), parts.count > 1 ? parts[1] : "")
        let marbles = drawn.trimmingCharacters(in: .whitespaces)
        if name.count == 1 {
          inputs[name] = marbles
        } else {
          rows.append(Row(expression: name, expected: marbles, inputs: inputs))
        }
      }
    }
    return rows
  }()

  @Test(arguments: rows) func `A-60: a line of a table sends what it shows`(row: Row) throws {
    let make = try #require(Self.code[row.expression], "no code for \(row.expression)")
    let signal = make(Text.marbles(row.inputs["a"] ?? ""), Text.marbles(row.inputs["b"] ?? ""))

    let drawn = signal.drawn()

    #expect(drawn.description == row.expected)
  }

  @Test func `A-60: the tables have each operator that its row names`() {
    let named = ["debounce", "throttle", "merge", "combineLatest", "takeUntil", "retry", "scan"]
    let policies = ["merge", "latest", "concat"].map { "flatMap(.\($0))" }
    for name in named + policies + ["distinct"] {
      #expect(Self.rows.contains { $0.expression.hasPrefix("a.\(name)") }, "\(name)")
    }
  }

  @Test func `each line of code is in a table`() {
    let shown = Set(Self.rows.map { $0.expression })
    #expect(Self.code.keys.filter { !shown.contains($0) } == [])
  }

  @Test(arguments: ["", "-a-b|", "---#", "a(bc)-{ten}-(d|)", "-a-(b#)"])
  func `a drawing is read and drawn again`(text: String) {
    #expect(Marbles(text).description == text)
  }

  @Test func `an event within a frame shows its time`() {
    let marbles = Marbles([Marbles.Mark(.milliseconds(15), .next("a"))])
    #expect(marbles.description == "-a@0.015 seconds")
  }
}
