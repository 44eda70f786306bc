// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Handing over: after its immediate observers, an event goes to the queues of the scheduled ones.
///
/// A lane with scheduled observers has a row of the core's own that does it, behind all observers: so
/// a lane without them pays nothing.
extension Stream {
  /// Lets a lane have its row that hands over, before the first scheduled observer needs it. Under the
  /// lock; false without memory.
  package func reserveHandOver(_ lane: Lane.Pointer) -> Bool {
    guard lane.pointee.handOver == nil else { return true }
    guard lane.pointee.reserve() else { return false }
    guard let row = makeHandOverRow(lane) else {
      lane.pointee.unreserve()
      return false
    }
    lane.pointee.handOver = row
    return true
  }

  /// Lets an observer join a lane. Under claim and lock.
  @inline(__always)
  package func join(_ subscription: Subscription.Pointer, _ lane: Lane.Pointer) {
    lane.pointee.join(subscription)
    if subscription.pointee.backlog != nil { lane.pointee.joinHandOver() }
  }

  private func makeHandOverRow(_ lane: Lane.Pointer) -> Subscription.Pointer? {
    guard let root = state.pointee.root, let row = Memory.allocate(Subscription.self) else {
      return nil
    }
    let wish = Subscription.Wish(
      { lane, event in Stream.handOver(lane, event) }, UnsafeMutableRawPointer(lane), nil, .nothing)
    row.initialize(
      to: Subscription(
        wish, backlog: nil, through: nil, scope: root, slot: root.pointee.slot, serial: 0))
    return row
  }

  private static func handOver(
    _ lane: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
  ) {
    guard let lane = lane?.assumingMemoryBound(to: Lane.self), let frame = Frame.innermost,
      let event = frame.pointee.event
    else { return }
    // It was counted as a call.
    frame.pointee.stream.add(calls: ~0)
    frame.pointee.stream.handOver(event, lane)
  }

  /// Queues an event for every scheduled observer of its lane. For the holder.
  private func handOver(_ event: UnsafeMutablePointer<mainstem_event>, _ lane: Lane.Pointer) {
    guard let rows = lane.pointee.rows else { return }
    // What a timer lends is written again the next time.
    var kept = holder.pointee.current
    if kept?.pointee.lender != nil { kept = nil }
    if let kept { KeptEvent.retain(kept) }
    var index = 0
    while index < Int(lane.pointee.count) {
      let row = rows[index]
      index &+= 1
      guard let backlog = row.pointee.backlog, row.pointee.isFor(event),
        !row.pointee.call.counts || row.pointee.remaining > 0
      else { continue }
      kept = kept ?? KeptEvent.make(copying: event)
      hand(kept, event.pointee.position, to: row, backlog)
    }
    if let kept { KeptEvent.release(kept) }
  }

  /// Queues a copy of what was kept, for a scheduled observer that has joined late.
  package func handOverLate(
    _ event: UnsafeMutablePointer<mainstem_event>, to row: Subscription.Pointer,
    _ backlog: Backlog.Pointer
  ) {
    guard row.pointee.isFor(event), !row.pointee.call.counts || row.pointee.remaining > 0 else {
      return
    }
    let kept = KeptEvent.make(copying: event)
    hand(kept, event.pointee.position, to: row, backlog)
    if let kept { KeptEvent.release(kept) }
  }

  private func hand(
    _ kept: KeptEvent.Pointer?, _ position: UInt64, to row: Subscription.Pointer,
    _ backlog: Backlog.Pointer
  ) {
    let scheduler = backlog.pointee.scheduler
    let isLast = row.pointee.call.counts && row.pointee.remaining == 1
    scheduler.pointee.lock.acquire()
    let outcome =
      kept.map { scheduler.pointee.queue($0, for: row, backlog, isLast: isLast) }
      ?? scheduler.pointee.lose(position, backlog)
    if outcome == .first { scheduler.pointee.wakeSleepers() }
    scheduler.pointee.lock.release()
    if outcome != .lost, row.pointee.call.counts { row.pointee.remaining &-= 1 }
    if outcome == .first { tellHost(of: scheduler) }
  }

  /// Queues an errand with an event that has memory of its own.
  package func hand(_ errand: HandOver.Pointer, to scheduler: Scheduler.Pointer) {
    scheduler.pointee.lock.acquire()
    let isFirst = scheduler.pointee.queue(errand)
    if isFirst { scheduler.pointee.wakeSleepers() }
    scheduler.pointee.lock.release()
    if isFirst { tellHost(of: scheduler) }
  }

  /// A scheduler's queue is no longer empty: if the host runs it, its loop is told.
  private func tellHost(of scheduler: Scheduler.Pointer) {
    if hostIsToBeTold(of: scheduler) { signal() }
  }

  /// As `tellHost`; true: the caller is to signal.
  package func hostIsToBeTold(of scheduler: Scheduler.Pointer) -> Bool {
    if scheduler.pointee.kind.isMailbox { return locked { state.pointee.wake.arriveMail() } }
    return isHostRun(scheduler) && locked { state.pointee.wake.arrive() }
  }
}
