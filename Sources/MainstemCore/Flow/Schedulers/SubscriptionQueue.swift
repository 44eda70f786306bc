// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The subscription queue: what waits for one scheduled subscription, and how much may wait. Under its scheduler's
/// lock, except for the counters. The fields under the lock come first, for the reason given at `StreamState`.
package struct SubscriptionQueue: ~Copyable {
  private(set) var events = 0
  private var bytes = 0
  /// Room promised to events that are accepted but not handed over yet: one queue entry each.
  private var promisedEvents = 0
  /// How many of the promised events are in the inbox.
  private var postedEvents = 0
  private var promisedBytes = 0
  /// What was lost while there was no memory for a gap; reported as soon as there is some.
  private(set) var untold = Gap()
  private(set) var first: QueueEntry.Pointer?
  private var last: QueueEntry.Pointer?
  /// The first entry that nobody has asked for yet. The same holds for all entries behind it; none of them is in the
  /// scheduler's queue.
  private var firstParked: QueueEntry.Pointer?
  /// How many are asked for, including those in the scheduler's queue; `Int.max`: always all.
  private var demand = Int.max
  private var inLine = 0
  /// Its subscription has ended; outstanding promises keep the memory.
  private var hasEnded = false

  let scheduler: Scheduler.Pointer
  package let bounds: Bounds
  private let delivered = Atomic<UInt64>(0)
  private let dropped = Atomic<UInt64>(0)
  private let failures = Atomic<UInt64>(0)
  /// The positions of the first and the last event of a list that was lost; 0: none. Changed under the lock.
  private let firstLostList = Atomic<UInt64>(0)
  private let lastLostList = Atomic<UInt64>(0)

  package typealias Pointer = UnsafeMutablePointer<SubscriptionQueue>

  package init(_ scheduler: Scheduler.Pointer, _ bounds: Bounds) {
    self.scheduler = scheduler
    self.bounds = bounds
    if bounds.isOnDemand { demand = 0 }
  }

  /// How much may wait, and what happens to the excess.
  package struct Bounds {
    package let events: Int
    package let bytes: Int
    package let policy: Policy
    /// Nothing is delivered before it is asked for.
    package let isOnDemand: Bool

    /// Of a subscription that has no queue.
    package static var none: Bounds { Bounds(events: 0, bytes: 0, policy: .reject) }

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

    /// The sender is told; no accepted event is lost.
    package var refuses: Bool { self == .reject || self == .block }
  }
}

extension SubscriptionQueue {
  package func fits(_ size: Int) -> Bool {
    events &+ promisedEvents < bounds.events
      && (bytes &+ promisedBytes &+ size <= bounds.bytes || events &+ promisedEvents == 0)
  }

  /// Promises room to an event that is about to be accepted. The promise holds until `redeem`.
  package mutating func promise(_ place: QueueEntry.Pointer) {
    promisedEvents &+= 1
    promisedBytes &+= place.pointee.promisedSize
    if place.pointee.isPosted { postedEvents &+= 1 }
  }

  /// How many promised events come before one that is accepted, or posted, now.
  package func promisedBefore(isPost: Bool) -> Int {
    isPost ? promisedEvents : promisedEvents &- postedEvents
  }

  /// The event of a promised entry leaves the inbox.
  package mutating func takeIn(_ place: QueueEntry.Pointer) {
    guard place.pointee.isPosted else { return }
    place.pointee.isPosted = false
    postedEvents &-= 1
  }

  /// The event of a promised entry has come, or will not come.
  package mutating func redeem(_ place: QueueEntry.Pointer) {
    takeIn(place)
    promisedEvents &-= 1
    promisedBytes &-= place.pointee.promisedSize
  }

  /// Notes that the subscription has ended.
  ///
  /// - Returns: Whether no promise is left, so that the memory can be freed.
  package mutating func end() -> Bool {
    hasEnded = true
    return promisedEvents == 0
  }

  /// Whether the memory can be freed, after a `redeem`.
  package var isLeftOver: Bool { hasEnded && promisedEvents == 0 }

  package mutating func append(_ node: QueueEntry.Pointer) {
    node.pointee.nextOfSubscription = nil
    if let last { last.pointee.nextOfSubscription = node } else { first = node }
    last = node
    if firstParked == nil { firstParked = node }
    guard node.pointee.queued != nil else { return }
    events &+= 1
    bytes &+= node.pointee.weight
  }

  /// Asks for `count` more events.
  package mutating func ask(for count: UInt64) {
    let (sum, isTooMuch) = demand.addingReportingOverflow(Int(clamping: count))
    demand = isTooMuch ? .max : sum
  }

  /// The next entry for the scheduler's queue; nil if none that was asked for waits.
  package mutating func takeWanted() -> QueueEntry.Pointer? {
    guard inLine < demand, let node = firstParked else { return nil }
    firstParked = node.pointee.nextOfSubscription
    inLine &+= 1
    node.pointee.isQueued = true
    return node
  }

  /// Removes the first entry, to be delivered.
  package mutating func deliverFirst() {
    if demand != .max { demand &-= 1 }
    removeFirst()
  }

