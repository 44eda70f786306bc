// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The numbers of scopes, the same whenever a session is replayed. Each derives from the parent's number, the scope's
/// name, the position of the event in whose callback it was made (0 outside), and how many scopes of that name were
/// made below that parent at that event. Under the stream's lock.
///
/// What a replay does not call again is counted apart: callbacks on schedulers, which may run beside the delivery, and
/// completions of requests from outside.
///
/// A count is kept as long as one of its scopes lives, and as long as its event is the last at which a scope was made.
/// So no two live scopes have the same number, and there are never more counts than scopes.
package struct ScopeNumbers {
  private struct Place {
    var key: UInt64 = 0  // 0: the place is free
    var position: UInt64 = 0
    /// How many scopes were made, and how many of them live.
    var count: UInt32 = 0
    var live: UInt32 = 0
    /// Whether it is in the list to look at with the next event, and the key of the next in the list.
    var isListed = false
    var next: UInt64 = 0
  }

  private var places: UnsafeMutablePointer<Place>?
  private var bits: UInt64 = 0
  private var count = 0
  /// What was counted last, by callbacks that a replay calls again and by others.
  private var repeated = Newest()
  private var unrepeated = Newest()

  /// The last event at which a scope was made, and the list of what was counted there.
  private struct Newest {
    var position: UInt64 = 0
    var listed: UInt64 = 0
  }

  package init() {}

  /// Added to the position of an event whose callback no replay calls again.
  package static var unrepeated: UInt64 { 1 << 63 }

  /// A number, and the key that reports its end.
  package struct Drawn {
    package let number: UInt64
    package let key: UInt64
  }

  /// The number of one more scope; nil without memory.
  package mutating func draw(_ name: Bytes, below parent: UInt64, at position: UInt64) -> Drawn? {
    if position != 0, position != self[position].position { forget(upTo: position) }
    let key = Self.number(name, parent, position, 0)
    guard let which = count(key, at: position) else { return nil }
    return Drawn(number: Self.number(name, parent, position, UInt64(which)), key: key)
  }

  /// The identity of a scope made outside callbacks: derived from its name and from how many of that name were made
  /// anywhere. The identity of any other scope is its number.
  package mutating func drawIdentity(_ name: Bytes) -> Drawn? {
    let key = Self.number(name, .max, 0, 0)
    guard let which = count(key, at: 0) else { return nil }
    return Drawn(number: SeededRandom.number(ofName: name, UInt64(which)), key: key)
  }

  /// Counts one more with a key.
  ///
  /// - Returns: How many there were before; nil without memory.
  private mutating func count(_ key: UInt64, at position: UInt64) -> UInt32? {
    guard reserve(), let places else { return nil }
    let place = place(of: key, in: places, bits)
    if places[place].key == 0 {
      places[place] = Place(key: key, position: position)
      count &+= 1
    }
    let which = places[place].count
    places[place].count &+= 1
    places[place].live &+= 1
    return which
  }

  /// Notes that a scope with a key has ended.
  package mutating func end(_ key: UInt64) {
    guard let places, let place = find(key) else { return }
    places[place].live &-= 1
    guard places[place].live == 0, !places[place].isListed else { return }
    let position = places[place].position
    guard position != 0, position == self[position].position else { return remove(place) }
    places[place].isListed = true
    places[place].next = self[position].listed
    self[position].listed = key
  }

  /// Takes back the number drawn last with a key.
  package mutating func takeBack(_ key: UInt64) {
    guard let places, let place = find(key) else { return }
    places[place].count &-= 1
    end(key)
  }

  package mutating func free() {
    Memory.free(places)
    self = ScopeNumbers()
  }

  /// Never 0.
  private static func number(
    _ name: Bytes, _ parent: UInt64, _ position: UInt64, _ which: UInt64
  ) -> UInt64 {
    max(SeededRandom.number(SeededRandom.number(ofName: name, which), parent, position, 0), 1)
  }

  /// Forgets what was counted at the last event, unless one of those scopes lives.
  private mutating func forget(upTo position: UInt64) {
    var listed = self[position].listed
    self[position] = Newest(position: position)
    while listed != 0, let place = find(listed), let places {
      listed = places[place].next
      places[place].isListed = false
      if places[place].live == 0 { remove(place) }
    }
  }

  /// What was counted last by the kind of callback that a position is of.
  private subscript(position: UInt64) -> Newest {
    get { position & Self.unrepeated == 0 ? repeated : unrepeated }
    set {
      if position & Self.unrepeated == 0 { repeated = newValue } else { unrepeated = newValue }
    }
  }
}

/// An open-addressing table with linear probing.
extension ScopeNumbers {
  private var capacity: Int { places == nil ? 0 : 1 << Int(bits) }

  private func find(_ key: UInt64) -> Int? {
    guard let places else { return nil }
    let place = place(of: key, in: places, bits)
    return places[place].key == 0 ? nil : place
  }

  /// The index of a key, or the free place where it belongs.
  private func place(
    of key: UInt64, in places: UnsafeMutablePointer<Place>, _ bits: UInt64
  ) -> Int {
    var place = first(key, bits)
    while places[place].key != 0, places[place].key != key {
      place = (place &+ 1) & ((1 << Int(bits)) &- 1)
    }
    return place
  }

  private func first(_ key: UInt64, _ bits: UInt64) -> Int {
    let multiplier = (mainstem_p_handle_salt() ^ 0x9E37_79B9_7F4A_7C15) | 1
    return Int(truncatingIfNeeded: (key &* multiplier) >> (64 &- bits))
  }

  /// Makes room for one more.
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

  /// Frees a place. Entries behind it move up where they may, so that none becomes unreachable.
  private mutating func remove(_ place: Int) {
    guard let places else { return }
    let mask = capacity &- 1
    var (hole, index) = (place, place)
    count &-= 1
    while true {
      places[hole] = Place()
      repeat {
        index = (index &+ 1) & mask
        guard places[index].key != 0 else { return }
        let home = first(places[index].key, bits)
        if (hole &- home) & mask < (index &- home) & mask { break }
      } while true
      places[hole] = places[index]
      hole = index
    }
  }
}
