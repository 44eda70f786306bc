// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Values.
extension Origins {
  /// Whether a scope that has not ended has an origin.
  func isLive(_ origin: UInt32) -> Bool { find(origin)?.pointee.isLive == true }

  /// Whether values of an origin are kept: its scope has not ended, nor has the source that named it.
  func keepsValues(_ origin: UInt32) -> Bool {
    origin == 0 || find(origin)?.pointee.keepsValues == true
  }

  /// The number of an origin for one more event of a source, whose values are kept unless a scope has ended that had it.
  static func name(_ entry: Entry.Pointer) -> UInt32 {
    if !entry.pointee.hadScope { entry.pointee.keepsValues = true }
    return entry.pointee.number
  }

  /// Adds a value to those that end with the scope. Those of the context itself end with it.
  func add(_ value: Value.Pointer, to origin: UInt32) {
    guard let entry = find(origin) else { return }
    value.pointee.next = entry.pointee.values
    entry.pointee.values = value
  }

  func eachValue(of origin: UInt32, _ visit: (Value.Pointer) -> Void) {
    var next = find(origin)?.pointee.values
    while let value = next {
      next = value.pointee.next
      visit(value)
    }
  }

  /// Takes the values of an origin, which has no more from now on.
  func takeValues(of origin: UInt32) -> Value.Pointer? {
    guard let entry = find(origin) else { return nil }
    entry.pointee.keepsValues = false
    let first = entry.pointee.values
    entry.pointee.values = nil
    return first
  }
}
