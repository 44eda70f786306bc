// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Memory of small events for reuse, so that a thread need not free what another allocated. Under its scheduler's lock.
package struct EventStock {
  private var first: QueuedEvent.Pointer?
  private var count = 0

  package init() {}

  /// The payload capacity of the events kept here, and how many are kept at most.
  private static var capacity: Int { 64 }
  private static var most: Int { 1024 }

  /// Memory for an event that nobody else holds; nil if there is none.
  package mutating func take(_ size: Int) -> QueuedEvent.Pointer? {
    guard size <= EventStock.capacity else { return QueuedEvent.make(capacity: size) }
    guard let queued = first else { return QueuedEvent.make(capacity: EventStock.capacity) }
    first = queued.pointee.next
    count &-= 1
    return queued
  }

  /// Takes over the memory of an event that nobody else holds.
  package mutating func give(_ queued: QueuedEvent.Pointer) {
    guard queued.pointee.capacity == EventStock.capacity, count < EventStock.most else {
      return QueuedEvent.free(queued)
    }
    QueuedEvent.wipe(queued)
    queued.pointee.next = first
    first = queued
    count &+= 1
  }

  package mutating func empty() {
    while let queued = first {
      first = queued.pointee.next
      QueuedEvent.free(queued)
    }
    count = 0
  }
}
