// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Delivering from a scheduler's queue: by one thread at a time, without the stream's delivery lock.
extension Stream {
  /// How many entries are taken off a queue in one locked step.
  private static var batch: Int { 64 }

  /// Delivers what waits on a scheduler, at most `limit`; nothing if somebody else delivers.
  package func deliverFromQueue(of scheduler: Scheduler.Pointer, _ limit: Int) -> Int {
    scheduler.pointee.lock.acquire()
    guard scheduler.pointee.beginDelivering() else {
      scheduler.pointee.lock.release()
      return 0
    }
    var done = 0
    var spent = EntryList()
    while true {
      scheduler.pointee.putBack(&spent)
      if scheduler.pointee.hasCancelled {
        scheduler.pointee.lock.release()
        var none = EntryList()
        endCancelled(on: scheduler, &none)
        if isForked { return done }
        scheduler.pointee.lock.acquire()
        continue
      }
      if scheduler.pointee.isStopping || done >= limit { break }
      var batch = scheduler.pointee.takeBatch(min(Stream.batch, limit &- done))
      if batch.count == 0 { break }
      let isEmpty = scheduler.pointee.entries.count == 0
      scheduler.pointee.lock.release()
      if isEmpty { tellHostTaken(from: scheduler) }
      done &+= deliverEntries(&batch, scheduler, &spent)
      if isForked { return done }
      scheduler.pointee.lock.acquire()
    }
    scheduler.pointee.endDelivering()
    scheduler.pointee.lock.release()
    return done
  }

  /// Delivers what waits on the schedulers that the host runs: at most `limit`, and no more than waits now. With a
  /// virtual clock these are all schedulers, one event at a time, in an order that the seed decides.
  package func deliverScheduled(_ limit: Int) -> Int {
    guard isVirtual else {
      guard let scheduler = locked({ state.pointee.schedulers[Schedulers.host] }) else { return 0 }
      let waiting = scheduler.pointee.waiting.load(ordering: .relaxed)
      return deliverFromQueue(of: scheduler, min(limit, waiting))
    }
    var left = min(limit, waitingOnSchedulers)
    var done = 0
    while left > 0, !isForked, let scheduler = pickScheduler() {
      let before = scheduler.pointee.waiting.load(ordering: .relaxed)
      let delivered = deliverFromQueue(of: scheduler, 1)
      let after = scheduler.pointee.waiting.load(ordering: .relaxed)
      done &+= delivered
      // What was cancelled takes no turn. If nothing changed, another thread delivers.
      if delivered > 0 || after == before { left &-= 1 }
    }
    return done
  }

  private var waitingOnSchedulers: Int {
    var sum = 0
    eachScheduler { scheduler in
      sum &+= scheduler.pointee.waiting.load(ordering: .relaxed)
    }
    return sum
  }

  /// One of the schedulers on which something waits; nil if there is none.
  private func pickScheduler() -> Scheduler.Pointer? {
    var ready: UInt64 = 0
    eachScheduler { scheduler in
      if scheduler.pointee.waiting.load(ordering: .relaxed) > 0 { ready &+= 1 }
    }
    guard ready > 0 else { return nil }
    var skip = pick(below: ready)
    var picked: Scheduler.Pointer?
    eachScheduler { scheduler in
      guard scheduler.pointee.waiting.load(ordering: .relaxed) > 0 else { return }
      if skip == 0, picked == nil { picked = scheduler }
      skip &-= 1
    }
    return picked
  }

  /// Delivers a batch. Once the context closes, the rest is dropped.
  ///
  /// - Parameter spent: Gets the used entries, for the next locked step.
  @_optimize(speed)
  private func deliverEntries(
    _ batch: inout EntryList, _ scheduler: Scheduler.Pointer, _ spent: inout EntryList
  ) -> Int {
    var calls = 0
    while batch.count > 0 {
      if scheduler.pointee.attention.load(ordering: .relaxed) {
        endCancelled(on: scheduler, &batch)
      }
      guard let node = batch.takeFirst() else { break }
      let asked = node.pointee.asked
      if runCompletion(node) || !isClosed && deliverEntry(node) { calls &+= 1 }
      if let asked, !isForked { letGo(asked.event, by: asked.origin) }
      if isForked { break }
      if let queued = node.pointee.queued, !QueuedEvent.isOnlyOwner(queued) {
        QueuedEvent.release(queued)
        node.pointee.queued = nil
      }
      spent.append(node)
    }
    return calls
  }

  /// A handler on a scheduler got a request, or does not get it any more.
  @inline(never)
  func letGo(_ event: UnsafeMutablePointer<mainstem_event>, by origin: UInt32) {
    guard locked({ tellHeld(event, -1) }) else { return }
    Frame.enterScheduled(self, event, nil) { _ in
      tellUnanswered(event, by: origin, toInbox: !isAtHome)
    }
  }

  /// Calls a subscription with what was handed over; false if it has been cancelled.
  private func deliverEntry(_ node: QueueEntry.Pointer) -> Bool {
    guard let subscription = node.pointee.subscription else { return false }
    if let queued = node.pointee.queued {
      return callScheduled(subscription, queued.pointee.event, isLast: node.pointee.isLast)
    }
    var gap = node.pointee.gap.forHost
    return withUnsafePointer(to: &gap) { gap in
      callScheduled(subscription, event(of: gap), isGap: true)
    }
  }
}
