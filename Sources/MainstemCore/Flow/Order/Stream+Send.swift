// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Sending: the hot path. Anything unusual takes the full way instead: see `send`.
extension Stream {
  /// Puts an event on the stream if that is possible at once; false: nothing has happened. Tried first without looking
  /// at the payload, then with looking, so that the shortest path has no call in it.
  ///
  /// A stream's memory is never used for anything else, so the handle need only be valid after the word was read: the
  /// word of a context that has been closed since never matches.
  @inline(__always)
  package static func sendAtOnce(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int,
    looking isLooking: Bool = false
  ) -> Bool {
    // Tested here, where it stays a branch of its own: later it would be merged with another, and cost more.
    guard isLooking || data != nil else { return false }
    guard let (slot, key) = Slot.find(handle), let stream = Stream(ofContext: slot) else {
      return false
    }
    // Acquired: an origin written when the handle's slot was freed becomes visible together with its ended state.
    let origin = slot.pointee.origin.load(ordering: .acquiring)
    guard let observers = stream.state.pointee.observerTable.find(type),
      isLooking || observers.pointee.admits(size),
      let payload = isLooking ? observers.pointee.admitted(data, size, on: stream) : data
    else { return false }
    let word = StateWord(bits: stream.state.pointee.word.load(ordering: .acquiring))
    guard word.isIdle, slot.pointee.state.load(ordering: .acquiring) == key else { return false }
    return stream.deliverAtOnce(observers, word) { event, position in
      mainstem_p_event_from_outside(
        event, position, type, payload, Draft.nothing, size, origin)
    }
  }

  /// Takes the delivery lock together with the next position if the word is unchanged, delivers, and releases the
  /// delivery lock. Each kind of context has its own code for the same steps.
  @inline(__always)
  private func deliverAtOnce(
    _ observers: TypeObservers.Pointer, _ word: StateWord,
    _ fill: (UnsafeMutablePointer<mainstem_event>, UInt64) -> Void
  ) -> Bool {
    let lockedWord = StateWord(bits: word.bits &+ StateWord.step &+ StateWord.delivering)
    let owner = state.pointee.quickOwner.load(ordering: .relaxed)
    // An idle word says that no callback of the deliverer runs on this thread; a scheduled one may.
    if owner == 0 {
      let below = Frame.innermost
      guard below == nil || Frame.of(self) == nil,
        state.pointee.word.compareExchange(
          expected: word.bits, desired: lockedWord.bits, ordering: .acquiring
        ).exchanged
      else { return false }
      deliver(observers, lockedWord, fill) {
        // A request for attention marks the word, and this exchange fails.
        state.pointee.word.compareExchange(
          expected: lockedWord.bits, desired: lockedWord.free.bits, ordering: .releasing
        ).exchanged
      }
    } else {
      guard owner == Frame.thread else { return false }
      let below = Frame.innermost
      guard below == nil || Frame.of(self) == nil else { return false }
      state.pointee.word.store(lockedWord.bits, ordering: .relaxed)
      deliver(observers, lockedWord, fill) {
        // Another thread that asks for attention leaves the word alone; it sets `quickOwner`, for the next send.
        guard state.pointee.word.load(ordering: .relaxed) == lockedWord.bits else {
          return false
        }
        state.pointee.word.store(lockedWord.free.bits, ordering: .relaxed)
        return true
      }
    }
    return true
  }

  /// Delivers an event built here, and settles what came up unless the delivery lock can be released.
  @inline(__always)
  private func deliver(
    _ observers: TypeObservers.Pointer, _ lockedWord: StateWord,
    _ fill: (UnsafeMutablePointer<mainstem_event>, UInt64) -> Void, _ unlock: () -> Bool
  ) {
    var event = mainstem_event()
    withUnsafeMutablePointer(to: &event) { event in
      fill(event, lockedWord.count &- state.pointee.base)
      deliver(event, observers)
      if !unlock() { settle(after: event.pointee.position) }
    }
  }

  /// Puts an event on the stream, whatever the stream's state.
  package static func send(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.own(handle)
    try resolved.stream.trying { attempt throws(Refusal) in
      let draft = try resolved.draft(type, data, size)
      guard try resolved.stream.admits() else { return }
      try resolved.stream.accept(draft, resolved.slot, resolved.key, attempt)
    }
  }

  /// Whether a payload of this size is allowed.
  @inline(__always)
  package func allows(_ size: Int) -> Bool {
    UInt(bitPattern: size) <= UInt(bitPattern: state.pointee.limits.payload)
  }

  @inline(never)
  package func refusal(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) -> Refusal {
    let contract = contract(of: type)
    if contract.bits == 0 { return .noType(type) }
    if !allows(size) {
      return Refusal(
        .tooBig, "size", "bytes is the limit for a payload",
        .number(UInt64(state.pointee.limits.payload)))
    }
    return contract.refusal(data, size)
  }

