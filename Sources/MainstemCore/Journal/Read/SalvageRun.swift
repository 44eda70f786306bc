// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Intact records that follow each other in one file, each linked to the one before.
struct SalvageRun {
  /// The number of the file.
  var file: UInt64
  var begin: Int
  /// The position of its first event, or that an event behind its first record would have.
  var first: UInt64
  /// How many records.
  var count = 0
}

/// What is intact in the files of a journal, found in a first look at all of them.
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

  /// Counts a record of the run that was added last.
  mutating func noteRecord() {
    if count > 0 { start?[count &- 1].count &+= 1 }
  }

  /// Whether a run is out of place: ahead of what comes after it, which is no less. So a record that was copied to
  /// an earlier place does not make all between look old.
  func isAhead(_ index: Int, after last: UInt64) -> Bool {
    guard let run = self[index], run.first > last &+ 1 else { return false }
    var next = index &+ 1
    // Not too far: a file could be made to have nothing but such.
    while next < index &+ 64, let other = self[next], other.first <= last { next &+= 1 }
    guard let other = self[next] else { return false }
    return other.first <= run.first && other.count >= run.count
  }
}
