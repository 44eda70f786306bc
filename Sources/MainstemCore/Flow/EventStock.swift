// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Memory of small events, for the next ones: so that one thread need not free what another allocated.
/// Under its scheduler's lock.
package struct EventStock {
  private var first: KeptEvent.Pointer?
  private var count = 0

  package init() {}

  /// The payload up to which events are kept here, and how many of them.
  private static var capacity: Int { 64 }
  private static var most: Int { 1024 }

  /// Memory for an event that nobody else holds; nil when there is none.
  package mutating func take(_ size: Int) -> KeptEvent.Pointer? {
    guard size <= EventStock.capacity else { return KeptEvent.make(capacity: size) }
    guard let kept = first else { return KeptEvent.make(capacity: EventStock.capacity) }
    first = kept.pointee.next
    count &-= 1
    return kept
  }

  /// Takes over the memory of an event that nobody else holds.
  package mutating func give(_ kept: KeptEvent.Pointer) {
    guard kept.pointee.capacity == EventStock.capacity, count < EventStock.most else {
      return KeptEvent.free(kept)
    }
    KeptEvent.wipe(kept)
    kept.pointee.next = first
    first = kept
    count &+= 1
  }

  package mutating func empty() {
    while let kept = first {
      first = kept.pointee.next
      KeptEvent.free(kept)
    }
    count = 0
  }
}
