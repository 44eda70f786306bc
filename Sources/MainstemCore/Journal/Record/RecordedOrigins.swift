// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The origins whose names a file has, each with its number there and the digest of its name. A number is reused in the
/// file when its origin is forgotten.
struct RecordedOrigins {
  struct Entry: HashTableEntry {
    var origin: UInt32 = 0
    var number: UInt32 = 0
    var digest = Digest()

    var isFree: Bool { origin == 0 }
    var key: UInt32 { origin }
    static func hash(_ origin: UInt32) -> UInt64 { Hash.counted(origin) }
  }

  private var table = HashTable<Entry>()
  private var lastNumber: UInt32 = 0
  /// Numbers that are free again.
  private var free: UnsafeMutablePointer<UInt32>?
  private var freeCount = 0
  private var freeCapacity = 0

  init() {}

  /// What was recorded of an origin; nil if nothing was.
  func find(_ origin: UInt32) -> Entry? { table.find(origin)?.pointee }

  /// Numbers an origin. Without memory the number is not remembered, and the origin is recorded again under another.
  mutating func add(_ origin: UInt32, _ digest: Digest) -> Entry {
    var new = Entry(origin: origin, number: 0, digest: digest)
    if freeCount > 0, let free {
      freeCount &-= 1
      new.number = free[freeCount]
    } else {
      lastNumber &+= 1
      new.number = lastNumber
    }
    if table.reserve() { table.insert(new) }
    return new
  }

  /// Forgets an origin that will not come again. Without memory its number is not reused.
  mutating func forget(_ origin: UInt32) {
    guard let entry = find(origin) else { return }
    if reserveFree(), let free {
      free[freeCount] = entry.number
      freeCount &+= 1
    }
    table.remove(origin)
  }

  /// Forgets everything, for the next file.
  mutating func clear() {
    table.clear()
    (freeCount, lastNumber) = (0, 0)
  }

  mutating func freeMemory() {
    table.free()
    Memory.free(free)
    self = RecordedOrigins()
  }

  private mutating func reserveFree() -> Bool {
    guard freeCount == freeCapacity else { return true }
    let wider = max(16, freeCapacity &* 2)
    guard let fresh = Memory.allocate(UInt32.self, count: wider) else { return false }
    if let free { fresh.update(from: free, count: freeCount) }
    Memory.free(free)
    (free, freeCapacity) = (fresh, wider)
    return true
  }
}
