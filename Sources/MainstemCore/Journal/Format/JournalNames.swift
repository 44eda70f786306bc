// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The names behind the numbers in a session's events: types, layers and origins.
package struct JournalNames: ~Copyable {
  package var types = NumberedNames()
  package var layers = NumberedNames()
  package var origins = NumberedNames()

  package init() {}

  /// Takes in a record of a name; false: no writer makes such a record.
  package mutating func take(_ record: JournalRecord, version: UInt32) throws(Refusal) -> Bool {
    let number = record.half(at: 0)
    switch record.kind {
    case RecordFormat.Kind.type:
      let names = record.text(from: 16)
      guard record.size > 16, number != 0, let first = names.upToZero, first.count > 0,
        let response = names.dropping(first.count &+ 1).upToZero, first.isUTF8, response.isUTF8
      else { return false }
      try types.set(number, first, response: response, contract: record.word(at: 8))
    case RecordFormat.Kind.layer:
      let name = record.text(from: 4)
      guard number < Layers.limit, name.isName else { return false }
      try layers.set(number, name)
    default:
      guard let origin = record.origin(version: version), number != 0, origin.name.isName else {
        return false
      }
      try origins.set(number, origin.name)
    }
    return true
  }

  /// Whether a record would change a name rather than add one.
  func changes(_ record: JournalRecord, version: UInt32) -> Bool {
    let number = record.half(at: 0)
    switch record.kind {
    case RecordFormat.Kind.session: return true
    case RecordFormat.Kind.type: return types.name(of: number) != nil
    case RecordFormat.Kind.layer: return layers.name(of: number) != nil
    case RecordFormat.Kind.origin:
      // A reused number mostly goes to a scope of the same name.
      guard let name = origins.name(of: number) else { return false }
      return record.origin(version: version)?.name != name
    default: return false
    }
  }

  deinit {
    types.free()
    layers.free()
    origins.free()
  }
}

/// Names by number and numbers by name, in memory no larger than the records that gave them.
///
/// A file may give any number to anything. So numbers and names are hashed with a multiplier of this process, and
/// nobody can choose ones that collide.
///
/// Not a `HashTable`, whose hash must never change: a journal may be opened before the process has its salt.
package struct NumberedNames {
  package struct Entry {
    package let number: UInt32
    fileprivate let count: UInt32
    fileprivate let responseCount: UInt32
    package let contract: Contract
    /// The neighbors in the chain of its name.
    fileprivate var next: Pointer?
    fileprivate var previous: Pointer?

    fileprivate typealias Pointer = UnsafeMutablePointer<Entry>

    fileprivate static func name(of entry: Pointer) -> Bytes {
      Bytes(UnsafeRawPointer(entry + 1), Int(entry.pointee.count))
    }
  }

  private var places: UnsafeMutablePointer<Entry.Pointer?>?
  /// The chains of entries by name; every entry is in one.
  private var chains: UnsafeMutablePointer<Entry.Pointer?>?
  private var bits: UInt64 = 0
  /// Kept here, because the process draws its salt with its first handle: entries placed before that would be lost.
  private let multiplier = (mainstem_p_handle_salt() ^ 0x9E37_79B9_7F4A_7C15) | 1
  private var count = 0

  package init() {}

  /// The zero-ended name of a number; nil if it has none.
  package func name(of number: UInt32) -> Bytes? {
    guard let entry = find(number) else { return nil }
    return Entry.name(of: entry)
  }

  /// The number of an event type's response type; 0: it names none, or one without a number.
  package func response(of number: UInt32) -> UInt32 {
    guard let name = responseName(of: number), name.count > 0 else { return 0 }
    return find(name)
  }

  /// The zero-ended name of an event type's response type, which may be empty.
  package func responseName(of number: UInt32) -> Bytes? {
    guard let entry = find(number) else { return nil }
    let text = UnsafeRawPointer(entry + 1) + Int(entry.pointee.count) + 1
    return Bytes(text, Int(entry.pointee.responseCount))
  }

  package func contract(of number: UInt32) -> Contract? { find(number)?.pointee.contract }

  /// The number of a name; 0 if no number has it.
  package func find(_ name: Bytes) -> UInt32 {
    guard let chains else { return 0 }
    var next = chains[chain(of: name)]
    while let entry = next {
      if Entry.name(of: entry) == name { return entry.pointee.number }
      next = entry.pointee.next
    }
    return 0
  }

  /// Names a number, in place of any earlier name.
  package mutating func set(
    _ number: UInt32, _ name: Bytes, response: Bytes = Bytes(""), contract: UInt64 = 0
  ) throws(Refusal) {
    guard reserve(), let entry = Self.make(number, name, response, contract) else {
      throw .noMemory
    }
    let old = places?[place(of: number)]
    put(entry)
    if let old {
      unlink(old)
      Memory.free(old)
    } else {
      count &+= 1
    }
  }

  private func put(_ entry: Entry.Pointer) {
    guard let places, let chains else { return }
    places[place(of: entry.pointee.number)] = entry
    let chain = chain(of: Entry.name(of: entry))
    entry.pointee.next = chains[chain]
    entry.pointee.previous = nil
    chains[chain]?.pointee.previous = entry
    chains[chain] = entry
  }

  /// Removes an entry from its chain.
  private func unlink(_ entry: Entry.Pointer) {
    let (previous, next) = (entry.pointee.previous, entry.pointee.next)
    if let previous {
      previous.pointee.next = next
    } else {
      chains?[chain(of: Entry.name(of: entry))] = next
    }
    next?.pointee.previous = previous
  }

  fileprivate func free() {
    eachEntry { Memory.free($0) }
    Memory.free(chains)
    Memory.free(places)
  }

  /// Visits every entry; the visitor may free it.
  private func eachEntry(_ visit: (Entry.Pointer) -> Void) {
    var chain = 0
    while chain < Self.chainCount(capacity), let chains {
      var following = chains[chain]
      while let entry = following {
        following = entry.pointee.next
        visit(entry)
      }
      chain &+= 1
    }
  }
}

