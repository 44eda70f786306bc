// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
package import Synchronization

/// What waits for one scheduled subscription, and how much may. Under its scheduler's lock, but for the
/// counters. The lock's part comes first, for the reason that `StreamState` gives.
package struct SubscriptionQueue: ~Copyable {
  package private(set) var events = 0
  package private(set) var bytes = 0
  /// Room promised to events that were accepted and are not handed over yet: a place each.
  package private(set) var promisedEvents = 0
  /// Those of them in the inbox.
  private var postedEvents = 0
  private var promisedBytes = 0
  /// What it lost where there was no memory for a gap; told as soon as there is some.
  package private(set) var untold = Gap()
  package private(set) var first: QueueEntry.Pointer?
  private var last: QueueEntry.Pointer?
  /// The first that nobody has asked for yet; all behind it are such, and in no queue.
  private var firstParked: QueueEntry.Pointer?
  /// How many are asked for, those in the scheduler's queue included; `Int.max`: always all.
  private var demand = Int.max
  private var inLine = 0
  /// Its subscription has ended; the promises that are left keep the memory.
  private var hasEnded = false

  package let scheduler: Scheduler.Pointer
  package let bounds: Bounds
  package let delivered = Atomic<UInt64>(0)
  package let dropped = Atomic<UInt64>(0)
  package let failures = Atomic<UInt64>(0)

  package typealias Pointer = UnsafeMutablePointer<SubscriptionQueue>

  package init(_ scheduler: Scheduler.Pointer, _ bounds: Bounds) {
    self.scheduler = scheduler
    self.bounds = bounds
    if bounds.isOnDemand { demand = 0 }
  }

  /// How much may wait, and what happens to what is too much.
  package struct Bounds {
    package let events: Int
    package let bytes: Int
    package let policy: Policy
    /// Nothing is delivered before it is asked for.
    package let isOnDemand: Bool

    package init(events: Int, bytes: Int, policy: Policy, isOnDemand: Bool = false) {
      self.isOnDemand = isOnDemand
      self.events = policy == .latest ? 1 : events
      self.bytes = bytes
      self.policy = policy
    }
  }

  package enum Policy: UInt32 {
    case reject = 0
    case block = 1
    case dropOldest = 2
    case dropNewest = 3
    case latest = 4

    /// The sender is told; nothing that was accepted is lost.
    package var refuses: Bool { self == .reject || self == .block }
  }
}

extension SubscriptionQueue {
  package func fits(_ size: Int) -> Bool {
    events &+ promisedEvents < bounds.events
      && (bytes &+ promisedBytes &+ size <= bounds.bytes || events &+ promisedEvents == 0)
  }

  /// Promises room to an event that is about to be accepted; the place says so until `redeem`.
  package mutating func promise(_ place: QueueEntry.Pointer) {
    promisedEvents &+= 1
    promisedBytes &+= place.pointee.promisedSize
    if place.pointee.isPosted { postedEvents &+= 1 }
  }

  /// How many events that have a promise come before one that is accepted now, or is posted.
  package func promisedBefore(isPost: Bool) -> Int {
    isPost ? promisedEvents : promisedEvents &- postedEvents
  }

  /// The event of a promised place leaves the inbox.
  package mutating func takeIn(_ place: QueueEntry.Pointer) {
    guard place.pointee.isPosted else { return }
    place.pointee.isPosted = false
    postedEvents &-= 1
  }

  /// The event of a promised place has come, or will not.
  package mutating func redeem(_ place: QueueEntry.Pointer) {
    takeIn(place)
    promisedEvents &-= 1
    promisedBytes &-= place.pointee.promisedSize
  }

  /// Nobody will come for it any more: with no promise left, the memory goes.
  ///
  /// - Returns: Whether that is so now.
  package mutating func end() -> Bool {
    hasEnded = true
    return promisedEvents == 0
  }

