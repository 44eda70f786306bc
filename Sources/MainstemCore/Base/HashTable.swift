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

/// Numbers by name. The hash is keyed, so that nobody can choose names that collide.
package struct NameTable {
  private struct Numbered: HashTableEntry {
    var name = Bytes("")
    var number: UInt32 = 0

    var isFree: Bool { number == 0 }
    var key: Bytes { name }
    @_optimize(speed)
    static func hash(_ name: Bytes) -> UInt64 { NameTable.hash(name) }
  }

  private var table = HashTable<Numbered>()

  package init() {}

  /// The number stored under a name; 0 if there is none.
  package func find(_ name: Bytes) -> UInt32 { table.find(name)?.pointee.number ?? 0 }

  /// Makes room for one more name, so that the next `insert` cannot fail.
  package mutating func reserve() -> Bool { table.reserve() }

  /// Stores a name that is not there yet, after `reserve`. The bytes must live as long as the table.
  package mutating func insert(_ name: Bytes, _ number: UInt32) {
    table.insert(Numbered(name: name, number: number))
  }

  package mutating func remove(_ name: Bytes) { table.remove(name) }

  package mutating func free() { table.free() }
}

extension NameTable {
  /// SipHash-1-3 (Aumasson and Bernstein), keyed by the process's salt.
  @_optimize(speed)
  package static func hash(_ name: Bytes) -> UInt64 {
    var state = SipState(key: mainstem_p_handle_salt())
    var index = 0
    while index &+ 8 <= name.count {
      state.absorb(name.start.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index &+= 8
    }
    var last = UInt64(truncatingIfNeeded: name.count) << 56
    var shift: UInt64 = 0
    while index < name.count {
      last |= UInt64(name[index]) << shift
      shift &+= 8
      index &+= 1
    }
    state.absorb(last)
    return state.finish()
  }

  private struct SipState {
    private var a: UInt64
    private var b: UInt64
    private var c: UInt64
    private var d: UInt64

    init(key: UInt64) {
      let other = key &* 0x9E37_79B9_7F4A_7C15
      a = key ^ 0x736f_6d65_7073_6575
      b = other ^ 0x646f_7261_6e64_6f6d
      c = key ^ 0x6c79_6765_6e65_7261
      d = other ^ 0x7465_6462_7974_6573
    }

    mutating func absorb(_ word: UInt64) {
      d ^= word
      round()
      a ^= word
    }

    mutating func finish() -> UInt64 {
      c ^= 0xFF
      round()
      round()
      round()
      return a ^ b ^ c ^ d
    }

    private mutating func round() {
      a = a &+ b
      c = c &+ d
      b = (b << 13 | b >> 51) ^ a
      d = (d << 16 | d >> 48) ^ c
      a = a << 32 | a >> 32
      c = c &+ b
      a = a &+ d
      b = (b << 17 | b >> 47) ^ c
      d = (d << 21 | d >> 43) ^ a
      c = c << 32 | c >> 32
    }
  }
}
