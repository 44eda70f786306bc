// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What the numbers in a session's events are called: its types, layers and origins.
package struct JournalNames: ~Copyable {
  package var types = NumberedNames()
  package var layers = NumberedNames()
  package var origins = NumberedNames()

  package init() {}

  /// Takes in what a record says; false: it says nothing that a writer would.
  package mutating func take(_ record: JournalRecord) throws(Refusal) -> Bool {
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
      let name = record.text(from: 4)
      guard number != 0, name.isName else { return false }
      try origins.set(number, name)
    }
    return true
  }

  /// Whether taking in a record would change what something is called, not only add to it.
  func changes(_ record: JournalRecord) -> Bool {
    let number = record.half(at: 0)
    switch record.kind {
    case RecordFormat.Kind.session: return true
    case RecordFormat.Kind.type: return types.name(of: number) != nil
    case RecordFormat.Kind.layer: return layers.name(of: number) != nil
    case RecordFormat.Kind.origin: return origins.name(of: number) != nil
    default: return false
    }
  }

  deinit {
    types.free()
    layers.free()
    origins.free()
  }
}

/// Names by number, in memory no larger than the records that gave them.
///
/// A file may give any number to anything, so the numbers are drawn to places by a multiplier of this
/// process: nobody can choose numbers that collide.
package struct NumberedNames {
  package struct Entry {
    package let number: UInt32
    fileprivate let count: UInt32
    fileprivate let responseCount: UInt32
    package let contract: Contract

    fileprivate typealias Pointer = UnsafeMutablePointer<Entry>
  }

  private var places: UnsafeMutablePointer<Entry.Pointer?>?
  private var bits: UInt64 = 0
  /// The process draws its salt with its first handle: what was placed by the one before would be lost.
  private let multiplier = (mainstem_p_handle_salt() ^ 0x9E37_79B9_7F4A_7C15) | 1
  private var count = 0

  package init() {}

  /// The name of a number, ended by a zero; nil where none was given.
  package func name(of number: UInt32) -> Bytes? {
    guard let entry = find(number) else { return nil }
    return Bytes(UnsafeRawPointer(entry + 1), Int(entry.pointee.count))
  }

  /// Of an event type: the number of the type that answers it; 0: it names none, or one without a number.
  package func response(of number: UInt32) -> UInt32 {
    guard let name = responseName(of: number), name.count > 0 else { return 0 }
    return find(name)
  }

  /// Of an event type: the name of the type that answers it, ended by a zero; it may be empty.
  package func responseName(of number: UInt32) -> Bytes? {
    guard let entry = find(number) else { return nil }
    let text = UnsafeRawPointer(entry + 1) + Int(entry.pointee.count) + 1
    return Bytes(text, Int(entry.pointee.responseCount))
  }

  package func contract(of number: UInt32) -> Contract? { find(number)?.pointee.contract }

  /// The number that has a name; 0 where none has it. Looks at all.
  package func find(_ name: Bytes) -> UInt32 {
    var place = 0
    while place < capacity {
      if let entry = places?[place],
        Bytes(UnsafeRawPointer(entry + 1), Int(entry.pointee.count)) == name
      {
        return entry.pointee.number
      }
      place &+= 1
    }
    return 0
  }

  /// Gives a number a name, in place of the one it may have.
  package mutating func set(
    _ number: UInt32, _ name: Bytes, response: Bytes = Bytes(""), contract: UInt64 = 0
  ) throws(Refusal) {
    guard reserve(), let entry = Self.make(number, name, response, contract) else {
      throw .noMemory
    }
    let place = place(of: number)
    if let old = places?[place] { Memory.free(old) } else { count &+= 1 }
    places?[place] = entry
  }

  fileprivate func free() {
    var place = 0
    while place < capacity {
      Memory.free(places?[place])
      place &+= 1
    }
    Memory.free(places)
  }
}

extension NumberedNames {
  private var capacity: Int { places == nil ? 0 : 1 << Int(bits) }

  private func find(_ number: UInt32) -> Entry.Pointer? {
    guard let places else { return nil }
    return places[place(of: number)]
  }

  /// Where a number is, or the free place where it belongs.
  private func place(of number: UInt32) -> Int {
    let drawn = (UInt64(number) &+ 1) &* multiplier
    var place = Int(truncatingIfNeeded: drawn >> (64 &- bits)) & (capacity &- 1)
    while let entry = places?[place], entry.pointee.number != number {
      place = (place &+ 1) & (capacity &- 1)
    }
    return place
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

  /// Room for one more.
  private mutating func reserve() -> Bool {
    guard (count &+ 1) &* 2 > capacity else { return true }
    let wider = bits == 0 ? 4 : bits &+ 1
    guard
      let fresh = Memory.allocate(Optional<Entry.Pointer>.self, count: 1 << Int(wider))
    else { return false }
    fresh.initialize(repeating: nil, count: 1 << Int(wider))
    let (old, oldCapacity) = (places, capacity)
    places = fresh
    bits = wider
    var index = 0
    while index < oldCapacity {
      if let entry = old?[index] { fresh[place(of: entry.pointee.number)] = entry }
      index &+= 1
    }
    Memory.free(old)
    return true
  }
}

extension Bytes {
  /// The bytes before the first zero; nil where there is none.
  fileprivate var upToZero: Bytes? {
    var index = 0
    while index < count, self[index] != 0 { index &+= 1 }
    return index < count ? Bytes(start, index) : nil
  }

  fileprivate func dropping(_ first: Int) -> Bytes { Bytes(start + first, count &- first) }

  /// UTF-8 without a zero.
  fileprivate var isName: Bool { count > 0 && upToZero == nil && isUTF8 }
}
