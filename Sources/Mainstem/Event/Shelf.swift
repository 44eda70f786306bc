// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Keeps one tool for whoever needs it next. Who finds it taken, by another thread or by a caller
/// further out, makes one.
///
/// Sendable because only the one who has taken the tool touches it.
final class Shelf<Tool: AnyObject>: @unchecked Sendable {
  private let make: @Sendable () -> Tool
  private let isTaken = Atomic(false)
  @exclusivity(unchecked) private var tool: Tool

  init(_ make: @escaping @Sendable () -> Tool) {
    self.make = make
    tool = make()
  }

  /// Runs `body` with a tool that nobody else uses meanwhile.
  @inline(__always)
  func lend<Result>(_ body: (Tool) throws -> Result) rethrows -> Result {
    if isTaken.exchange(true, ordering: .acquiring) { return try body(make()) }
    defer {
      // If what was made with it still refers to it, nobody else may get it.
      if !isKnownUniquelyReferenced(&tool) { tool = make() }
      isTaken.store(false, ordering: .releasing)
    }
    return try body(tool)
  }
}
