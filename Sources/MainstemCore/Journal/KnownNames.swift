// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Which types, layers and origins a file has said the names of. What finds no memory is not remembered, and
/// said again.
package struct KnownNames {
  /// By type: 0 where nothing was said, else what `mode(of:)` gives.
  private var types = Row<UInt8>()
  /// By origin: the digest of its name; 0 where nothing was said.
  private var origins = Row<UInt64>()
  /// A bit for each layer; the library's own need no name.
  private var layers: UInt64 = 0x3F
  /// What was found last: most events come many of a kind.
  private var last = Found()

  private struct Found {
    var type: UInt32 = 0  // 0: nothing was found
    var origin: UInt32 = 0
    var mode = RecordMode.none
    var digest = Digest()
  }

  package init() {}

  /// How an event is kept, and the digest of its origin's name; nil where one of them was not said.
  @inline(__always)
  package mutating func find(_ type: UInt32, _ origin: UInt32) -> (RecordMode, Digest)? {
    if type != last.type || origin != last.origin {
      guard let mode = mode(of: type), let digest = digest(ofOrigin: origin) else { return nil }
      last = Found(type: type, origin: origin, mode: mode, digest: digest)
    }
    return (last.mode, last.digest)
  }

  package func mode(of type: UInt32) -> RecordMode? { RecordMode(rawValue: types[type]) }

  package func digest(ofOrigin origin: UInt32) -> Digest? {
    let bits = origins[origin]
    return bits == 0 ? nil : Digest(bits: bits)
  }

  package func has(layer: UInt32) -> Bool { layers & (1 << UInt64(layer & 63)) != 0 }

  package mutating func add(type: UInt32, _ mode: RecordMode) { types.set(type, mode.rawValue) }
  package mutating func add(origin: UInt32, _ digest: Digest) { origins.set(origin, digest.bits) }
  package mutating func add(layer: UInt32) { layers |= 1 << UInt64(layer & 63) }

  /// Forgets all, for the next file; the origin 0 needs no name.
  package mutating func clear() {
    types.clear()
    origins.clear()
    layers = 0x3F
    last = Found()
    add(origin: 0, Digest())
  }

  package mutating func free() {
    types.free()
    origins.free()
  }
}

/// How an event of a type is kept.
package enum RecordMode: UInt8 {
  case full = 1
  case mark = 2
  case none = 3
  case secret = 4

  package init(_ contract: Contract) {
    switch contract.recordMode {
    case .full: self = .full
    case .mark: self = contract.isSecret ? .secret : .mark
    case .none: self = .none
    }
  }
}

/// Numbers by number, 0 where there is none.
private struct Row<Value: FixedWidthInteger> {
  private var start: UnsafeMutablePointer<Value>?
  private var count = 0

  @inline(__always)
  subscript(index: UInt32) -> Value {
    guard Int(index) < count, let start else { return 0 }
    return start[Int(index)]
  }

  mutating func set(_ index: UInt32, _ value: Value) {
    guard Int(index) < count || widen(to: Int(index) &+ 1), let start else { return }
    start[Int(index)] = value
  }

  mutating func clear() {
    start?.update(repeating: 0, count: count)
  }

  mutating func free() {
    Memory.free(start)
    self = Row()
  }

  private mutating func widen(to least: Int) -> Bool {
    let wider = max(64, least &* 2)
    guard let fresh = Memory.allocate(Value.self, count: wider) else { return false }
    fresh.initialize(repeating: 0, count: wider)
    if let start { fresh.update(from: start, count: count) }
    Memory.free(start)
    start = fresh
    count = wider
    return true
  }
}
