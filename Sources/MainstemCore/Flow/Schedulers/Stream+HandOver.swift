// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Handing over: after its immediate observers, an event goes to the queues of the scheduled ones.
///
/// A type with scheduled observers has an internal row for this, behind all observers: a type without them pays
/// nothing.
extension Stream {
  /// The row's function.
  @_optimize(speed)
  package static func handOver(
    _ observers: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
  ) {
    guard let observers = observers?.assumingMemoryBound(to: TypeObservers.self),
      let frame = Frame.innermost,
      let event = frame.pointee.event
    else { return }
    // The hand-over was counted as a call.
    frame.pointee.stream.add(calls: ~0)
    frame.pointee.stream.handOver(event, observers)
  }

  /// Queues an event for every scheduled observer of its type. For the deliverer.
  @_optimize(speed)
  private func handOver(
    _ event: UnsafeMutablePointer<mainstem_event>, _ observers: TypeObservers.Pointer
  ) {
    // The event that a timer lends is overwritten the next time.
    var queued = deliverer.pointee.current
    if queued?.pointee.lender != nil { queued = nil }
    if let queued { QueuedEvent.retain(queued) }
    observers.pointee.eachScheduled(wanting: event) { row, queue in
      queued = queued ?? QueuedEvent.make(copying: event)
      addToQueue(queued, event, of: row, queue)
    }
    if let queued { QueuedEvent.release(queued) }
  }

  /// Queues a copy of a kept event, for a scheduled observer that joined late.
  package func handOverLate(
    _ event: UnsafeMutablePointer<mainstem_event>, to row: Subscription.Pointer,
    _ queue: SubscriptionQueue.Pointer
  ) {
    let queued = QueuedEvent.make(copying: event)
    addToQueue(queued, event, of: row, queue)
    if let queued { QueuedEvent.release(queued) }
  }

  private func addToQueue(
    _ queued: QueuedEvent.Pointer?, _ event: UnsafeMutablePointer<mainstem_event>,
    of row: Subscription.Pointer, _ queue: SubscriptionQueue.Pointer
  ) {
    let scheduler = queue.pointee.scheduler
    let place = queued.flatMap { takeRoom(of: $0, in: queue) }
    let ignoresLimit = place == nil && queue.pointee.bounds.policy.refuses && passesLimit(event)
    let isLast = !row.pointee.wantsMore(than: 1)
    let isHeld = row.pointee.call.isHandler && Stream.isAsking(event)
    if isHeld { _ = locked { tellHeld(event, 1) } }
    var isLost = true
    scheduler.pointee.lock.acquire()
    // Checked before a gap is queued, which wakes nobody.
    let wasEmpty = scheduler.pointee.isEmpty(for: queue)
    if let queued {
      let isQueued = scheduler.pointee.add(
        queued, for: row, queue, in: place, ignoresLimit: ignoresLimit, isLast: isLast)
      if isQueued { row.pointee.countMatch() }
      isLost = !isQueued
    } else {
      scheduler.pointee.lose(event.pointee.position, of: row, queue)
    }
    let isFirst = wasEmpty && !scheduler.pointee.isEmpty(for: queue)
    if isFirst { scheduler.pointee.wakeSleepers() }
    scheduler.pointee.lock.release()
    // Not the last: whoever hands it over can still answer, or has asked for nothing.
    if isHeld, isLost { _ = locked { tellHeld(event, -1) } }
    if isFirst { tellHost(of: scheduler) }
  }

  /// Whether a queue that refuses lets an event in: an answer that is owed, or one of the core's own reports.
  private func passesLimit(_ event: UnsafeMutablePointer<mainstem_event>) -> Bool {
    if event.pointee.answers != 0, event.pointee.reply != 0 {
      return event.pointee.flags & UInt32(MAINSTEM_EVENT_PROGRESS) == 0
    }
    return locked { state.pointee.reports.contain(event.pointee.type) }
  }

  /// A scheduler's queue is no longer empty: tells the host's loop if the host runs the scheduler.
  func tellHost(of scheduler: Scheduler.Pointer) {
    if hostIsToBeTold(of: scheduler) { signal() }
  }

  /// Like `tellHost`; true: the caller must signal.
  package func hostIsToBeTold(of scheduler: Scheduler.Pointer) -> Bool {
    let isMailbox = scheduler.pointee.kind.isMailbox
    return (isMailbox || isHostRun(scheduler))
      && locked { state.pointee.loop.wake.arrive(inMailbox: isMailbox) }
  }
}
