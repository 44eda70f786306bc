// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The names and rights of a stream's origins, by number, kept until the context is closed. Number 0, the
/// context itself, has no name and all rights. Under the stream's lock.
package struct Origins {
  private struct Entry {
    let name: Name
    var rights: Rights
    /// How many scopes had the name before it, and, for the first of them, how many have it.
    let namesakes: UInt32
    var count: UInt32
    /// It was there before any scope had the name.
    var isNamed = false
    /// What it was denied so far.
    var denials: UInt64 = 0
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private var capacity = 0
  package private(set) var count = 0
  /// The first origin of each name.
  private var numbers = NameTable()

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

  /// How many origins had the same name before this one.
  package func namesakes(of origin: UInt32) -> UInt32 {
    guard origin > 0, Int(origin) <= count, let entries else { return 0 }
    return entries[Int(origin) &- 1].namesakes
  }

  /// The number of a scope's origin: a new one, or that of its name, if no scope has had it yet.
  package mutating func add(_ name: Bytes, _ rights: Rights) -> UInt32? {
    let first = numbers.find(name)
    if first != 0, let entries, entries[Int(first) &- 1].count == 0 {
      entries[Int(first) &- 1].rights = rights
      entries[Int(first) &- 1].count = 1
      return first
    }
    guard reserve(), let entries, let kept = Name(copying: name) else { return nil }
    let namesakes = first == 0 ? 0 : entries[Int(first) &- 1].count
    (entries + count).initialize(
      to: Entry(name: kept, rights: rights, namesakes: namesakes, count: 1))
    count &+= 1
    let origin = UInt32(truncatingIfNeeded: count)
    if first == 0 {
      numbers.insert(kept.bytes, origin)
    } else {
      entries[Int(first) &- 1].count &+= 1
    }
    return origin
  }

  /// The first origin that has a name, made where there is none: for events that were sent elsewhere.
  package mutating func number(of name: Bytes) -> UInt32? {
    let known = numbers.find(name)
    guard known == 0 else { return known }
    guard reserve(), let entries, let kept = Name(copying: name) else { return nil }
    (entries + count).initialize(
      to: Entry(name: kept, rights: .all, namesakes: 0, count: 0, isNamed: true))
    count &+= 1
    numbers.insert(kept.bytes, UInt32(truncatingIfNeeded: count))
    return UInt32(truncatingIfNeeded: count)
  }

  /// Room for one more.
  private mutating func reserve() -> Bool {
    guard numbers.reserve() else { return false }
    guard count == capacity else { return true }
    let wider = capacity == 0 ? 8 : capacity &* 2
    guard let fresh = Memory.allocate(Entry.self, count: wider) else { return false }
    if let entries { fresh.moveInitialize(from: entries, count: count) }
    Memory.free(entries)
    entries = fresh
    capacity = wider
    return true
  }

  /// Takes the one back that was added last.
  package mutating func takeBack(_ origin: UInt32) {
    guard let entries else { return }
    let entry = entries[Int(origin) &- 1]
    let first = numbers.find(entry.name.bytes)
    entries[Int(first) &- 1].count &-= 1
    guard !entry.isNamed else { return }
    if first == origin { numbers.remove(entry.name.bytes) }
    count &-= 1
    entry.name.free()
  }

  package mutating func free() {
    while count > 0 {
      count &-= 1
      entries?[count].name.free()
    }
    numbers.free()
    Memory.free(entries)
    self = Origins()
  }
}
