// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What other threads have handed over and the context has not taken in yet. Under the stream's lock; `Wake` tells the
/// host about it.
package struct Inbox: ~Copyable {
  private var waiting = EventQueue()

  package init() {}

  package var count: Int { waiting.count }
  package var first: QueuedEvent.Pointer? { waiting.first }
  package var bytes: Int { waiting.bytes }

  /// Appends an event that has no position yet.
  package mutating func append(_ queued: QueuedEvent.Pointer) { waiting.append(queued) }

  package mutating func takeFirst() -> QueuedEvent.Pointer? { waiting.takeFirst() }
}