  /// Removes the first entry, to be delivered or forgotten.
  package mutating func removeFirst() {
    guard let node = first else { return }
    first = node.pointee.nextOfSubscription
    if first == nil { last = nil }
    discountRemoved(node)
  }

  private mutating func removeNext(of node: QueueEntry.Pointer) {
    guard let next = node.pointee.nextOfSubscription else { return }
    node.pointee.nextOfSubscription = next.pointee.nextOfSubscription
    if last == next { last = node }
    discountRemoved(next)
  }

  private mutating func discountRemoved(_ node: QueueEntry.Pointer) {
    if firstParked == node { firstParked = node.pointee.nextOfSubscription }
    if node.pointee.isQueued { inLine &-= 1 }
    discount(node)
  }

  private mutating func discount(_ node: QueueEntry.Pointer) {
    guard node.pointee.queued != nil else { return }
    events &-= 1
    bytes &-= node.pointee.weight
  }
}

/// Losing: a gap stands where events were lost. Two gaps are never neighbors.
extension SubscriptionQueue {
  /// Loses the oldest event that waits. Its entry becomes a gap, or adds to the gap before it and is then free.
  ///
  /// - Returns: The lost event, and the entry that is no longer needed.
  package mutating func loseOldest() -> (queued: QueuedEvent.Pointer, free: QueueEntry.Pointer?)? {
    guard let head = first else { return nil }
    if let queued = head.pointee.queued {
      noteLost(queued.pointee.event)
      discount(head)
      head.pointee.queued = nil
      head.pointee.gap.add(queued.pointee.event.position)
      return (queued, nil)
    }
    guard let node = head.pointee.nextOfSubscription, let queued = node.pointee.queued else {
      return nil
    }
    noteLost(queued.pointee.event)
    removeNext(of: head)
    head.pointee.gap.add(queued.pointee.event.position)
    return (queued, node)
  }

  /// Merges the first two entries if both are gaps, and returns the entry that is then free.
  package mutating func joinGaps() -> QueueEntry.Pointer? {
    guard let head = first, head.pointee.isGap, let next = head.pointee.nextOfSubscription,
      next.pointee.isGap
    else { return nil }
    removeNext(of: head)
    head.pointee.gap.add(next.pointee.gap)
    return next
  }

  /// Notes the loss of an event that would be last in the queue.
  package mutating func lose(_ event: mainstem_event) {
    noteLost(event)
    untold.add(event.position)
    countDropped()
  }

  private func noteLost(_ event: mainstem_event) {
    guard event.isOfList else { return }
    if firstLostList.load(ordering: .relaxed) == 0 {
      firstLostList.store(event.position, ordering: .relaxed)
    }
    lastLostList.store(
      max(event.position, lastLostList.load(ordering: .relaxed)), ordering: .relaxed)
  }

  /// Whether the event of a list may follow one that was lost: then the observer takes the list as a whole.
  func hasLost(before event: UnsafePointer<mainstem_event>) -> Bool {
    let first = firstLostList.load(ordering: .relaxed)
    guard first != 0 else { return false }
    let base = ListStep.of(event).pointee.basePosition
    return base >= first && base <= lastLostList.load(ordering: .relaxed)
  }

  /// Adds the unreported loss to the gap at the end of the queue; false if there is none.
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

/// Counting; for any thread.
extension SubscriptionQueue {
  func countDelivered(_ count: UInt64 = 1) { delivered.wrappingAdd(count, ordering: .relaxed) }

  /// Counts a failed call, and returns how many have failed so far.
  package func countFailure() -> UInt64 {
    failures.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Reads the counters. Takes the scheduler's lock.
  package static func readStats(
    _ queue: Pointer, into stats: inout mainstem_subscription_stats
  ) {
    queue.pointee.scheduler.pointee.lock.acquire()
    defer { queue.pointee.scheduler.pointee.lock.release() }
    stats.flags |= UInt32(MAINSTEM_SUBSCRIPTION_SCHEDULED)
    stats.delivered = queue.pointee.delivered.load(ordering: .relaxed)
    stats.dropped = queue.pointee.dropped.load(ordering: .relaxed)
    stats.failed = queue.pointee.failures.load(ordering: .relaxed)
    stats.waiting = UInt64(queue.pointee.events)
    stats.waiting_bytes = UInt64(queue.pointee.bytes)
  }
}

extension Subscription {
  /// Whether it has got nothing of a list: it began behind the list's event before, and wants no late events.
  func isNew(to event: UnsafePointer<mainstem_event>) -> Bool {
    guard event.pointee.isOfList, call.skipsHistory else { return false }
    let base = ListStep.of(event).pointee.basePosition
    return base > 0 && base <= from
  }