extension NumberedNames {
  private var capacity: Int { places == nil ? 0 : 1 << Int(bits) }

  /// The number of chains for a table of this capacity.
  private static func chainCount(_ capacity: Int) -> Int { capacity / 4 }

  private func find(_ number: UInt32) -> Entry.Pointer? {
    guard let places else { return nil }
    return places[place(of: number)]
  }

  /// The place of a number, or the free place where it belongs.
  private func place(of number: UInt32) -> Int {
    let drawn = (UInt64(number) &+ 1) &* multiplier
    var place = Int(truncatingIfNeeded: drawn >> (64 &- bits)) & (capacity &- 1)
    while let entry = places?[place], entry.pointee.number != number {
      place = (place &+ 1) & (capacity &- 1)
    }
    return place
  }

  /// The chain of a name.
  private func chain(of name: Bytes) -> Int {
    var drawn = multiplier
    var index = 0
    while index < name.count {
      drawn = (drawn ^ UInt64(name[index])) &* multiplier
      drawn ^= drawn >> 29
      index &+= 1
    }
    return Int(truncatingIfNeeded: (drawn &* multiplier) >> 32) & (Self.chainCount(capacity) &- 1)
  }

  private static func make(
    _ number: UInt32, _ name: Bytes, _ response: Bytes, _ contract: UInt64
  ) -> Entry.Pointer? {
    let text = MemoryLayout<Entry>.stride
    let size = text &+ name.count &+ response.count &+ 2
    guard let memory = Memory.allocate(UInt8.self, count: size) else { return nil }
    let raw = UnsafeMutableRawPointer(memory)
    let entry = raw.bindMemory(to: Entry.self, capacity: 1)
    entry.initialize(
      to: Entry(
        number: number, count: UInt32(truncatingIfNeeded: name.count),
        responseCount: UInt32(truncatingIfNeeded: response.count),
        contract: Contract(bits: contract)))
    (raw + text).copyMemory(from: name.start, byteCount: name.count)
    memory[text &+ name.count] = 0
    (raw + text + name.count + 1).copyMemory(from: response.start, byteCount: response.count)
    memory[size &- 1] = 0
    return entry
  }

  /// Makes room for one more entry.
  private mutating func reserve() -> Bool {
    guard (count &+ 1) &* 2 > capacity else { return true }
    let wider = bits == 0 ? 4 : bits &+ 1
    let chainCount = Self.chainCount(1 << Int(wider))
    guard let places = Memory.allocate(Entry.Pointer?.self, count: 1 << Int(wider)) else {
      return false
    }
    guard let chains = Memory.allocate(Entry.Pointer?.self, count: chainCount) else {
      Memory.free(places)
      return false
    }
    places.initialize(repeating: nil, count: 1 << Int(wider))
    chains.initialize(repeating: nil, count: chainCount)
    let old = self
    (self.places, self.chains, bits) = (places, chains, wider)
    old.eachEntry { put($0) }
    Memory.free(old.places)
    Memory.free(old.chains)
    return true
  }
}

extension Bytes {
  /// The bytes before the first zero; nil if there is none.
  fileprivate var upToZero: Bytes? {
    var index = 0
    while index < count, self[index] != 0 { index &+= 1 }
    return index < count ? Bytes(start, index) : nil
  }

  fileprivate func dropping(_ first: Int) -> Bytes { Bytes(start + first, count &- first) }

  /// Whether the bytes can be a name: not empty, UTF-8, without a zero.
  fileprivate var isName: Bool { count > 0 && upToZero == nil && isUTF8 }
}

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

  mutating func remove(_ key: UInt32) { table.remove(key) }

  mutating func clear() { table.free() }
}
