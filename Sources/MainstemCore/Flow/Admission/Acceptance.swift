// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Accepting in general: inside a callback, while another thread delivers, from an inbox.
extension Stream {
  /// Accepts an event, and delivers it if nobody else does.
  @inline(never)
  func accept(
    _ draft: Draft, through resolved: ResolvedHandle, _ attempt: Attempt
  ) throws(Refusal) {
    if let frame = Frame.holding(self) {
      guard resolved.isLive else { throw .ended }
      if frame.pointee.row?.pointee.call.isShow ?? false { try demandShowable(draft.type) }
      return try accept(draft, in: frame, attempt)
    }
    try acceptFromOutside(draft, through: resolved)
    try acknowledge()
  }

  /// Like `accept`, outside the callbacks of a delivery. The caller must call `acknowledge`.
  func acceptFromOutside(
    _ draft: Draft, through resolved: ResolvedHandle
  ) throws(Refusal) {
    guard isMine else {
      guard resolved.isLive, !isClosed else { throw .ended }
      throw .wrongThreadToSend
    }
    guard let observers = state.pointee.observers.find(draft.type) else {
      throw .noType(draft.type)
    }
    guard draft.step == nil else {
      // Its changes are made when it is delivered, so it has memory of its own.
      var draft = draft
      guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
      return try letIn(draft, .program, .unnoted, in: queued, through: resolved)
    }
    if Stream.hasShortWays, isUndisturbed, acceptAtOnce(draft, observers, resolved) { return }
    try letIn(draft, .program, .unnoted, in: nil, through: resolved)
  }

  /// The short way for an event that is looked at, recorded or timed: takes the position and the delivery lock in one step
  /// on an idle word. False: nothing has happened. The handle need only be valid after the word was read.
  private func acceptAtOnce(
    _ draft: Draft, _ observers: TypeObservers.Pointer, _ resolved: ResolvedHandle
  ) -> Bool {
    let duty = advanceIfIdle { !state.pointee.observers.asksForRoom(observers) && resolved.isLive }
    guard duty.isDeliverer else { return false }
    let placed = Placed(
      position: position(of: duty), cause: Frame.scheduled(self)?.pointee.event, duty: duty)
    finish(placed, draft, observers)
    return true
  }

  /// Whether an event is likely to wait. Then it is copied before the lock is taken, so that nobody waits for the copying;
  /// otherwise it is likely to be delivered at once, from the caller's memory.
  @inline(__always)
  func isLikelyToWait(_ observers: TypeObservers.Pointer) -> Bool {
    state.pointee.observers.asksForRoom(observers) || !isFree
  }

  /// Gives an event its position, from the caller's memory if nobody delivers. Under the lock; call `finish` after
  /// unlocking.
  @inline(__always)
  func place(_ draft: inout Draft) throws(Refusal) -> Placed {
    let duty = advanceIfFree()
    if duty.isDeliverer {
      let cause = Frame.scheduled(self)?.pointee.event
      return Placed(position: position(of: duty), cause: cause, duty: duty)
    }
    guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    return place(draft, in: queued)
  }

  /// Gives a queued event its position; behind what waits, if somebody delivers. Under the lock; call `finish` after
  /// unlocking.
  @_optimize(speed)
  @inline(never)
  package func place(_ draft: Draft, in queued: QueuedEvent.Pointer) -> Placed {
    var duty = Duty.nothing
    let position = advanceOrLockDelivery(delivers: !isDeferred, &duty)
    queued.pointee.event = event(draft, at: position)
    queued.pointee.key = position &* 2
    // Also where it is delivered at once: another thread may set the same before it is kept.
    expectValue(queued)
    if !duty.isDeliverer { state.pointee.order.share(queued) }
    return Placed(
      position: position, queued: queued, duty: duty, tells: isDeferred && noteDeferred())
  }

  /// Tells the host, and delivers the event if that is left to the caller. No lock held.
  @inline(never)
  package func finish(_ placed: consuming Placed) {
    if placed.tells { signal() }
    guard placed.duty.isDeliverer, let queued = placed.queued else { return }
    deliverQueued(queued)
    let position = placed.position
    fulfill(placed.duty, after: position)
  }

  /// Like `finish`, for an event that may be delivered from the caller's memory.
  package func finish(
    _ placed: consuming Placed, _ draft: Draft, _ observers: TypeObservers.Pointer
  ) {
    guard placed.queued == nil else { return finish(placed) }
    // A stream that delivers on the host is never free: there is nobody to tell.
    var event = self.event(draft, at: placed.position, by: placed.cause)
    if mayBeSeen(&event) {
      deliver(&event, observers)
      tellAnswers(&event)
    }
    let position = placed.position
    fulfill(placed.duty, after: position)
  }

  /// An event from outside. Its cause, if any, is the event of the scheduled callback that runs on this thread.
  package func event(_ draft: Draft, at position: UInt64) -> mainstem_event {
    event(draft, at: position, by: Frame.scheduled(self)?.pointee.event)
  }

  @inline(__always)
  private func event(
    _ draft: Draft, at position: UInt64, by cause: UnsafeMutablePointer<mainstem_event>?
  ) -> mainstem_event {
    draft.event(
      at: position, cause: draft.cause ?? cause?.pointee.position ?? 0,
      chain: cause?.pointee.correlation ?? 0, time: now, isOutside: true)
  }

