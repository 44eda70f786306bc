// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A first-in, first-out queue of events, and of whatever else has its turn between them.
///
/// The owner changes it; every thread may read how much is in it.
package struct EventQueue: ~Copyable {
  package private(set) var first: QueuedEvent.Pointer?
  package private(set) var last: QueuedEvent.Pointer?
  private let places = Atomic<Int>(0)
  private let payload = Atomic<Int>(0)

  package init() {}

  package var count: Int { places.load(ordering: .relaxed) }
  /// Bytes of payload.
  package var bytes: Int { payload.load(ordering: .relaxed) }

  @inline(__always)
  package mutating func append(_ queued: QueuedEvent.Pointer) {
    queued.pointee.next = nil
    if let last { last.pointee.next = queued } else { first = queued }
    last = queued
    add(1, queued.pointee.capacity)
  }

  /// Appends everything in another queue, which is empty afterwards.
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

  /// Visits all, and returns how many they are. For the owner.
  package func each(_ visit: (QueuedEvent.Pointer) -> Void) -> Int {
    QueuedEvent.each(from: first, visit)
  }

  /// Only the owner calls this, so the load and the store need not be one atomic step.
  private func add(_ count: Int, _ bytes: Int) {
    places.store(self.count &+ count, ordering: .relaxed)
    payload.store(self.bytes &+ bytes, ordering: .relaxed)
  }
}
