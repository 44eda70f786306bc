// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting

/// A context with routes and a stage, and what its moves were answered.
final class NavigatorApp {
  let context: Context
  let stage = RecordingStage()
  private(set) var answers: [String] = []

  init(_ context: Context? = nil, _ table: (inout Routes<Void>) -> Void) throws {
    self.context = try context ?? Context()
    try self.context.addRoutes(table)
    try stage.add(to: self.context)
    try self.context.navigator.ready()
  }

  /// Opens a URL, and returns its number.
  @discardableResult
  func open(_ url: String, on component: UInt64? = nil, slot: String? = nil) throws -> UInt64 {
    var number: UInt64 = 0
    try context.navigator.open(url, on: component, slot: slot) { result, _ in
      self.note(url, result)
    } opened: {
      number = $0
    }
    try context.settle()
    return number
  }

  func note(_ url: String, _ result: Result<Void, Failure>) {
    switch result {
    case .success: answers.append("\(url) ok")
    case .failure(let failure): answers.append("\(url) \(failure.code)")
    }
  }

  func takeAnswers() -> [String] {
    defer { answers = [] }
    return answers
  }

  /// The URLs of the tree, with what they stand on.
  var tree: [String] {
    get throws {
      let tree = try context.navigator.tree
      return tree.map { component in
        let parent = tree.first { $0.number == component.parent }
        return parent.map { "\($0.url) > \(component.url)" } ?? component.url
      }
    }
  }
}
