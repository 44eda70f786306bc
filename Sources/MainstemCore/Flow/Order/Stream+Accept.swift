// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// An event that has its position, and what is left to do once the lock is released.
package struct Placed {
  package let position: UInt64
  /// The event of the scheduled callback that sent it.
  package var cause: UnsafeMutablePointer<mainstem_event>?
  /// Its memory; nil: the caller's, from which it is delivered.
  package let queued: QueuedEvent.Pointer?
  /// Whether the caller has the delivery lock, and delivers.
  package let isDeliverer: Bool
  /// Whether `signal` must be called.
  package var tells = false

  package var correlation: UInt64 {
    queued?.pointee.event.correlation ?? cause?.pointee.correlation ?? position
  }
}

/// Accepting in general: inside a callback, while another thread delivers, from an inbox.
extension Stream {
  /// Accepts an event, and delivers it if nobody else does.
  @inline(never)
  package func accept(
    _ draft: Draft, _ slot: Slot.Pointer, _ key: UInt64, _ attempt: Attempt
  ) throws(Refusal) {
    if let frame = Frame.holding(self) {
      guard slot.pointee.state.load(ordering: .acquiring) == key else { throw .ended }
      return try enqueue(draft, in: frame, attempt)
    }
    try acceptFromOutside(draft, slot, key)
    try acknowledge()
  }

  /// Like `accept`, outside the callbacks of a delivery. The caller must call `acknowledge`.
  package func acceptFromOutside(
    _ draft: Draft, _ slot: Slot.Pointer, _ key: UInt64
  ) throws(Refusal) {
    guard isMine else {
      guard slot.pointee.state.load(ordering: .acquiring) == key, !isClosed else { throw .ended }
      throw .wrongThreadToSend
    }
    guard let observers = state.pointee.observerTable.find(draft.type) else {
      throw .noType(draft.type)
    }
    endLeftovers()
    if Stream.hasShortWays, acceptAtOnce(draft, observers, slot, key) { return }
    var draft = draft
    var copy = try copyToWait(&draft, observers)
    let placed: Placed
    do throws(Refusal) {
      placed = try locked { () throws(Refusal) in
        try letIn(&draft, &copy, slot, key)
        return try place(&draft, copy)
      }
    } catch {
      giveUp(copy)
      throw error
    }
    finish(placed, draft, observers)
  }

  /// The short way for an event that is looked at, recorded or timed: takes the position and the delivery lock in one step
  /// on an idle word. False: nothing has happened. The handle need only be valid after the word was read.
  private func acceptAtOnce(
    _ draft: Draft, _ observers: TypeObservers.Pointer, _ slot: Slot.Pointer, _ key: UInt64
  ) -> Bool {
    let word = StateWord(bits: state.pointee.word.load(ordering: .acquiring))
    let lockedWord = StateWord(bits: word.bits &+ StateWord.step &+ StateWord.delivering)
    guard word.isIdle, !asksForRoom(observers),
      slot.pointee.state.load(ordering: .acquiring) == key,
      exchange(word, lockedWord, ordering: .acquiringAndReleasing)
    else { return false }
    let placed = Placed(
      position: lockedWord.count &- state.pointee.base,
      cause: Frame.scheduled(self)?.pointee.event, queued: nil, isDeliverer: true)
    finish(placed, draft, observers)
    return true
  }

  /// A copy of an event that is likely to wait; nil: it is likely to be delivered at once, from the caller's memory. Made
  /// before the lock is taken, so that nobody waits for the copying.
  package func copyToWait(
    _ draft: inout Draft, _ observers: TypeObservers.Pointer
  ) throws(Refusal) -> QueuedEvent.Pointer? {
    let word = StateWord(bits: state.pointee.word.load(ordering: .relaxed))
    guard asksForRoom(observers) || !word.isIdle else { return nil }
    guard let copy = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    return copy
  }

  /// Gives an event its position. Under the lock; call `finish` after unlocking.
  @inline(__always)
  package func place(
    _ draft: inout Draft, _ copy: QueuedEvent.Pointer?
  ) throws(Refusal) -> Placed {
    if copy == nil, let position = advanceIfFree() {
      let cause = Frame.scheduled(self)?.pointee.event
      return Placed(position: position, cause: cause, queued: nil, isDeliverer: true)
    }
    guard let queued = copy ?? QueuedEvent.make(copying: &draft) else { throw .noMemory }
    return place(draft, in: queued)
  }

  /// Gives a queued event its position; behind what waits, if somebody delivers. Under the lock; call `finish` after
  /// unlocking.
  @inline(never)
  package func place(_ draft: Draft, in queued: QueuedEvent.Pointer) -> Placed {
    let (position, isDeliverer) = advanceOrLockDelivery(delivers: !isDeferred)
    queued.pointee.event = event(draft, at: position)
    queued.pointee.key = position &* 2
    if !isDeliverer { state.pointee.shared.append(queued) }
    return Placed(
      position: position, queued: queued, isDeliverer: isDeliverer,
      tells: isDeferred && noteDeferred())
  }

  /// Tells the host, and delivers the event if that is left to the caller. No lock held.
  @inline(never)
  package func finish(_ placed: Placed) {
    if placed.tells { signal() }
    guard placed.isDeliverer, let queued = placed.queued else { return }
    deliverQueued(queued)
    finishWork(after: placed.position)
  }

