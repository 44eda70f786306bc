// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The types, layers and origins whose names a file has. Without memory a name is not remembered, and is recorded
/// again.
package struct KnownNames {
  /// By type: 0 if it is not recorded, otherwise the result of `mode(of:)`.
  private var types = Row<UInt8>()
  private var origins = RecordedOrigins()
  /// A bit for each layer; the library's own need no name.
  private var layers: UInt64 = 0x3F
  /// The last result, because most events come in series of one kind.
  private var last = Found()

  private struct Found {
    var type: UInt32 = 0  // 0: nothing was found
    var origin: UInt32 = 0
    var said = Said(mode: .none, origin: 0, name: Digest())
  }

  /// What a file has for an event: how the event is kept, the number of its origin in the file, and the digest of the
  /// origin's name.
  package struct Said {
    package let mode: RecordMode
    package let origin: UInt32
    package let name: Digest
  }

  package init() {}

  /// Looks up what a file has for an event; nil if a name is missing.
  @inline(__always)
  package mutating func find(_ type: UInt32, _ origin: UInt32) -> Said? {
    if type != last.type || origin != last.origin {
      guard let mode = mode(of: type), let known = entry(ofOrigin: origin) else { return nil }
      last = Found(
        type: type, origin: origin,
        said: Said(mode: mode, origin: known.number, name: known.digest))
    }
    return last.said
  }

  package func mode(of type: UInt32) -> RecordMode? { RecordMode(rawValue: types[type]) }

  /// Origin 0 needs no name.
  func entry(ofOrigin origin: UInt32) -> RecordedOrigins.Entry? {
    origin == 0 ? RecordedOrigins.Entry() : origins.find(origin)
  }

  package func has(layer: UInt32) -> Bool { layers & (1 << UInt64(layer & 63)) != 0 }

  package mutating func add(type: UInt32, _ mode: RecordMode) { types.set(type, mode.rawValue) }
  mutating func add(origin: UInt32, _ digest: Digest) -> RecordedOrigins.Entry {
    origins.add(origin, digest)
  }
  package mutating func add(layer: UInt32) { layers |= 1 << UInt64(layer & 63) }

  /// Forgets an origin that will not come again: its number in the file may be reused.
  package mutating func forget(origin: UInt32) {
    origins.forget(origin)
    if origin == last.origin { last = Found() }
  }

  /// Forgets everything, for the next file.
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

/// How events of a type are kept.
package enum RecordMode: UInt8 {
  case full = 1
  case mark = 2
  case none = 3
  case secret = 4
  case inputs = 5

  /// Whether the whole event is kept.
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

/// Values by number, 0 where there is none.
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