  /// Accepts an event sent inside a callback: it waits its turn, and needs no lock unless a queue is asked.
  @_optimize(speed)
  private func accept(
    _ draft: Draft, in frame: UnsafeMutablePointer<Frame>, _ attempt: Attempt
  ) throws(Refusal) {
    guard !isClosed else { throw .closed }
    guard !state.pointee.observers.asksForRoom(draft.type) else {
      return try letIn(draft, .program, attempt, in: nil)
    }
    var draft = draft
    var arrival = Arrival(nil, .program, .callback(frame), self)
    try arrival.prepare(&draft, in: frame, attempt)
    _ = try arrival.takePosition(for: &draft)
  }

  /// Gives an event that a callback sends its position. For the deliverer.
  func placeInside(_ draft: Draft, _ queued: QueuedEvent.Pointer) -> Placed {
    enqueue(draft, queued)
    expectValue(queued)
    return Placed(position: queued.pointee.event.position, queued: queued)
  }

  /// Leaves an event in the inbox: it has its cause, and gets its position later. Under the lock; call `finish` after
  /// unlocking.
  func leave(_ draft: Draft, _ queued: QueuedEvent.Pointer) -> Placed {
    queued.pointee.event = event(draft, at: 0)
    return Placed(position: 0, queued: queued, tells: leave(queued))
  }

  /// Accepts an event whose memory is already allocated. For the deliverer.
  @inline(__always)
  func enqueue(_ draft: Draft, _ queued: QueuedEvent.Pointer) {
    number(draft, queued)
    noteCascade(queued)
    deliverer.pointee.own.append(queued)
  }

  /// Accepts an event that the core sends, or a callback's answer. For the deliverer.
  @inline(__always)
  package func enqueue(_ kept: KeptEvent) { enqueue(kept.draft, kept.queued) }

  /// Accepts an answer that was held: it has everything but its position and its time. For the deliverer.
  func enqueueHeld(_ queued: QueuedEvent.Pointer, in frame: UnsafeMutablePointer<Frame>) {
    let position = advance()
    queued.pointee.event.position = position
    queued.pointee.event.time = time(of: queued.pointee.event.type, causedBy: frame)
    queued.pointee.key = position &* 2
    noteCascade(queued)
    deliverer.pointee.own.append(queued)
  }

  /// Accepts an event of a source, which has its position. For the deliverer.
  package func enqueueFed(_ queued: QueuedEvent.Pointer) {
    withValues { expectValue(queued) }
    deliverer.pointee.own.append(queued)
  }

  /// Accepts an event under the lock, whoever holds the delivery lock: the deliverer looks before it goes on.
  package func enqueueShared(_ kept: KeptEvent) {
    callDeliverer()
    number(kept.draft, kept.queued)
    state.pointee.order.share(kept.queued)
  }

  /// Gives an event the next position, and the cause, chain and depth of the callback it is sent in.
  @_optimize(speed)
  private func number(_ draft: Draft, _ queued: QueuedEvent.Pointer) {
    let frame = Frame.holding(self)
    let cause = frame?.pointee.event
    let depth = draft.cause == nil ? cause.map { Stream.depth(of: $0) &+ 1 } : draft.depth
    let position = advance()
    let from = draft.cause ?? cause?.pointee.position ?? 0
    queued.pointee.event = draft.event(
      at: position, cause: from, chain: cause?.pointee.correlation ?? 0,
      time: time(of: draft.type, causedBy: frame),
      isOutside: from == 0 || frame?.pointee.sendsInputs == true, depth: depth ?? 0)
    queued.pointee.key = position &* 2
  }

  /// The time at which an event is accepted. If the journal keeps no time for its type, an event sent by a callback
  /// gets the time of that callback's event, as it does in a replay.
  @inline(__always)
  private func time(of type: UInt32, causedBy frame: UnsafeMutablePointer<Frame>?) -> Int64 {
    guard state.pointee.admissions.keepsTime else { return 0 }
    return timeKept(of: type, causedBy: frame)
  }

  @inline(never)
  private func timeKept(of type: UInt32, causedBy frame: UnsafeMutablePointer<Frame>?) -> Int64 {
    guard contract(of: type).keepsNoTime else { return time }
    guard let frame, !frame.pointee.sendsInputs, let event = frame.pointee.event else {
      return isFed ? fedClock : now
    }
    return event.pointee.time
  }
}

/// An event that has its position, and what is left to do once the lock is released.
package struct Placed: ~Copyable {
  package let position: UInt64
  /// The event of the scheduled callback that sent it.
  let cause: UnsafeMutablePointer<mainstem_event>?
  /// Its memory; nil: the caller's, from which it is delivered.
  let queued: QueuedEvent.Pointer?
  /// If the caller has the delivery lock, it delivers.
  let duty: Duty
  /// Whether `signal` must be called.
  let tells: Bool

  init(
    position: UInt64, cause: UnsafeMutablePointer<mainstem_event>? = nil,
    queued: QueuedEvent.Pointer? = nil, duty: consuming Duty = .nothing, tells: Bool = false
  ) {
    self.position = position
    self.cause = cause
    self.queued = queued
    self.duty = duty
    self.tells = tells
  }

  package var correlation: UInt64 {
    queued?.pointee.event.correlation ?? cause?.pointee.correlation ?? position
  }

  /// Whether a replay feeds it: not if a callback of the delivery itself sent it.
  package var isInput: Bool {
    queued.map { $0.pointee.event.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 } ?? true
  }
}
