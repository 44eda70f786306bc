// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A row of a list as it is given: borrowed.
package struct ListRow {
  package let key: Bytes
  package let data: Bytes

  package init(key: Bytes, data: Bytes) {
    self.key = key
    self.data = data
  }

  /// The size of a payload that is not there, though its size is.
  package static var missing: Int { .min }

  /// The bytes that law 9 counts besides key and payload: no row takes more in memory or in the changes of an event.
  package static var overhead: Int { 64 }

  /// The most bytes of a key.
  package static var longestKey: Int { 255 }
}

/// Which part of a longer sequence a list shows.
package struct ListWindow: Equatable {
  /// How many rows of the sequence come before those of the list.
  package var offset: Int
  /// How many rows the list has.
  package var count: Int
  /// How many rows the sequence has.
  package var total: Int

  package init(offset: Int, count: Int, total: Int) {
    (self.offset, self.count, self.total) = (offset, count, total)
  }

  /// A list that is all of its sequence.
  package init(all count: Int) { self.init(offset: 0, count: count, total: count) }

  /// Whether it ends within its sequence.
  package var isSound: Bool {
    offset >= 0 && count >= 0 && offset <= total && count <= total &- offset
  }

  /// Whether the sequence has other rows, too.
  package var isPart: Bool { count != total }
}

/// Rows in one piece of memory, which the versions of a list share: it never changes once it is made, and the last
/// version to release it frees it.
///
/// A bit for each hash of its keys follows it directly, then the places of its rows, then their bytes: of each row, from a multiple of 8 on, the payload, a
/// zero, the key, a zero.
struct RowChunk: ~Copyable {
  private let sharers = Atomic<Int>(0)
  private(set) var count = 0
  private let capacity: Int
  private(set) var used = 0

  typealias Pointer = UnsafeMutablePointer<RowChunk>

  /// A row's hash, and where its bytes are.
  struct Place {
    fileprivate(set) var hash: UInt32
    fileprivate var offset: UInt32
    fileprivate var size: UInt32
    fileprivate var keySize: UInt32
  }

  private init(_ capacity: Int) { self.capacity = capacity }

  /// As many rows as are copied at most when one of them changes.
  static var mostRows: Int { 128 }
  /// A chunk of more bytes has one row.
  static var mostBytes: Int { 16_384 }

  /// The bytes that a row takes in it.
  static func bytes(of row: ListRow) -> Int { (row.data.count &+ row.key.count &+ 9) & ~7 }

  /// Room for so many rows with so many bytes; nil without memory.
  static func make(_ rows: Int, bytes: Int) -> Pointer? {
    let size =
      MemoryLayout<RowChunk>.stride &+ hashWords &* 8 &+ rows &* MemoryLayout<Place>.stride &+ bytes
    guard let memory = Memory.allocate(UInt8.self, count: size) else { return nil }
    let chunk = UnsafeMutableRawPointer(memory).bindMemory(to: RowChunk.self, capacity: 1)
    chunk.initialize(to: RowChunk(rows))
    hashes(of: chunk).initialize(repeating: 0, count: hashWords)
    return chunk
  }

  static func retain(_ chunk: Pointer) { chunk.pointee.sharers.wrappingAdd(1, ordering: .relaxed) }

  static func release(_ chunk: Pointer) {
    guard
      chunk.pointee.sharers.wrappingSubtract(1, ordering: .acquiringAndReleasing).oldValue == 0
    else { return }
    Memory.free(chunk)
  }

  @inline(__always)
  static func places(of chunk: Pointer) -> UnsafeMutablePointer<Place> {
    UnsafeMutableRawPointer(hashes(of: chunk) + hashWords).assumingMemoryBound(to: Place.self)
  }

  /// Eight bits for each row that there may be.
  private static var hashWords: Int { mostRows / 8 }

  @inline(__always)
  private static func hashes(of chunk: Pointer) -> UnsafeMutablePointer<UInt64> {
    UnsafeMutableRawPointer(chunk + 1).assumingMemoryBound(to: UInt64.self)
  }

  /// Whether a row may have a key with this hash: mostly none has, and no row need be looked at.
  @inline(__always)
  static func mayHave(_ hash: UInt32, in chunk: Pointer) -> Bool {
    hashes(of: chunk)[Int(hash >> 6) & (hashWords &- 1)] &>> UInt64(hash & 63) & 1 != 0
  }

  private static func bytes(of chunk: Pointer) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(places(of: chunk) + chunk.pointee.capacity)
  }

  /// Adds a row, for which there is room.
  static func append(_ row: ListRow, hash: UInt32, to chunk: Pointer) {
    let offset = chunk.pointee.used
    let start = bytes(of: chunk) + offset
    start.copyMemory(from: row.data.start, byteCount: row.data.count)
    start.storeBytes(of: 0, toByteOffset: row.data.count, as: UInt8.self)
    let key = start + row.data.count + 1
    key.copyMemory(from: row.key.start, byteCount: row.key.count)
    key.storeBytes(of: 0, toByteOffset: row.key.count, as: UInt8.self)
    (places(of: chunk) + chunk.pointee.count).initialize(
      to: Place(
        hash: hash, offset: UInt32(truncatingIfNeeded: offset),
        size: UInt32(truncatingIfNeeded: row.data.count),
        keySize: UInt32(truncatingIfNeeded: row.key.count)))
    hashes(of: chunk)[Int(hash >> 6) & (hashWords &- 1)] |= 1 &<< UInt64(hash & 63)
    chunk.pointee.count &+= 1
    chunk.pointee.used = offset &+ bytes(of: row)
  }

  @inline(__always)
  static func row(_ index: Int, of chunk: Pointer) -> ListRow {
    let place = places(of: chunk)[index]
    let start = bytes(of: chunk) + Int(place.offset)
    return ListRow(
      key: Bytes(start + Int(place.size) + 1, Int(place.keySize)),
      data: Bytes(start, Int(place.size)))
  }
}
