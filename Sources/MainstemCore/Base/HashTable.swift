// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a `HashTable` keeps in one of its places.
package protocol HashTableEntry {
  associatedtype Key: Equatable

  /// What a free place contains.
  init()
  var isFree: Bool { get }
  /// The key, if it is not free.
  var key: Key { get }
  /// The upper half of a key's hash says where it belongs: see `Hash`. Always the same for the same key.
  static func hash(_ key: Key) -> UInt64
}

/// Entries by key: open addressing with linear probing, at most half full. A removed entry leaves no mark: those behind
/// it move up.
///
/// The order of the places depends on the process's salt, so nothing that a program sees may follow it.
package struct HashTable<Entry: HashTableEntry> {
  private var places: UnsafeMutablePointer<Entry>?
  /// The capacity less one; the capacity is a power of two.
  private var mask = 0
  package private(set) var count = 0

  package init() {}

  private var capacity: Int { places == nil ? 0 : mask &+ 1 }

  /// The entry of a key, to read or to change except for its key; nil if there is none. Valid until the table changes.
  package func find(_ key: Entry.Key) -> UnsafeMutablePointer<Entry>? {
    guard let places else { return nil }
    let place = places + index(of: key, in: places)
    return place.pointee.isFree ? nil : place
  }

  /// Like `find`, of a key that no free place has; nil also if the entry is not where it belongs, because others are in
  /// its way.
  @inline(__always)
  package func findAtHome(_ key: Entry.Key) -> UnsafeMutablePointer<Entry>? {
    guard let places else { return nil }
    let place = places + home(of: key)
    return place.pointee.key == key ? place : nil
  }

  /// Makes room for one more entry, so that the next `insert` cannot fail; false without memory: nothing has changed.
  package mutating func reserve() -> Bool {
    guard (count &+ 1) &* 2 > capacity else { return true }
    var wider = HashTable()
    let size = max(capacity &* 2, 16)
    wider.mask = size &- 1
    guard let fresh = Memory.allocate(Entry.self, count: size) else { return false }
    fresh.initialize(repeating: Entry(), count: size)
    wider.places = fresh
    var index = 0
    while index < capacity, let places {
      if !places[index].isFree { wider.insert(places[index]) }
      index &+= 1
    }
    Memory.free(places)
    self = wider
    return true
  }

  /// Inserts an entry whose key is not there yet, after `reserve`.
  package mutating func insert(_ entry: Entry) {
    guard let places else { return }
    places[index(of: entry.key, in: places)] = entry
    count &+= 1
  }

  /// Removes a key's entry, if there is one. Entries behind it move up where they may, so that none becomes unreachable.
  package mutating func remove(_ key: Entry.Key) {
    guard let places else { return }
    var hole = index(of: key, in: places)
    guard !places[hole].isFree else { return }
    count &-= 1
    var index = hole
    while true {
      places[hole] = Entry()
      repeat {
        index = (index &+ 1) & mask
        guard !places[index].isFree else { return }
        let home = home(of: places[index].key)
        if (hole &- home) & mask < (index &- home) & mask { break }
      } while true
      places[hole] = places[index]
      hole = index
    }
  }

  /// Visits all entries, in no order.
  package func each(_ visit: (Entry) -> Void) {
    var index = 0
    while index < capacity, let places {
      if !places[index].isFree { visit(places[index]) }
      index &+= 1
    }
  }

  /// Removes all entries, and keeps the memory.
  package mutating func clear() {
    places?.update(repeating: Entry(), count: capacity)
    count = 0
  }

  package mutating func free() {
    Memory.free(places)
    self = HashTable()
  }

  /// The index of a key's entry, or of the free place where it belongs.
  private func index(of key: Entry.Key, in places: UnsafeMutablePointer<Entry>) -> Int {
    var index = home(of: key)
    while !places[index].isFree, places[index].key != key {
      index = (index &+ 1) & mask
    }
    return index
  }

  /// Where a key belongs if nothing is in its way.
  @inline(__always)
  private func home(of key: Entry.Key) -> Int {
    Int(truncatingIfNeeded: Entry.hash(key) &>> 32) & mask
  }
}

/// Hashes of numbers.
package enum Hash {
  private static var golden: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  /// For numbers that come from outside: nobody can choose ones that collide. Only where a context exists: the process
  /// draws its salt with its first handle.
  package static func salted(_ number: UInt64) -> UInt64 {
    number &* ((mainstem_p_handle_salt() ^ golden) | 1)
  }

  /// For numbers that we count up ourselves: Fibonacci hashing puts neighbors far apart.
  package static func counted(_ number: UInt32) -> UInt64 { UInt64(number) &* golden }
}
