// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Numbers by name: an open-addressing table with linear probing. The hash is keyed, so that nobody can choose names
/// that collide.
package struct NameTable {
  private struct Place {
    var name: Bytes
    var number: UInt32  // 0: the place is free
  }

  private var places: UnsafeMutablePointer<Place>?
  private var capacity = 0
  private var count = 0

  package init() {}

  /// The number stored under a name; 0 if there is none.
  package func find(_ name: Bytes) -> UInt32 {
    guard let places else { return 0 }
    return places[place(of: name, in: places, capacity)].number
  }

  /// Makes room for one more name, so that the next `insert` cannot fail.
  package mutating func reserve() -> Bool {
    guard (count &+ 1) &* 2 > capacity else { return true }
    let wider = capacity == 0 ? 32 : capacity &* 2
    guard let fresh = Memory.allocate(Place.self, count: wider) else { return false }
    fresh.initialize(repeating: Place(name: Bytes(""), number: 0), count: wider)
    var index = 0
    while index < capacity {
      if let old = places?[index], old.number != 0 {
        fresh[place(of: old.name, in: fresh, wider)] = old
      }
      index &+= 1
    }
    Memory.free(places)
    places = fresh
    capacity = wider
    return true
  }

  /// Stores a name that is not there yet, after `reserve`. The bytes must live as long as the table.
  package mutating func insert(_ name: Bytes, _ number: UInt32) {
    guard let places else { return }
    places[place(of: name, in: places, capacity)] = Place(name: name, number: number)
    count &+= 1
  }

  /// Removes a name. Entries behind it move up where they may, so that none becomes unreachable.
  package mutating func remove(_ name: Bytes) {
    guard let places else { return }
    var hole = place(of: name, in: places, capacity)
    guard places[hole].number != 0 else { return }
    count &-= 1
    var index = hole
    while true {
      places[hole].number = 0
      repeat {
        index = (index &+ 1) & (capacity &- 1)
        guard places[index].number != 0 else { return }
      } while !isBetter(hole, than: index, for: places[index].name)
      places[hole] = places[index]
      hole = index
    }
  }

  /// Whether a free place is nearer to where a name belongs than the place it has.
  private func isBetter(_ hole: Int, than index: Int, for name: Bytes) -> Bool {
    let first = Int(truncatingIfNeeded: Self.hash(name)) & (capacity &- 1)
    return (hole &- first) & (capacity &- 1) < (index &- first) & (capacity &- 1)
  }

  package mutating func free() {
    Memory.free(places)
    self = NameTable()
  }

  /// The index of the name, or the free place where it belongs.
  private func place(
    of name: Bytes, in places: UnsafeMutablePointer<Place>, _ capacity: Int
  ) -> Int {
    var index = Int(truncatingIfNeeded: Self.hash(name)) & (capacity &- 1)
    while places[index].number != 0, places[index].name != name {
      index = (index &+ 1) & (capacity &- 1)
    }
    return index
  }
}

extension NameTable {
  /// SipHash-1-3 (Aumasson and Bernstein), keyed by the process's salt.
  private static func hash(_ name: Bytes) -> UInt64 {
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
