// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Maps a session's numbers to this context's. No file can make it slow.
struct NumberMap: ~Copyable {
  private struct Pair: HashTableEntry {
    var key: UInt32 = 0
    var value: UInt32 = 0

    var isFree: Bool { key == 0 }
    static func hash(_ key: UInt32) -> UInt64 { Hash.salted(UInt64(key)) }
  }

  private var table = HashTable<Pair>()

  deinit {
    var table = table
    table.free()
  }

  var count: Int { table.count }

  /// The context's number for a session's number; nil if there is none.
  func find(_ key: UInt32) -> UInt32? { table.find(key)?.pointee.value }

  /// Maps a number; false without memory.
  mutating func set(_ key: UInt32, _ value: UInt32) -> Bool {
    guard key != 0, table.reserve() else { return false }
    if let known = table.find(key) {
      known.pointee.value = value
    } else {
      table.insert(Pair(key: key, value: value))
    }
    return true
  }

  /// Visits the context's numbers, in no order.
  func each(_ visit: (UInt32) -> Void) {
    table.each { visit($0.value) }
  }

  mutating func clear() { table.free() }
}
