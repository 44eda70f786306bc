// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Maps a session's numbers to this context's: a small table that no file can make slow, like `NumberedNames`.
struct NumberMap: ~Copyable {
  private struct Place {
    var key: UInt32 = 0  // 0: the place is free
    var value: UInt32 = 0
  }

  private var places: UnsafeMutablePointer<Place>?
  private var bits: UInt64 = 0
  private(set) var count = 0

  deinit { Memory.free(places) }

  /// The context's number for a session's number; nil if there is none.
  func find(_ key: UInt32) -> UInt32? {
    guard let places, key != 0 else { return nil }
    let found = places[place(of: key, in: places, bits)]
    return found.key == 0 ? nil : found.value
  }

  /// Maps a number; false without memory.
  mutating func set(_ key: UInt32, _ value: UInt32) -> Bool {
    guard key != 0, reserve(), let places else { return false }
    let place = place(of: key, in: places, bits)
    if places[place].key == 0 { count &+= 1 }
    places[place] = Place(key: key, value: value)
    return true
  }

  /// Visits the context's numbers.
  func each(_ visit: (UInt32) -> Void) {
    var index = 0
    while index < capacity, let places {
      if places[index].key != 0 { visit(places[index].value) }
      index &+= 1
    }
  }

  private var capacity: Int { places == nil ? 0 : 1 << Int(bits) }

  mutating func clear() {
    Memory.free(places)
    (places, bits, count) = (nil, 0, 0)
  }

  private mutating func reserve() -> Bool {
    guard (count &+ 1) &* 2 > capacity else { return true }
    let wider = max(bits &+ 1, 4)
    guard let fresh = Memory.allocate(Place.self, count: 1 << Int(wider)) else { return false }
    fresh.initialize(repeating: Place(), count: 1 << Int(wider))
    var index = 0
    while index < capacity {
      if let old = places?[index], old.key != 0 {
        fresh[place(of: old.key, in: fresh, wider)] = old
      }
      index &+= 1
    }
    Memory.free(places)
    (places, bits) = (fresh, wider)
    return true
  }

  /// The place of a number, or the free place where it belongs.
  private func place(
    of key: UInt32, in places: UnsafeMutablePointer<Place>, _ bits: UInt64
  ) -> Int {
    let multiplier = (mainstem_p_handle_salt() ^ 0x9E37_79B9_7F4A_7C15) | 1
    let mask = (1 << Int(bits)) &- 1
    var place = Int(truncatingIfNeeded: ((UInt64(key) &+ 1) &* multiplier) >> (64 &- bits))
    while places[place].key != 0, places[place].key != key { place = (place &+ 1) & mask }
    return place
  }
}
