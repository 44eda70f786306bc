// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The lanes of a stream by type number, in chunks that double and never move: a look-up needs no
/// lock, and stays safe when the context is closed meanwhile.
package struct LaneTable {
  /// By the highest bit of a type number + 15; the first four stay empty.
  private static var chunkCount: Int { 36 }
  private let chunks: UnsafeMutablePointer<Atomic<UInt>>

  package init?() {
    guard let chunks = Memory.allocate(Atomic<UInt>.self, count: Self.chunkCount) else {
      return nil
    }
    var index = 0
    while index < Self.chunkCount {
      (chunks + index).initialize(to: Atomic(0))
      index &+= 1
    }
    self.chunks = chunks
  }

  /// The lane of a type number; nil where none can be.
  @inline(__always)
  package func find(_ type: UInt32) -> Lane.Pointer? {
    guard type != 0 else { return nil }
    let (chunk, offset) = Self.place(of: type)
    let start = chunks[chunk].load(ordering: .acquiring)
    guard let lanes = UnsafeMutablePointer<Lane>(bitPattern: start) else { return nil }
    return lanes + offset
  }

  /// Makes the chunk in which a type number lies. Under the lock.
  package func reserve(_ type: UInt32) -> Lane.Pointer? {
    if let lane = find(type) { return lane }
    let (chunk, _) = Self.place(of: type)
    let size = 1 << chunk
    guard let lanes = Memory.allocateAligned(Lane.self, count: size) else { return nil }
    var index = 0
    while index < size {
      (lanes + index).initialize(to: Lane())
      index &+= 1
    }
    chunks[chunk].store(UInt(bitPattern: lanes), ordering: .releasing)
    return find(type)
  }

  /// For a table that was never used: no chunk has been made.
  package func free() { Memory.free(chunks) }

  /// 16 types in the first chunk, 32 in the second, and so on.
  @inline(__always)
  private static func place(of type: UInt32) -> (chunk: Int, offset: Int) {
    let number = UInt64(type) &+ 15
    let highest = 63 ^ number.leadingZeroBitCount
    return (highest, Int(truncatingIfNeeded: number ^ 1 << UInt64(truncatingIfNeeded: highest)))
  }
}
