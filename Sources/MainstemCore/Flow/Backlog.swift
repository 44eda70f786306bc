// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
package import Synchronization

/// What waits for one scheduled subscription, and how much may. Under its scheduler's lock, but for the
/// counters. The lock's part comes first, for the reason that `StreamState` gives.
package struct Backlog: ~Copyable {
  package private(set) var events = 0
  package private(set) var bytes = 0
  /// Room promised to events that were accepted and are not handed over yet.
  private var promisedEvents = 0
  private var promisedBytes = 0
  /// What it lost behind the last that waits.
  package var lost = Gap()
  package private(set) var first: HandOver.Pointer?
  private var last: HandOver.Pointer?
  /// The first that nobody has asked for yet; all behind it are such, and in no queue.
  private var firstParked: HandOver.Pointer?
  /// How many are asked for, those in the scheduler's queue included; `Int.max`: always all.
  private var demand = Int.max
  private var queued = 0

  package let scheduler: Scheduler.Pointer
  package let bounds: Bounds
  package let delivered = Atomic<UInt64>(0)
  package let dropped = Atomic<UInt64>(0)
  package let failures = Atomic<UInt64>(0)

  package typealias Pointer = UnsafeMutablePointer<Backlog>

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

extension Backlog {
  package func fits(_ size: Int) -> Bool {
    events &+ promisedEvents < bounds.events
      && (bytes &+ promisedBytes &+ size <= bounds.bytes || events &+ promisedEvents == 0)
  }

  /// Promises room to an event that is about to be accepted.
  package mutating func promise(_ size: Int) -> Bool {
    guard fits(size) else { return false }
    promisedEvents &+= 1
    promisedBytes &+= size
    return true
  }

  /// The event has come, or will not.
  package mutating func redeem(_ size: Int) {
    guard promisedEvents > 0 else { return }
    promisedEvents &-= 1
    promisedBytes = max(0, promisedBytes &- size)
  }

  package mutating func append(_ node: HandOver.Pointer) {
    node.pointee.nextOfSubscription = nil
    if let last { last.pointee.nextOfSubscription = node } else { first = node }
    last = node
    if firstParked == nil { firstParked = node }
    guard node.pointee.kept != nil else { return }
    events &+= 1
    bytes &+= node.pointee.size
  }

  /// Asks for so many more.
  package mutating func ask(for count: UInt64) {
    let (sum, isTooMuch) = demand.addingReportingOverflow(Int(clamping: count))
    demand = isTooMuch ? .max : sum
  }

  /// The next that goes to the scheduler's queue; nil: none waits that was asked for.
  package mutating func takeWanted() -> HandOver.Pointer? {
    guard queued < demand, let node = firstParked else { return nil }
    firstParked = node.pointee.nextOfSubscription
    queued &+= 1
    node.pointee.isQueued = true
    return node
  }

  /// The first is delivered.
  package mutating func deliverFirst() {
    queued &-= 1
    if demand != .max { demand &-= 1 }
    removeFirst()
  }

  /// The first leaves, to be delivered or forgotten.
  package mutating func removeFirst() {
    guard let node = first else { return }
    first = node.pointee.nextOfSubscription
    if first == nil { last = nil }
    if firstParked == node { firstParked = first }
    discount(node)
  }

  /// Loses the oldest event that waits. The place where it stood becomes a gap, or adds to the gap
  /// before it, and is then free.
  ///
  /// - Returns: The event that is lost, and a place that is no longer needed.
  package mutating func loseOldest() -> (kept: KeptEvent.Pointer, free: HandOver.Pointer?)? {
    guard let head = first else { return nil }
    guard let kept = head.pointee.kept else { return loseBehind(head) }
    discount(head)
    head.pointee.gap.add(kept.pointee.event.position)
    head.pointee.kept = nil
    return (kept, nil)
  }

  private mutating func loseBehind(
    _ gap: HandOver.Pointer
  ) -> (kept: KeptEvent.Pointer, free: HandOver.Pointer?)? {
    guard let node = gap.pointee.nextOfSubscription, let kept = node.pointee.kept else {
      return nil
    }
    discount(node)
    gap.pointee.gap.add(kept.pointee.event.position)
    gap.pointee.nextOfSubscription = node.pointee.nextOfSubscription
    if gap.pointee.nextOfSubscription == nil { last = gap }
    if firstParked == node { firstParked = node.pointee.nextOfSubscription }
    if node.pointee.isQueued { queued &-= 1 }
    return (kept, node)
  }

  private mutating func discount(_ node: HandOver.Pointer) {
    guard node.pointee.kept != nil else { return }
    events &-= 1
    bytes &-= node.pointee.size
  }

  package func countDropped() { dropped.wrappingAdd(1, ordering: .relaxed) }
}
