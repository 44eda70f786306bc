// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The names and rights of a stream's origins, by number, kept until the context is closed. Number 0, the
/// context itself, has no name and all rights. Under the stream's lock.
package struct Origins {
  private struct Entry {
    let name: Name
    let rights: Rights
    /// What it was denied so far.
    var denials: UInt64 = 0
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private var capacity = 0
  package private(set) var count = 0

  package init() {}

  package subscript(origin: UInt32) -> Bytes? {
    if origin == 0 { return Bytes("") }
    guard Int(origin) <= count, let entries else { return nil }
    return entries[Int(origin) &- 1].name.bytes
  }

  /// What may be done through a scope; also when that has ended.
  package func rights(of origin: UInt32) -> Rights {
    guard origin > 0, Int(origin) <= count, let entries else { return .all }
    return entries[Int(origin) &- 1].rights
  }

  /// Counts a denial: which one it is; 0 where there is no such origin any more.
  package mutating func deny(_ origin: UInt32) -> UInt64 {
    guard origin > 0, Int(origin) <= count, let entries else { return 0 }
    entries[Int(origin) &- 1].denials &+= 1
    return entries[Int(origin) &- 1].denials
  }

  /// The number of a new origin.
  package mutating func add(_ name: Bytes, _ rights: Rights) -> UInt32? {
    if count == capacity {
      let wider = capacity == 0 ? 8 : capacity &* 2
      guard let fresh = Memory.allocate(Entry.self, count: wider) else { return nil }
      if let entries { fresh.moveInitialize(from: entries, count: count) }
      Memory.free(entries)
      entries = fresh
      capacity = wider
    }
    guard let entries, let kept = Name(copying: name) else { return nil }
    (entries + count).initialize(to: Entry(name: kept, rights: rights))
    count &+= 1
    return UInt32(truncatingIfNeeded: count)
  }

  /// Takes the last one back.
  package mutating func removeLast() {
    count &-= 1
    entries?[count].name.free()
  }

  package mutating func free() {
    while count > 0 { removeLast() }
    Memory.free(entries)
    self = Origins()
  }
}