  /// Lets sends take the shortest path, if this stream only delivers its events.
  package func allowQuickSends() {
    let owner = state.pointee.owner.load(ordering: .relaxed)
    let quick = state.pointee.keepsTime || isFed ? StreamState.noThread : owner
    state.pointee.quickOwner.store(quick, ordering: .relaxed)
  }

  /// The time at which an event is accepted; 0 if this stream keeps no times.
  @inline(__always)
  package var now: Int64 { state.pointee.keepsTime ? time : 0 }
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
      throw .wrongThread
    }
    endLeftovers()
    if acceptAtOnce(draft, slot, key) { return }
    var draft = draft
    guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    do throws(Refusal) {
      try lockWithRoom(for: draft, queued, slot, key)
    } catch {
      giveUp(queued)
      throw error
    }
    place(draft, in: queued)
  }

  /// Accepts an event if nobody delivers, without copying its payload; false: nothing has happened. The handle need
  /// only be valid after the word was read: see `sendAtOnce`.
  private func acceptAtOnce(
    _ draft: Draft, _ slot: Slot.Pointer, _ key: UInt64
  ) -> Bool {
    guard let observers = state.pointee.observerTable.find(draft.type),
      observers.pointee.refusers.load(ordering: .relaxed) == 0
    else { return false }
    let word = StateWord(bits: state.pointee.word.load(ordering: .acquiring))
    let lockedWord = StateWord(bits: word.bits &+ StateWord.step &+ StateWord.delivering)
    guard word.isIdle, slot.pointee.state.load(ordering: .acquiring) == key,
      exchange(word, lockedWord, ordering: .acquiringAndReleasing)
    else { return false }
    let position = lockedWord.count &- state.pointee.base
    var event = placed(draft, at: position)
    if mayBeSeen(&event) {
      deliver(&event, observers)
      tellAnswers(&event)
    }
    settle(after: position)
    return true
  }

  /// Gives a queued event its position, and delivers it if nobody else does. Under the lock, which it releases.
  package func place(_ draft: Draft, in queued: QueuedEvent.Pointer) {
    let isDeliverer = take(draft, in: queued)
    unlock(after: queued, isDeliverer)
  }

  /// Gives a queued event its position. If the delivery lock was free the caller has it now, for `unlock(after:)`;
  /// otherwise the event is queued behind what waits. Under the lock.
  package func take(_ draft: Draft, in queued: QueuedEvent.Pointer) -> Bool {
    let (position, isDeliverer) = advanceOrLockDelivery(delivers: !isDeferred)
    queued.pointee.event = placed(draft, at: position)
    queued.pointee.key = position &* 2
    if !isDeliverer { state.pointee.shared.append(queued) }
    return isDeliverer
  }

  /// An event from outside. Its cause, if any, is the event of the scheduled callback that runs on this thread.
  package func placed(_ draft: Draft, at position: UInt64) -> mainstem_event {
    placed(draft, at: position, by: Frame.scheduled(self)?.pointee.event)
  }

  @inline(__always)
  package func placed(
    _ draft: Draft, at position: UInt64, by cause: UnsafeMutablePointer<mainstem_event>?
  ) -> mainstem_event {
    draft.event(
      at: position, cause: draft.cause ?? cause?.pointee.position ?? 0,
      chain: cause?.pointee.correlation ?? 0, time: now, isOutside: true)
  }

  /// Releases the lock after `take`. Delivers if the caller has the delivery lock; tells the host if the event waits
  /// for the host.
  package func unlock(after queued: QueuedEvent.Pointer, _ isDeliverer: Bool, tells: Bool = false) {
    let tellsOfIt = isDeferred && noteDeferred()
    state.pointee.lock.release()
    if tells { signal() }
    if tellsOfIt { signal() }
    guard isDeliverer else { return }
    let position = queued.pointee.event.position
    deliver(queued)
    settle(after: position)
  }

  /// Accepts an event sent inside a callback: it waits its turn, and needs no lock.
  private func enqueue(
    _ draft: Draft, in frame: UnsafeMutablePointer<Frame>, _ attempt: Attempt
  ) throws(Refusal) {
    guard !isClosed else { throw .closed }
    try demandRoom(for: draft, in: frame, attempt)
    var draft = draft
    guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    do throws(Refusal) {
      try promiseRoomInside(draft, queued)
    } catch {
      giveUp(queued)
      throw error
    }
    makeWay(in: frame, attempt)
    enqueue(draft, queued)
  }

  /// Asks queues for room for an event sent inside a callback. For the deliverer.
  package func promiseRoomInside(_ draft: Draft, _ queued: QueuedEvent.Pointer) throws(Refusal) {
    guard asksForRoom(draft.type) else { return }
    try locked { () throws(Refusal) in _ = try isPromised(room: draft, queued, waits: false) }
  }

  /// Accepts an event whose memory is already allocated. For the deliverer.
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
