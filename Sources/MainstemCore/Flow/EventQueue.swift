// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Events, and what else has its turn between them, first in first out.
package struct EventQueue {
  package private(set) var first: KeptEvent.Pointer?
  private var last: KeptEvent.Pointer?
  package private(set) var count = 0

  package init() {}

  package mutating func append(_ kept: KeptEvent.Pointer) {
    kept.pointee.next = nil
    if let last { last.pointee.next = kept } else { first = kept }
    last = kept
    count &+= 1
  }

  /// Appends all of another queue, which is then empty.
  package mutating func append(_ other: inout EventQueue) {
    guard let start = other.first else { return }
    if let last { last.pointee.next = start } else { first = start }
    last = other.last
    count &+= other.count
    other = EventQueue()
  }

  package mutating func takeFirst() -> KeptEvent.Pointer? {
    guard let kept = first else { return nil }
    first = kept.pointee.next
    if first == nil { last = nil }
    count &-= 1
    return kept
  }
}
