// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The histories of a stream, at most one of a type. Under the stream's lock; any thread reads the counters, and the
/// deliverer writes them.
struct Histories: ~Copyable {
  private var listed = List<History, History.InStream>()
  /// How many events are kept, and how many were lost for lack of memory.
  private let kept = Atomic<UInt64>(0)
  private let lost = Atomic<UInt64>(0)

  @inline(__always)
  var isEmpty: Bool { listed.isEmpty }

  mutating func add(_ history: History.Pointer) { listed.append(history) }

  mutating func remove(_ history: History.Pointer) { listed.remove(history) }

  /// Forgets all. Their memory is freed by the hooks of their recorders.
  mutating func clear() { listed = List() }

  func each(_ visit: (History.Pointer) -> Void) { listed.each(visit) }

  /// The first that satisfies a condition.
  func first(where isWanted: (History.Pointer) -> Bool) -> History.Pointer? {
    var found: History.Pointer?
    _ = listed.all { history in
      if isWanted(history) { found = history }
      return found == nil
    }
    return found
  }
}

/// Counting.
extension Histories {
  /// Counts kept and lost events. Only the deliverer does, so the load and the store need not be one atomic step.
  func count(kept change: Int, lost more: UInt64) {
    if change != 0 {
      let total = kept.load(ordering: .relaxed)
      kept.store(total &+ UInt64(bitPattern: Int64(change)), ordering: .relaxed)
    }
    if more != 0 { lost.store(lost.load(ordering: .relaxed) &+ more, ordering: .relaxed) }
  }

  func resetCounts() {
    kept.store(0, ordering: .relaxed)
    lost.store(0, ordering: .relaxed)
  }

  func readStats(into stats: UnsafeMutablePointer<mainstem_context_stats>) {
    stats.pointee.history = kept.load(ordering: .relaxed)
    stats.pointee.history_lost = lost.load(ordering: .relaxed)
  }
}
