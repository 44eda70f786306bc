// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The names of a stream's origins, by number, kept until the context is closed. Number 0, the context
/// itself, has none. Under the stream's lock.
package struct Origins {
  private var names: UnsafeMutablePointer<Name>?
  private var capacity = 0
  package private(set) var count = 0

  package init() {}

  package subscript(origin: UInt32) -> Bytes? {
    if origin == 0 { return Bytes("") }
    guard Int(origin) <= count, let names else { return nil }
    return names[Int(origin) &- 1].bytes
  }

  /// The number of a new origin.
  package mutating func add(_ name: Bytes) -> UInt32? {
    if count == capacity {
      let wider = capacity == 0 ? 8 : capacity &* 2
      guard let fresh = Memory.allocate(Name.self, count: wider) else { return nil }
      if let names { fresh.moveInitialize(from: names, count: count) }
      Memory.free(names)
      names = fresh
      capacity = wider
    }
    guard let names, let kept = Name(copying: name) else { return nil }
    (names + count).initialize(to: kept)
    count &+= 1
    return UInt32(truncatingIfNeeded: count)
  }

  /// Takes the last one back.
  package mutating func removeLast() {
    count &-= 1
    names?[count].free()
  }

  package mutating func free() {
    while count > 0 { removeLast() }
    Memory.free(names)
    self = Origins()
  }
}
