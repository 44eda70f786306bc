// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Sending: the hot path. What is not the usual case goes the full way instead: see `send`.
extension Stream {
  /// Puts an event on the stream if that can be done at once; false: nothing has happened.
  ///
  /// A stream's memory is always a stream's, so the handle need only be valid after the word was read: the
  /// word of a context that was closed since never fits again.
  @inline(__always)
  package static func sendAtOnce(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) -> Bool {
    guard let (slot, key) = Slot.find(handle),
      UInt8(truncatingIfNeeded: key) == Kind.context.rawValue
    else { return false }
    let address = slot.pointee.stream.load(ordering: .relaxed)
    // Acquired: an origin written when the handle's place was freed comes with its ended state.
    let origin = slot.pointee.origin.load(ordering: .acquiring)
    guard let stream = Stream(address: address) else { return false }
    guard let lane = stream.state.pointee.lanes.find(type) else { return false }
    let contract = Contract(bits: lane.pointee.contract.load(ordering: .acquiring))
    guard let payload = contract.admitted(data, size) else { return false }
    let state = stream.state
    let word = Word(bits: state.pointee.word.load(ordering: .acquiring))
    guard word.isIdle else { return false }
    guard slot.pointee.state.load(ordering: .acquiring) == key else { return false }
    let claimed = Word(bits: word.bits &+ Word.step &+ Word.delivering)
    let owner = state.pointee.owner.load(ordering: .relaxed)
    if owner == 0 {
      // An idle word also says that we are in no callback of this stream.
      guard
        state.pointee.word.compareExchange(
          expected: word.bits, desired: claimed.bits, ordering: .acquiring
        ).exchanged
      else { return false }
    } else {
      guard owner == Frame.thread else { return false }
      state.pointee.word.store(claimed.bits, ordering: .relaxed)
    }
    let position = claimed.count &- state.pointee.base
    let nothing = Draft.nothing
    var event = mainstem_event(
      position: position, cause: 0, correlation: position, answers: 0, time: stream.now,
      size: UInt32(truncatingIfNeeded: size), offset: 0, type: type, status: 0, origin: origin,
      flags: UInt32(MAINSTEM_EVENT_OUTSIDE), data: payload,
      text: nothing.assumingMemoryBound(to: CChar.self), context: nil, reply: 0, home: 0, through: 0
    )
    stream.deliver(&event, lane)
    stream.giveBack(claimed)
    return true
  }

  /// The end of a send that took the claim: back with it, if nothing came up meanwhile.
  @inline(__always)
  private func giveBack(_ claimed: Word) {
    let free = claimed.bits &- Word.delivering
    guard isUndisturbed else { return settle(after: claimed.count &- state.pointee.base) }
    if isOwned {
      if state.pointee.word.load(ordering: .relaxed) == claimed.bits {
        return state.pointee.word.store(free, ordering: .relaxed)
      }
    } else if state.pointee.word.compareExchange(
      expected: claimed.bits, desired: free, ordering: .releasing
    ).exchanged {
      return
    }
    settle(after: claimed.count &- state.pointee.base)
  }

  /// Puts an event on the stream, in whatever state that is.
  package static func send(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let entrance = try Entrance.own(handle)
    let draft = try entrance.draft(type, data, size)
    try entrance.stream.accept(draft, entrance.slot, entrance.key)
  }

  @inline(never)
  package func refusal(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) -> Refusal {
    let contract = contract(of: type)
    if contract.bits == 0 { return .noType(type) }
    if size >> 32 != 0 { return Refusal(.tooBig, "size", "is 4 GiB or more") }
    return contract.refusal(data, size)
  }

  /// When an event is accepted, if this stream keeps time.
  @inline(__always)
  package var now: Int64 { state.pointee.keepsTime ? mainstem_p_now() : 0 }
}

/// Where an event has been put.
package struct Placed {
  package var position: UInt64 = 0
  package var correlation: UInt64 = 0

  package init() {}

  fileprivate init(_ event: mainstem_event) {
    position = event.position
    correlation = event.correlation
  }
}

/// Accepting in general: inside a callback, while another thread delivers, from an inbox.
extension Stream {
  /// Accepts an event; delivers it when nobody else does.
  ///
  /// - Parameter accepted: Gets the event's place before the event is delivered.
  @inline(never)
  package func accept(
    _ draft: Draft, _ slot: Slot.Pointer, _ key: UInt64,
    _ accepted: UnsafeMutablePointer<Placed>? = nil
  ) throws(Refusal) {
    if let frame = Frame.of(self) {
      guard slot.pointee.state.load(ordering: .acquiring) == key else { throw .closed }
      return try enqueue(draft, in: frame, accepted)
    }
    guard isMine else {
      guard slot.pointee.state.load(ordering: .acquiring) == key, !isClosed else { throw .closed }
      throw .wrongThread
    }
    var draft = draft
    guard let kept = KeptEvent.make(copying: &draft) else { throw .noMemory }
    state.pointee.lock.acquire()
    guard slot.pointee.state.load(ordering: .acquiring) == key, !isClosed else {
      state.pointee.lock.release()
      Memory.free(kept)
      throw .closed
    }
    place(draft, in: kept, accepted)
  }

  /// Gives a kept event its position, and delivers it if nobody else does. Under the lock, which it
  /// releases.
  package func place(
    _ draft: Draft, in kept: KeptEvent.Pointer, _ accepted: UnsafeMutablePointer<Placed>? = nil
  ) {
    let (position, isClaimed) = advanceOrClaim()
    kept.pointee.event = draft.event(at: position, cause: 0, chain: 0, time: now)
    accepted?.pointee = Placed(kept.pointee.event)
    kept.pointee.key = position &* 2
    if !isClaimed { state.pointee.shared.append(kept) }
    state.pointee.lock.release()
    guard isClaimed else { return }
    deliver(kept)
    settle(after: position)
  }

  /// Accepts an event sent inside a callback: it waits its turn, and needs no lock.
  private func enqueue(
    _ draft: Draft, in frame: UnsafeMutablePointer<Frame>,
    _ accepted: UnsafeMutablePointer<Placed>?
  ) throws(Refusal) {
    guard !isClosed else { throw .closed }
    var draft = draft
    guard let kept = KeptEvent.make(copying: &draft) else { throw .noMemory }
    enqueue(draft, kept, accepted)
  }

  /// Accepts an event with its memory at hand, for the holder.
  package func enqueue(
    _ draft: Draft, _ kept: KeptEvent.Pointer, _ accepted: UnsafeMutablePointer<Placed>? = nil
  ) {
    number(draft, kept)
    if let accepted { locked { accepted.pointee = Placed(kept.pointee.event) } }
    holder.pointee.own.append(kept)
  }

  /// Accepts an event under the lock, whoever holds the claim: that one looks before it goes on.
  package func enqueueShared(_ draft: Draft, _ kept: KeptEvent.Pointer) {
    set(Word.pending)
    number(draft, kept)
    state.pointee.shared.append(kept)
  }

  /// Gives an event the next position, and what it owes to the callback it is sent in.
  private func number(_ draft: Draft, _ kept: KeptEvent.Pointer) {
    let cause = Frame.of(self)?.pointee.event
    let position = advance()
    kept.pointee.event = draft.event(
      at: position, cause: draft.cause ?? cause?.pointee.position ?? 0,
      chain: cause?.pointee.correlation ?? 0, time: now)
    kept.pointee.key = position &* 2
  }

  package var isClosed: Bool {
    Word(bits: state.pointee.word.load(ordering: .acquiring)).isClosed
  }
}
