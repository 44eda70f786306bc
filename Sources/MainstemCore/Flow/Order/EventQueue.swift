// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Events, and what else has its turn between them, first in first out.
///
/// Its owner changes it; how much is in it may be read by every thread.
package struct EventQueue: ~Copyable {
  package private(set) var first: QueuedEvent.Pointer?
  package private(set) var last: QueuedEvent.Pointer?
  private let places = Atomic<Int>(0)
  private let payload = Atomic<Int>(0)

  package init() {}

  package var count: Int { places.load(ordering: .relaxed) }
  /// Bytes of payload.
  package var bytes: Int { payload.load(ordering: .relaxed) }

  package mutating func append(_ queued: QueuedEvent.Pointer) {
    queued.pointee.next = nil
    if let last { last.pointee.next = queued } else { first = queued }
    last = queued
    add(1, queued.pointee.capacity)
  }

  /// Appends all of another queue, which is then empty.
  package mutating func append(_ other: inout EventQueue) {
    guard let start = other.first else { return }
    if let last { last.pointee.next = start } else { first = start }
    last = other.last
    add(other.count, other.bytes)
    other = EventQueue()
  }

  package mutating func takeFirst() -> QueuedEvent.Pointer? {
    guard let queued = first else { return nil }
    first = queued.pointee.next
    if first == nil { last = nil }
    add(-1, 0 &- queued.pointee.capacity)
    return queued
  }

  /// Only the owner adds, so the steps need not be atomic as a whole.
  private func add(_ count: Int, _ bytes: Int) {
    places.store(self.count &+ count, ordering: .relaxed)
    payload.store(self.bytes &+ bytes, ordering: .relaxed)
  }
}