  /// The same, after a `redeem`.
  package var isLeftOver: Bool { hasEnded && promisedEvents == 0 }

  package mutating func append(_ node: QueueEntry.Pointer) {
    node.pointee.nextOfSubscription = nil
    if let last { last.pointee.nextOfSubscription = node } else { first = node }
    last = node
    if firstParked == nil { firstParked = node }
    guard node.pointee.queued != nil else { return }
    events &+= 1
    bytes &+= node.pointee.size
  }

  /// Asks for so many more.
  package mutating func ask(for count: UInt64) {
    let (sum, isTooMuch) = demand.addingReportingOverflow(Int(clamping: count))
    demand = isTooMuch ? .max : sum
  }

  /// The next that goes to the scheduler's queue; nil: none waits that was asked for.
  package mutating func takeWanted() -> QueueEntry.Pointer? {
    guard inLine < demand, let node = firstParked else { return nil }
    firstParked = node.pointee.nextOfSubscription
    inLine &+= 1
    node.pointee.isQueued = true
    return node
  }

  /// The first is delivered.
  package mutating func deliverFirst() {
    if demand != .max { demand &-= 1 }
    removeFirst()
  }

  /// The first leaves, to be delivered or forgotten.
  package mutating func removeFirst() {
    guard let node = first else { return }
    first = node.pointee.nextOfSubscription
    if first == nil { last = nil }
    forget(node)
  }

  private mutating func removeNext(of node: QueueEntry.Pointer) {
    guard let next = node.pointee.nextOfSubscription else { return }
    node.pointee.nextOfSubscription = next.pointee.nextOfSubscription
    if last == next { last = node }
    forget(next)
  }

  private mutating func forget(_ node: QueueEntry.Pointer) {
    if firstParked == node { firstParked = node.pointee.nextOfSubscription }
    if node.pointee.isQueued { inLine &-= 1 }
    discount(node)
  }

  private mutating func discount(_ node: QueueEntry.Pointer) {
    guard node.pointee.queued != nil else { return }
    events &-= 1
    bytes &-= node.pointee.size
  }
}

/// Losing: where events stood is a gap. Two gaps are never neighbours.
extension SubscriptionQueue {
  /// Loses the oldest event that waits. The place where it stood becomes a gap, or adds to the gap
  /// before it, and is then free.
  ///
  /// - Returns: The event that is lost, and a place that is no longer needed.
  package mutating func loseOldest() -> (queued: QueuedEvent.Pointer, free: QueueEntry.Pointer?)? {
    guard let head = first else { return nil }
    if let queued = head.pointee.queued {
      discount(head)
      head.pointee.queued = nil
      head.pointee.gap.add(queued.pointee.event.position)
      return (queued, nil)
    }
    guard let node = head.pointee.nextOfSubscription, let queued = node.pointee.queued else {
      return nil
    }
    removeNext(of: head)
    head.pointee.gap.add(queued.pointee.event.position)
    return (queued, node)
  }

  /// Makes one gap of the first two that wait, if both are gaps; the place that is then free.
  package mutating func joinGaps() -> QueueEntry.Pointer? {
    guard let head = first, head.pointee.isGap, let next = head.pointee.nextOfSubscription,
      next.pointee.isGap
    else { return nil }
    removeNext(of: head)
    head.pointee.gap.add(next.pointee.gap)
    return next
  }

  /// Notes the loss of an event that comes behind all that wait.
  package mutating func lose(_ position: UInt64) {
    untold.add(position)
    countDropped()
  }

  /// Adds what was not told to the gap behind all that wait; false where that is none.
  package mutating func tellInLast() -> Bool {
    guard let last, last.pointee.isGap else { return false }
    last.pointee.gap.add(takeUntold())
    return true
  }

  package mutating func takeUntold() -> Gap {
    let gap = untold
    untold = Gap()
    return gap
  }

  package func countDropped() { dropped.wrappingAdd(1, ordering: .relaxed) }
}
