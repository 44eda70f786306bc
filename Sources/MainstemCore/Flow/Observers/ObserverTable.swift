// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The observers of a stream's types, by type number, in chunks that double in size and never move: a lookup needs no
/// lock, and stays safe if the context is closed meanwhile.
///
/// A chunk is stored as the address that number 0 would have, so that the number is the index.
package struct ObserverTable {
  /// Indexed by the highest bit of a type number + 15. The first four stay empty, so type 0 has none.
  private static var chunkCount: Int { 36 }
  /// Twice as many words: behind the addresses used for lookup are those of the chunks themselves, so that leak
  /// checkers find them.
  private let chunks: UnsafeMutablePointer<Atomic<UInt>>
  /// The distance between two types: three cache lines, the first for what a send reads.
  private static var stride: Int { 192 }

  init?() {
    guard MemoryLayout<TypeObservers>.size <= Self.stride,
      let chunks = Memory.allocate(Atomic<UInt>.self, count: 2 &* Self.chunkCount)
    else { return nil }
    var index = 0
    while index < 2 &* Self.chunkCount {
      (chunks + index).initialize(to: Atomic(0))
      index &+= 1
    }
    self.chunks = chunks
  }

  /// The observers of a type number; nil if there can be none.
  @inline(__always)
  func find(_ type: UInt32) -> TypeObservers.Pointer? {
    let number = Self.number(of: type)
    let start = chunks[Self.chunk(of: number)].load(ordering: .acquiring)
    guard let observerTable = UnsafeMutableRawPointer(bitPattern: start) else { return nil }
    return (observerTable + number &* Self.stride).assumingMemoryBound(to: TypeObservers.self)
  }

  /// Makes the chunk that contains a type number. Under the lock.
  func reserve(_ type: UInt32) -> TypeObservers.Pointer? {
    if let observers = find(type) { return observers }
    let chunk = Self.chunk(of: Self.number(of: type))
    let size = 1 << chunk
    guard let observerTable = Memory.allocateAligned(UInt8.self, count: size &* Self.stride) else {
      return nil
    }
    var index = 0
    while index < size {
      let observers = UnsafeMutableRawPointer(observerTable + index &* Self.stride)
      observers.bindMemory(to: TypeObservers.self, capacity: 1).initialize(to: TypeObservers())
      index &+= 1
    }
    let start = UInt(bitPattern: observerTable) &- UInt(size &* Self.stride)
    chunks[Self.chunkCount &+ chunk].store(UInt(bitPattern: observerTable), ordering: .relaxed)
    chunks[chunk].store(start, ordering: .releasing)
    return find(type)
  }

  /// Frees a table that was never used: it has no chunks.
  func free() { Memory.free(chunks) }

  /// 16 types in the first chunk, 32 in the second, and so on.
  @inline(__always)
  private static func number(of type: UInt32) -> Int { Int(type) &+ 15 }

  @inline(__always)
  private static func chunk(of number: Int) -> Int { 63 ^ number.leadingZeroBitCount }
}
