// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Values.
extension Origins {
  /// Whether a scope that has not ended has an origin.
  func isLive(_ origin: UInt32) -> Bool { find(origin)?.pointee.isLive == true }

  /// Whether values of an origin are kept: its scope has not ended, nor has the source that named it.
  ///
  /// - Parameter isFed: Whether the source still feeds. Afterwards a scope that lives has values, even if the source
  ///   told its end.
  func keepsValues(_ origin: UInt32, isFed: Bool) -> Bool {
    guard origin != 0 else { return true }
    guard let entry = find(origin) else { return false }
    return entry.pointee.keepsValues || !isFed && entry.pointee.live != nil
  }

  /// The number of an origin for one more event of a source, whose values are kept unless a scope has ended here that
  /// had it. If the source has told the end of a scope and names it again, it has another one of the same number.
  ///
  /// - Parameter isShown: Whether scopes stand in for those of the source. What had the number before, or stood in for
  ///   it, has ended: nothing has stood in for this one.
  static func name(_ entry: Entry.Pointer, isShown: Bool) -> UInt32 {
    if isShown, !entry.pointee.isLive, entry.pointee.isEndTold || entry.pointee.stoodIn {
      (entry.pointee.hadScope, entry.pointee.stoodIn) = (false, false)
    }
    if !entry.pointee.hadScope || entry.pointee.isEndTold { entry.pointee.keepsValues = true }
    entry.pointee.isEndTold = false
    return entry.pointee.number
  }

  /// Notes that the source has told the end of a scope.
  func noteEndTold(of origin: UInt32) { find(origin)?.pointee.isEndTold = true }

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
