// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The origins whose names a file has, each with its number there and the digest of its name. A number is reused in the
/// file when its origin is forgotten.
///
/// A hash table with open addressing and linear probing. The stream counts its numbers up, so their low bits spread
/// best.
struct RecordedOrigins {
  struct Place {
    var key: UInt32 = 0  // 0: the place is free
    var number: UInt32 = 0
    var digest = Digest()
  }

  private var places: UnsafeMutablePointer<Place>?
  private var capacity = 0
  private var count = 0
  private var lastNumber: UInt32 = 0
  /// Numbers that are free again.
  private var free: UnsafeMutablePointer<UInt32>?
  private var freeCount = 0
  private var freeCapacity = 0

  init() {}

  /// What was recorded of an origin; nil if nothing was.
  func find(_ origin: UInt32) -> Place? {
    guard let places else { return nil }
    let place = places[place(of: origin)]
    return place.key == 0 ? nil : place
  }

  /// Numbers an origin. Without memory the number is not remembered, and the origin is recorded again under another.
  mutating func add(_ origin: UInt32, _ digest: Digest) -> Place {
    var new = Place(key: origin, number: 0, digest: digest)
    if freeCount > 0, let free {
      freeCount &-= 1
      new.number = free[freeCount]
    } else {
      lastNumber &+= 1
      new.number = lastNumber
    }
    guard reserve(), let places else { return new }
    places[place(of: origin)] = new
    count &+= 1
    return new
  }

  /// Forgets an origin that will not come again. Without memory its number is not reused.
  mutating func forget(_ origin: UInt32) {
    guard let places else { return }
    let place = place(of: origin)
    guard places[place].key != 0 else { return }
    if reserveFree(), let free {
      free[freeCount] = places[place].number
      freeCount &+= 1
    }
    remove(place)
  }

  /// Forgets everything, for the next file.
  mutating func clear() {
    places?.update(repeating: Place(), count: capacity)
    (count, freeCount, lastNumber) = (0, 0, 0)
  }

  mutating func freeMemory() {
    Memory.free(places)
    Memory.free(free)
    self = RecordedOrigins()
  }

  private func place(of origin: UInt32) -> Int {
    var place = Int(origin) & (capacity &- 1)
    while let places, places[place].key != 0, places[place].key != origin {
      place = (place &+ 1) & (capacity &- 1)
    }
    return place
  }

  private mutating func reserve() -> Bool {
    guard (count &+ 1) &* 2 > capacity else { return true }
    let (old, size) = (places, capacity)
    let wider = max(16, size &* 2)
    guard let fresh = Memory.allocate(Place.self, count: wider) else { return false }
    fresh.initialize(repeating: Place(), count: wider)
    (places, capacity) = (fresh, wider)
    var index = 0
    while index < size, let old {
      if old[index].key != 0 { fresh[place(of: old[index].key)] = old[index] }
      index &+= 1
    }
    Memory.free(old)
    return true
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

  /// Frees a place and moves up the entries behind it, so that probing still finds them.
  private mutating func remove(_ place: Int) {
    guard let places else { return }
    let mask = capacity &- 1
    var (hole, index) = (place, place)
    places[hole] = Place()
    count &-= 1
    while true {
      index = (index &+ 1) & mask
      guard places[index].key != 0 else { return }
      let home = Int(places[index].key) & mask
      guard (hole &- home) & mask < (index &- home) & mask else { continue }
      places[hole] = places[index]
      places[index] = Place()
      hole = index
    }
  }
}
