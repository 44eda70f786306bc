// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The lanes of a stream by type number, in chunks that double and never move: a look-up needs no
/// lock, and stays safe when the context is closed meanwhile.
///
/// A chunk is entered by the address that the lane of number 0 would have, so that a number is its index.
package struct LaneTable {
  /// By the highest bit of a type number + 15; the first four stay empty, so 0 has no lane.
  private static var chunkCount: Int { 36 }
  /// Twice as many places: behind the addresses to look up by are those of the chunks themselves, so that
  /// tools that look for leaks find them.
  private let chunks: UnsafeMutablePointer<Atomic<UInt>>
  /// From lane to lane: two cache lines, the first for what a send reads.
  private static var stride: Int { 128 }

  package init?() {
    guard let chunks = Memory.allocate(Atomic<UInt>.self, count: 2 &* Self.chunkCount)
    else { return nil }
    var index = 0
    while index < 2 &* Self.chunkCount {
      (chunks + index).initialize(to: Atomic(0))
      index &+= 1
    }
    self.chunks = chunks
  }

  /// The lane of a type number; nil where none can be.
  @inline(__always)
  package func find(_ type: UInt32) -> Lane.Pointer? {
    let number = Self.number(of: type)
    let start = chunks[Self.chunk(of: number)].load(ordering: .acquiring)
    guard let lanes = UnsafeMutableRawPointer(bitPattern: start) else { return nil }
    return (lanes + number &* Self.stride).assumingMemoryBound(to: Lane.self)
  }

  /// Makes the chunk in which a type number lies. Under the lock.
  package func reserve(_ type: UInt32) -> Lane.Pointer? {
    if let lane = find(type) { return lane }
    let chunk = Self.chunk(of: Self.number(of: type))
    let size = 1 << chunk
    guard let lanes = Memory.allocateAligned(UInt8.self, count: size &* Self.stride) else {
      return nil
    }
    var index = 0
    while index < size {
      let lane = UnsafeMutableRawPointer(lanes + index &* Self.stride)
      lane.bindMemory(to: Lane.self, capacity: 1).initialize(to: Lane())
      index &+= 1
    }
    let start = UInt(bitPattern: lanes) &- UInt(size &* Self.stride)
    chunks[Self.chunkCount &+ chunk].store(UInt(bitPattern: lanes), ordering: .relaxed)
    chunks[chunk].store(start, ordering: .releasing)
    return find(type)
  }

  /// For a table that was never used: no chunk has been made.
  package func free() { Memory.free(chunks) }

  /// 16 types in the first chunk, 32 in the second, and so on.
  @inline(__always)
  private static func number(of type: UInt32) -> Int { Int(type) &+ 15 }

  @inline(__always)
  private static func chunk(of number: Int) -> Int { 63 ^ number.leadingZeroBitCount }
}
