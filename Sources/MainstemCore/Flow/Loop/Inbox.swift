// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What other threads have handed over and the context has not taken in yet. Under the stream's lock; `Wake` tells the
/// host about it.
struct Inbox: ~Copyable {
  private var waiting = EventQueue()
  /// The last one that `look` has given; nil: it was taken in, and all before it.
  private var lastSeen: QueuedEvent.Pointer?

  init() {}

  var count: Int { waiting.count }
  var bytes: Int { waiting.bytes }
  var first: QueuedEvent.Pointer? { waiting.first }

  /// Appends an event that has no position yet.
  mutating func append(_ queued: QueuedEvent.Pointer) { waiting.append(queued) }

  func each(_ visit: (QueuedEvent.Pointer) -> Void) -> Int { waiting.each(visit) }

  mutating func takeFirst() -> QueuedEvent.Pointer? {
    let queued = waiting.takeFirst()
    if queued == lastSeen { lastSeen = nil }
    return queued
  }

  /// The next event that this has not given before: each is looked at once.
  mutating func look() -> QueuedEvent.Pointer? {
    guard let next = lastSeen.map({ $0.pointee.next }) ?? first else { return nil }
    lastSeen = next
    return next
  }
}
