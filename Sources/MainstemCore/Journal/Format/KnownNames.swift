// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Which types, layers and origins a file has said the names of. What finds no memory is not remembered, and
/// said again.
package struct KnownNames {
  /// By type: 0 where nothing was said, else what `mode(of:)` gives.
  private var types = Row<UInt8>()
  private var origins = RecordedOrigins()
  /// A bit for each layer; the library's own need no name.
  private var layers: UInt64 = 0x3F
  /// What was found last: most events come many of a kind.
  private var last = Found()

  private struct Found {
    var type: UInt32 = 0  // 0: nothing was found
    var origin: UInt32 = 0
    var said = Said(mode: .none, origin: 0, name: Digest())
  }

  /// What was said for an event: how it is kept, the number that its origin has in the file, and the digest of that
  /// one's name.
  package struct Said {
    package let mode: RecordMode
    package let origin: UInt32
    package let name: Digest
  }

  package init() {}

  /// What was said for an event; nil where something was not.
  @inline(__always)
  package mutating func find(_ type: UInt32, _ origin: UInt32) -> Said? {
    if type != last.type || origin != last.origin {
      guard let mode = mode(of: type), let place = place(ofOrigin: origin) else { return nil }
      last = Found(
        type: type, origin: origin,
        said: Said(mode: mode, origin: place.number, name: place.digest))
    }
    return last.said
  }

  package func mode(of type: UInt32) -> RecordMode? { RecordMode(rawValue: types[type]) }

  /// The origin 0 needs no name.
  func place(ofOrigin origin: UInt32) -> RecordedOrigins.Place? {
    origin == 0 ? RecordedOrigins.Place() : origins.find(origin)
  }

  package func has(layer: UInt32) -> Bool { layers & (1 << UInt64(layer & 63)) != 0 }

  package mutating func add(type: UInt32, _ mode: RecordMode) { types.set(type, mode.rawValue) }
  mutating func add(origin: UInt32, _ digest: Digest) -> RecordedOrigins.Place {
    origins.add(origin, digest)
  }
  package mutating func add(layer: UInt32) { layers |= 1 << UInt64(layer & 63) }

  /// An origin will not come again: its number in the file may be another's.
  package mutating func forget(origin: UInt32) {
    origins.forget(origin)
    if origin == last.origin { last = Found() }
  }

  /// Forgets all, for the next file.
  package mutating func clear() {
    types.clear()
    origins.clear()
    layers = 0x3F
    last = Found()
  }

  package mutating func free() {
    types.free()
    origins.freeMemory()
  }
}

/// How an event of a type is kept.
package enum RecordMode: UInt8 {
  case full = 1
  case mark = 2
  case none = 3
  case secret = 4
  case inputs = 5

  /// Whether all of an event is kept.
  @inline(__always)
  package func keepsAll(of flags: UInt32) -> Bool {
    self == .full || self == .inputs && flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0
  }

  package init(_ contract: Contract) {
    switch contract.recordMode {
    case .full: self = .full
    case .mark: self = contract.isSecret ? .secret : .mark
    case .none: self = .none
    case .inputs: self = .inputs
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
