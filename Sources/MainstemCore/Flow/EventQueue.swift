// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Events, and what else has its turn between them, first in first out.
///
/// Its owner changes it; how much is in it may be read by every thread.
package struct EventQueue: ~Copyable {
  package private(set) var first: KeptEvent.Pointer?
  package private(set) var last: KeptEvent.Pointer?
  private let places = Atomic<Int>(0)
  private let payload = Atomic<Int>(0)

  package init() {}

  package var count: Int { places.load(ordering: .relaxed) }
  /// Bytes of payload.
  package var bytes: Int { payload.load(ordering: .relaxed) }

  package mutating func append(_ kept: KeptEvent.Pointer) {
    kept.pointee.next = nil
    if let last { last.pointee.next = kept } else { first = kept }
    last = kept
    add(1, kept.pointee.capacity)
  }

  /// Appends all of another queue, which is then empty.
  package mutating func append(_ other: inout EventQueue) {
    guard let start = other.first else { return }
    if let last { last.pointee.next = start } else { first = start }
    last = other.last
    add(other.count, other.bytes)
    other = EventQueue()
  }

  package mutating func takeFirst() -> KeptEvent.Pointer? {
    guard let kept = first else { return nil }
    first = kept.pointee.next
    if first == nil { last = nil }
    add(-1, 0 &- kept.pointee.capacity)
    return kept
  }

  /// Only the owner adds, so the steps need not be atomic as a whole.
  private func add(_ count: Int, _ bytes: Int) {
    places.store(self.count &+ count, ordering: .relaxed)
    payload.store(self.bytes &+ bytes, ordering: .relaxed)
  }
}
