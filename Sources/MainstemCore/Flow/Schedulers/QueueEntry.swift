// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// A queue entry: one event on its way to a scheduled subscription, a gap where events were lost, or a scheduled
/// completion; before that, room promised to an event. Under the scheduler's lock until its delivery takes it.
package struct QueueEntry {
  /// The event, of which this is one reference; nil: a gap.
  package var queued: QueuedEvent.Pointer?
  /// Who gets the event; nil: `scheduled` says what to do.
  package let subscription: Subscription.Pointer?
  package let scheduled: ScheduledCompletion?
  /// The last event that the subscription asked for.
  package var isLast = false
  /// In a mailbox: the event of a list does not follow what was got before.
  private(set) var isWhole = false
  /// Whether it is in the scheduler's queue; if not, nobody has asked for it yet.
  package var isQueued = false
  package var gap = Gap()
  /// The queue that promised this entry, and for how many bytes; nil: not a promise.
  package private(set) var promisedBy: SubscriptionQueue.Pointer?
  package private(set) var promisedSize = 0
  /// The event with this promise is in the inbox: events accepted meanwhile come before it.
  package var isPosted = false
  package var next: Pointer?
  package var previous: Pointer?
  package var nextOfSubscription: Pointer?

  package typealias Pointer = UnsafeMutablePointer<QueueEntry>

  package init(_ queued: QueuedEvent.Pointer?, for subscription: Subscription.Pointer) {
    self.queued = queued
    self.subscription = subscription
    scheduled = nil
  }

  package init(_ queued: QueuedEvent.Pointer, _ scheduled: ScheduledCompletion) {
    self.queued = queued
    self.scheduled = scheduled
    subscription = nil
  }

  /// Room for an event of `size` bytes.
  package init(promisedBy queue: SubscriptionQueue.Pointer, _ size: Int, isPosted: Bool) {
    subscription = nil
    scheduled = nil
    promisedBy = queue
    promisedSize = size
    self.isPosted = isPosted
  }

  package var isGap: Bool { queued == nil }

  /// Notes whether the event of a list does not follow what a mailbox has got.
  mutating func noteWhole(for subscription: Subscription.Pointer) {
    guard var event = queued?.pointee.event, event.isOfList else { return }
    subscription.pointee.note(&event)
    isWhole = event.flags & UInt32(MAINSTEM_EVENT_WHOLE) != 0
  }

  /// The request that waits here for a handler, and the origin of its server; nil: it is something else.
  var asked: (event: UnsafeMutablePointer<mainstem_event>, origin: UInt32)? {
    guard let queued, let subscription, subscription.pointee.call.isHandler else { return nil }
    let event = QueuedEvent.event(of: queued)
    guard Stream.isAsking(event) else { return nil }
    return (event, subscription.pointee.scope.pointee.origin)
  }

  /// The bytes that law 9 counts.
  package var weight: Int { queued.map { Self.weight(of: $0) } ?? 0 }

  /// Those of an event. Not what it has room for: that is reused.
  @inline(__always)
  package static func weight(of queued: QueuedEvent.Pointer) -> Int {
    queued.pointee.event.isOfList
      ? QueuedEvent.weight(of: queued) : Int(queued.pointee.event.size)
  }

  /// The bytes that the host gets; for a gap, those of its notice.
  package var payloadSize: Int {
    queued.map { Int($0.pointee.event.size) } ?? MemoryLayout<mainstem_gap>.size
  }
}

extension QueueEntry: Linked {
  package static func next(after node: Pointer) -> Pointer? { node.pointee.next }
  package static func link(_ node: Pointer, to next: Pointer?) { node.pointee.next = next }
}

/// What a station above wants done with an event on a scheduler. It is always done, at the latest when the context
/// closes.
package struct ScheduledCompletion {
  package typealias Function =
    @convention(c) (
      _ stream: UnsafeMutableRawPointer, _ owner: UnsafeMutableRawPointer,
      _ event: UnsafeMutableRawPointer
    ) -> Void

  package let function: Function
  package let owner: UnsafeMutableRawPointer

  package init(_ owner: UnsafeMutableRawPointer, _ function: @escaping Function) {
    self.function = function
    self.owner = owner
  }
}

/// What one subscription lost between two events that it gets.
package struct Gap {
  package private(set) var from: UInt64 = 0
  package private(set) var to: UInt64 = 0
  package private(set) var count: UInt64 = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Adds the loss of a later event.
  package mutating func add(_ position: UInt64) {
    if count == 0 { from = position }
    to = position
    count &+= 1
  }

  /// Adds a later gap; this one is not empty.
  package mutating func add(_ other: Gap) {
    to = other.to
    count &+= other.count
  }

  package var forHost: mainstem_gap { mainstem_gap(from: from, to: to, count: count) }
}

/// What waits on one scheduler, in order of arrival; any entry can be removed.
package struct EntryList {
  package private(set) var first: QueueEntry.Pointer?
  private(set) var last: QueueEntry.Pointer?
  package private(set) var count = 0

  package init() {}

  package mutating func append(_ node: QueueEntry.Pointer) {
    node.pointee.next = nil
    node.pointee.previous = last
    if let last { last.pointee.next = node } else { first = node }
    last = node
    count &+= 1
  }

  package mutating func remove(_ node: QueueEntry.Pointer) {
    let (previous, next) = (node.pointee.previous, node.pointee.next)
    if let previous { previous.pointee.next = next } else { first = next }
    if let next { next.pointee.previous = previous } else { last = previous }
    count &-= 1
  }

  package mutating func takeFirst() -> QueueEntry.Pointer? {
    guard let node = first else { return nil }
    remove(node)
    return node
  }
}

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