  /// Like `finish`, for an event that may be delivered from the caller's memory.
  package func finish(_ placed: Placed, _ draft: Draft, _ observers: TypeObservers.Pointer) {
    guard placed.queued == nil else { return finish(placed) }
    // A stream that delivers on the host is never free: there is nobody to tell.
    var event = self.event(draft, at: placed.position, by: placed.cause)
    if mayBeSeen(&event) {
      deliver(&event, observers)
      tellAnswers(&event)
    }
    finishWork(after: placed.position)
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

  /// Accepts an event sent inside a callback: it waits its turn, and needs no lock.
  private func enqueue(
    _ draft: Draft, in frame: UnsafeMutablePointer<Frame>, _ attempt: Attempt
  ) throws(Refusal) {
    guard !isClosed else { throw .closed }
    try demandAdmission(draft, .program, in: frame, attempt)
    var draft = draft
    guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    do throws(Refusal) {
      try promiseRoomInside(draft, queued)
    } catch {
      giveUp(queued)
      throw error
    }
    if attempt.isTapped { makeWay() }
    enqueue(draft, queued)
  }

  /// Accepts an event that is in memory of its own, from anywhere. Takes over the memory, even when it fails.
  package func accept(
    _ draft: Draft, _ queued: QueuedEvent.Pointer, _ source: Source, _ attempt: Attempt
  ) throws(Refusal) {
    var (draft, copy) = (draft, Optional(queued))
    let placed: Placed
    do throws(Refusal) {
      if let frame = Frame.holding(self) {
        try demandAdmission(draft, source, in: frame, attempt)
        if source == .program { try promiseRoomInside(draft, queued) }
        if attempt.isTapped { makeWay() }
        return enqueue(draft, queued)
      }
      if source == .program { endLeftovers() }
      placed = try locked { () throws(Refusal) in
        repeat {
          guard !isClosed else { throw .closed }
        } while try !comesIn(
          &draft, &copy, source, isMine ? conditionsOutside : conditionsElsewhere)
        return placeOrLeave(draft, queued)
      }
    } catch {
      giveUp(queued)
      throw error
    }
    finish(placed)
  }

  /// Places an event or, on a thread that does not own the context, leaves it in the inbox. Under the lock; call `finish`
  /// after unlocking.
  @inline(never)
  package func placeOrLeave(_ draft: Draft, _ queued: QueuedEvent.Pointer) -> Placed {
    if isMine { return place(draft, in: queued) }
    keepCause(of: draft, in: queued)
    return leave(queued)
  }

  /// Fills in an event for the inbox; its cause is the event of a callback on this thread, if there is one.
  package func keepCause(of draft: Draft, in queued: QueuedEvent.Pointer) {
    queued.pointee.event = event(draft, at: 0)
  }

  /// Asks queues for room for an event sent inside a callback. For the deliverer.
  @inline(never)
  package func promiseRoomInside(_ draft: Draft, _ queued: QueuedEvent.Pointer) throws(Refusal) {
    guard asksForRoom(draft.type) else { return }
    try locked { () throws(Refusal) in _ = try isPromised(room: draft, queued) }
  }

  /// Accepts an event whose memory is already allocated. For the deliverer.
  @inline(__always)
  package func enqueue(_ draft: Draft, _ queued: QueuedEvent.Pointer) {
    number(draft, queued)
    noteCascade(queued)
    deliverer.pointee.own.append(queued)
  }

  /// Accepts an event under the lock, whoever holds the delivery lock: the deliverer looks before it goes on.
  package func enqueueShared(_ draft: Draft, _ queued: QueuedEvent.Pointer) {
    set(StateWord.pending)
    number(draft, queued)
    state.pointee.shared.append(queued)
  }

  /// Gives an event the next position, and the cause, chain and depth of the callback it is sent in.
  private func number(_ draft: Draft, _ queued: QueuedEvent.Pointer) {
    let frame = Frame.holding(self)
    let cause = frame?.pointee.event
    let depth = draft.cause == nil ? cause.map { Stream.depth(of: $0) &+ 1 } : draft.depth
    let position = advance()
    let from = draft.cause ?? cause?.pointee.position ?? 0
    queued.pointee.event = draft.event(
      at: position, cause: from, chain: cause?.pointee.correlation ?? 0,
      time: time(of: draft, causedBy: frame),
      isOutside: from == 0 || frame?.pointee.sendsInputs == true, depth: depth ?? 0)
    queued.pointee.key = position &* 2
  }

  /// The time at which an event is accepted. If the journal keeps no time for its type, an event sent by a callback
  /// gets the time of that callback's event, as it does in a replay.
  @inline(__always)
  private func time(of draft: Draft, causedBy frame: UnsafeMutablePointer<Frame>?) -> Int64 {
    guard state.pointee.keepsTime else { return 0 }
    return timeKept(of: draft, causedBy: frame)
  }

  @inline(never)
  private func timeKept(of draft: Draft, causedBy frame: UnsafeMutablePointer<Frame>?) -> Int64 {
    guard contract(of: draft.type).keepsNoTime else { return time }
    guard let frame, !frame.pointee.sendsInputs, let event = frame.pointee.event else {
      return isFed ? fedClock : now
    }
    return event.pointee.time
  }

  package var isClosed: Bool {
    StateWord(bits: state.pointee.word.load(ordering: .acquiring)).isClosed
  }
}
