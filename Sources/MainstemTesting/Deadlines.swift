// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Mainstem

/// What stubs do later, on the virtual clock.
final class Deadlines {
  private var waiting: [Deadline] = []

  /// When the first is due, in milliseconds; `nil`: none waits.
  var first: Int64? { waiting.map(\.due).min() }

  func add(
    after milliseconds: Int64, in context: Context, _ body: @escaping () -> Void
  ) throws(StreamError) {
    let due = try context.now() / 1_000_000 + max(1, milliseconds)
    waiting.append(Deadline(due: due, body: body))
  }

  /// Runs the first item due by `until`, if there is one; items of the same time run in the order they were added.
  func run(until: Int64) -> Bool {
    guard let first, first <= until, let index = waiting.firstIndex(where: { $0.due == first })
    else { return false }
    waiting.remove(at: index).body()
    return true
  }

  func removeAll() { waiting = [] }
}

private struct Deadline {
  let due: Int64
  let body: () -> Void
}
