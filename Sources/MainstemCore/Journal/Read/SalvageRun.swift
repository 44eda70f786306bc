// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A run of intact records in one file, each linked to the one before.
struct SalvageRun {
  /// The number of the file.
  var file: UInt64
  var begin: Int
  /// The position of its first event, or of an event that would follow its first record.
  var first: UInt64
  /// The number of records.
  var count = 0
}

/// All runs in a journal's files, found in the first pass.
struct SalvageRuns: ~Copyable {
  private var start: UnsafeMutablePointer<SalvageRun>?
  private var capacity = 0
  private(set) var count = 0

  deinit { Memory.free(start) }

  subscript(index: Int) -> SalvageRun? {
    guard index < count, let start else { return nil }
    return start[index]
  }

  mutating func add(_ run: SalvageRun) throws(Refusal) {
    if count == capacity {
      let wider = max(64, capacity &* 2)
      guard let fresh = Memory.allocate(SalvageRun.self, count: wider) else { throw .noMemory }
      if let start { fresh.update(from: start, count: count) }
      Memory.free(start)
      start = fresh
      capacity = wider
    }
    (start! + count).initialize(to: run)
    count &+= 1
  }

  /// Counts a record of the run added last.
  mutating func noteRecord() {
    if count > 0 { start?[count &- 1].count &+= 1 }
  }

  /// Whether a run is out of place: ahead of the run after it, which is no shorter. So a record copied to an earlier
  /// place does not make everything in between look old.
  func isAhead(_ index: Int, after last: UInt64) -> Bool {
    guard let run = self[index], run.first > last &+ 1 else { return false }
    var next = index &+ 1
    // Not too far, because a file could be made of nothing but such runs.
    while next < index &+ 64, let other = self[next], other.first <= last { next &+= 1 }
    guard let other = self[next] else { return false }
    return other.first <= run.first && other.count >= run.count
  }
}
