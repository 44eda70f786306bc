// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// How long the calls of one subscription took. Written by the thread that calls it, one at a time; any thread reads
/// it.
package struct Timing: ~Copyable {
  let calls = Atomic<UInt64>(0)
  let total = Atomic<UInt64>(0)
  let longest = Atomic<UInt64>(0)
  /// When the current call began; 0: there is none.
  private let begun = Atomic<Int64>(0)

  package typealias Pointer = UnsafeMutablePointer<Timing>

  init() {}

  static func make() -> Pointer? {
    guard let timing = Memory.allocate(Timing.self) else { return nil }
    timing.initialize(to: Timing())
    return timing
  }

  func begin() { begun.store(mainstem_p_monotonic(), ordering: .relaxed) }

  func end() {
    let taken = UInt64(clamping: mainstem_p_monotonic() &- begun.load(ordering: .relaxed))
    begun.store(0, ordering: .relaxed)
    calls.store(calls.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    total.store(total.load(ordering: .relaxed) &+ taken, ordering: .relaxed)
    if taken > longest.load(ordering: .relaxed) { longest.store(taken, ordering: .relaxed) }
  }

  /// How long the current call has taken so far, at least 1; 0: there is none.
  var current: UInt64 {
    let begun = begun.load(ordering: .relaxed)
    return begun == 0 ? 0 : max(1, UInt64(clamping: mainstem_p_monotonic() &- begun))
  }
}
