// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The place of an observer of one origin in one of its types. It has memory of its own, made before it is needed.
struct OriginRow {
  /// First, so that a frame may point here: see `Frame.current`.
  let subscription: Subscription.Pointer
  /// The type's observers.
  let observers: TypeObservers.Pointer
  /// The neighbours in its chain; `previous` of the first is the last. Nil: it is not in place yet.
  var next: Pointer?
  var previous: Pointer?
  /// The observer's row in another of its types.
  var sibling: Pointer?

  typealias Pointer = UnsafeMutablePointer<OriginRow>

  /// A row that is not in place; nil without memory.
  static func make(
    _ subscription: Subscription.Pointer, in observers: TypeObservers.Pointer
  ) -> Pointer? {
    guard let row = Memory.allocate(OriginRow.self) else { return nil }
    row.initialize(to: OriginRow(subscription: subscription, observers: observers))
    return row
  }

  /// Where the observer is noted, as a frame has it.
  static func place(of row: Pointer) -> UnsafeMutablePointer<Subscription.Pointer> {
    UnsafeMutableRawPointer(row).assumingMemoryBound(to: Subscription.Pointer.self)
  }

  /// Frees a row and its siblings.
  static func freeAll(_ first: Pointer?) {
    var next = first
    while let row = next {
      next = row.pointee.sibling
      Memory.free(row)
    }
  }
}