  /// Notes in the event of a list that it does not follow what the subscription has got.
  func note(_ event: UnsafeMutablePointer<mainstem_event>) {
    guard event.pointee.isOfList else { return }
    if isNew(to: event) || queue?.pointee.hasLost(before: event) == true {
      event.pointee.flags |= UInt32(MAINSTEM_EVENT_WHOLE)
    }
  }
}

/// The queue of a scheduled subscription: what makes it, and asking for more.
extension Stream {
  /// Asks for `count` more events for a subscription on demand. Never waits.
  package static func ask(_ handle: Handle, for count: UInt64) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .subscription, "subscription")
    let stream = resolved.stream
    let tells = try stream.locked { () throws(Refusal) -> Bool in
      guard let subscription = resolved.liveSubscription else {
        throw Refusal(.stale, "subscription", "has ended")
      }
      guard let queue = subscription.pointee.queue, queue.pointee.bounds.isOnDemand else {
        throw Refusal(
          .invalid, "subscription",
          "gets its events unasked: observe with MAINSTEM_OBSERVE_ON_DEMAND")
      }
      return stream.ask(for: count, queue)
    }
    if tells { stream.signal() }
  }

  /// Like the static `ask`; true if the host must be told. Under the lock.
  private func ask(for count: UInt64, _ queue: SubscriptionQueue.Pointer) -> Bool {
    let scheduler = queue.pointee.scheduler
    scheduler.pointee.lock.acquire()
    let isFirst = scheduler.pointee.ask(for: count, queue)
    if isFirst { scheduler.pointee.wakeSleepers() }
    scheduler.pointee.lock.release()
    return isFirst && isHostRun(scheduler) && state.pointee.loop.wake.arrive()
  }

  /// Whether anything waits for a scheduled subscription. Under the lock.
  package func waits(for handle: Handle) -> Bool {
    guard let resolved = try? ResolvedHandle(handle, .inner, "subscription"),
      let queue = resolved.liveSubscription?.pointee.queue
    else { return false }
    queue.pointee.scheduler.pointee.lock.acquire()
    defer { queue.pointee.scheduler.pointee.lock.release() }
    return queue.pointee.first != nil
  }

  /// Makes what a scheduled subscription needs besides its rows. Under the lock.
  package func makeQueue(
    _ number: UInt32, isMailbox: Bool, _ bounds: SubscriptionQueue.Bounds
  ) throws(Refusal) -> SubscriptionQueue.Pointer {
    let scheduler = try isMailbox ? mailboxes() : scheduler(number)
    guard let queue = Memory.allocate(SubscriptionQueue.self) else { throw .noMemory }
    queue.initialize(to: SubscriptionQueue(scheduler, bounds))
    return queue
  }

  /// Registers the type of gaps with the first scheduled observers, after all else that may be refused. If it fails, the
  /// registration is undone. Under the lock.
  package func prepareGaps(for registration: inout Registration) throws(Refusal) {
    guard state.pointee.schedulers.gapType == 0 else { return }
    do throws(Refusal) {
      state.pointee.schedulers.gapType = try addGapType()
    } catch {
      undo(&registration)
      throw error
    }
  }

  /// The mailboxes' scheduler, made on first use. Under the lock.
  private func mailboxes() throws(Refusal) -> Scheduler.Pointer {
    if let known = state.pointee.schedulers.mailboxes { return known }
    guard let scheduler = Scheduler.make(.mailbox, self, nil) else { throw .noMemory }
    state.pointee.schedulers.mailboxes = scheduler
    return scheduler
  }

  /// The host's scheduler; like `mailboxes`.
  private func hostScheduler() throws(Refusal) -> Scheduler.Pointer {
    if let known = state.pointee.schedulers[Schedulers.host] { return known }
    guard state.pointee.schedulers.reserve(), let scheduler = Scheduler.make(.host, self, nil)
    else { throw .noMemory }
    state.pointee.schedulers.keepHost(scheduler)
    return scheduler
  }

  /// A scheduler by its number. Under the lock.
  package func scheduler(_ number: UInt32) throws(Refusal) -> Scheduler.Pointer {
    guard number <= state.pointee.schedulers.count else {
      throw Refusal(
        .invalid, "options.scheduler", "is not a scheduler: add one with mainstem_scheduler_add",
        .number(UInt64(number)))
    }
    guard number != Schedulers.host else { return try hostScheduler() }
    guard let found = state.pointee.schedulers[number] else { throw .noMemory }
    return found
  }
}

/// Gaps: a subscription whose queue lost events is told how many.
extension Stream {
  /// The event that tells a subscription of its loss. It is not on the stream: its position is that of the last lost
  /// event.
  package func event(of gap: UnsafePointer<mainstem_gap>) -> mainstem_event {
    var draft = Draft(
      type: state.pointee.schedulers.gapType, data: UnsafeRawPointer(gap),
      size: MemoryLayout<mainstem_gap>.size, origin: 0)
    draft.flags = UInt32(MAINSTEM_EVENT_GAP)
    return draft.event(at: gap.pointee.to, cause: 0, chain: 0, time: 0, isOutside: false)
  }

  func addGapType() throws(Refusal) -> UInt32 {
    let size = UInt64(MemoryLayout<mainstem_gap>.size)
    let contract =
      Contract.Payload.structure.rawValue << 32 | Contract.Role.notice.rawValue << 36 | 5 << 40
      | size
    return try addType(Bytes("MainstemGap"), contract, response: nil)
  }
}
