// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Memory of small events for reuse, so that a thread need not free what another allocated. Under its scheduler's lock.
package struct FreeEvents {
  private var list = FreeList<QueuedEvent>(limit: 1024)

  package init() {}

  /// The payload capacity of the events kept here.
  private static var capacity: Int { 64 }

  /// Memory for an event that nobody else holds; nil without memory.
  @_optimize(speed)
  package mutating func take(_ size: Int) -> QueuedEvent.Pointer? {
    guard size <= FreeEvents.capacity else { return QueuedEvent.make(capacity: size) }
    return list.take() ?? QueuedEvent.make(capacity: FreeEvents.capacity)
  }

  /// Takes over the memory of an event that nobody else holds.
  package mutating func give(_ queued: QueuedEvent.Pointer) {
    guard queued.pointee.capacity == FreeEvents.capacity else { return QueuedEvent.free(queued) }
    QueuedEvent.wipe(queued)
    list.give(queued)
  }

  package mutating func empty() { list.empty() }
}
