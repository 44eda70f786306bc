// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Run: CustomStringConvertible {
  /// Whose command it is, and how far it has come: `Run of Lookup, waits for 1 answer`.
  public var description: String {
    let count = waitsFor
    let state =
      isOver ? "over" : count == 0 ? "begun" : "waits for \(count) answer\(count == 1 ? "" : "s")"
    return "Run of \(house.kind.owner), \(state)"
  }
}
