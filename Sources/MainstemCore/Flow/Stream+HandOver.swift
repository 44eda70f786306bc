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
      guard let backlog = row.pointee.backlog, wants(row, event) else { continue }
      kept = kept ?? KeptEvent.make(copying: event)
      hand(kept, event, to: row, backlog)
    }
    if let kept { KeptEvent.release(kept) }
  }

  /// Queues a copy of what was kept, for a scheduled observer that has joined late.
  package func handOverLate(
    _ event: UnsafeMutablePointer<mainstem_event>, to row: Subscription.Pointer,
    _ backlog: Backlog.Pointer
  ) {
    guard wants(row, event) else { return }
    let kept = KeptEvent.make(copying: event)
    hand(kept, event, to: row, backlog)
    if let kept { KeptEvent.release(kept) }
  }

  private func wants(
    _ row: Subscription.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) -> Bool {
    row.pointee.isFor(event.pointee.status)
      && (!row.pointee.call.counts || row.pointee.remaining > 0)
  }

  private func hand(
    _ kept: KeptEvent.Pointer?, _ event: UnsafeMutablePointer<mainstem_event>,
    to row: Subscription.Pointer, _ backlog: Backlog.Pointer
  ) {
    let scheduler = backlog.pointee.scheduler
    let place = kept.flatMap { takeRoom(of: $0, in: backlog) }
    let hasRoom = place == nil && row.pointee.refuses && hasRoomOfItsOwn(event)
    let isLast = row.pointee.call.counts && row.pointee.remaining == 1
    scheduler.pointee.lock.acquire()
    // Looked at before a gap takes its place, which wakes nobody.
    let wasEmpty = scheduler.pointee.isEmpty(for: backlog)
    if let kept {
      let isQueued = scheduler.pointee.queue(
        kept, for: row, backlog, in: place, hasRoom: hasRoom, isLast: isLast)
      if isQueued, row.pointee.call.counts { row.pointee.remaining &-= 1 }
    } else {
      scheduler.pointee.lose(event.pointee.position, of: row, backlog)
    }
    let isFirst = wasEmpty && !scheduler.pointee.isEmpty(for: backlog)
    if isFirst { scheduler.pointee.wakeSleepers() }
    scheduler.pointee.lock.release()
    if isFirst { tellHost(of: scheduler) }
  }

  /// Whether an event is let in where a queue refuses: an answer that is owed, a report of the core's own.
  private func hasRoomOfItsOwn(_ event: UnsafeMutablePointer<mainstem_event>) -> Bool {
    if event.pointee.answers != 0, event.pointee.reply != 0 {
      return event.pointee.flags & UInt32(MAINSTEM_EVENT_PROGRESS) == 0
    }
    return locked { state.pointee.reports.contain(event.pointee.type) }
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
