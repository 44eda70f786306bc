// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Sending: the hot path, and what it does when it cannot deliver at once.
extension Stream {
  /// Puts an event on the stream through a handle.
  ///
  /// Nothing of the stream is trusted before the word is exchanged: the handle's state is read again
  /// after the word, and the word of a closed context never fits again.
  @inline(__always)
  package static func send(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    guard let (slot, key) = Slot.find(handle),
      slot.pointee.state.load(ordering: .acquiring) == key,
      UInt8(truncatingIfNeeded: key) == Kind.context.rawValue,
      let stream = Stream(address: slot.pointee.stream.load(ordering: .relaxed))
    else { throw Entrance.refusal(handle, .context) }
    let state = stream.state
    guard let lane = state.pointee.lanes.find(type),
      case let contract = Contract(bits: lane.pointee.contract.load(ordering: .acquiring)),
      contract.bits != 0, size >> 32 == 0, contract.admits(data, size)
    else {
      // A context that was closed meanwhile has no types any more.
      guard slot.pointee.state.load(ordering: .acquiring) == key, !stream.isClosed else {
        throw .closed
      }
      guard stream.isMine else { throw .wrongThread }
      throw stream.refusal(type, data, size)
    }
    let draft = Draft(
      type: type, data: data, size: size, origin: slot.pointee.origin.load(ordering: .relaxed))
    let word = Word(bits: state.pointee.word.load(ordering: .acquiring))
    let owner = state.pointee.owner.load(ordering: .relaxed)
    let claimed = Word(bits: word.bits &+ Word.step &+ Word.delivering)
    guard word.isIdle, slot.pointee.state.load(ordering: .acquiring) == key else {
      return try stream.accept(draft, slot, key)
    }
    if owner == 0 {
      // An idle word also says that we are in no callback of this stream.
      guard
        state.pointee.word.compareExchange(
          expected: word.bits, desired: claimed.bits, ordering: .acquiring
        ).exchanged
      else { return try stream.accept(draft, slot, key) }
    } else {
      guard owner == Frame.thread else { throw .wrongThread }
      state.pointee.word.store(claimed.bits, ordering: .relaxed)
    }
    var event = draft.event(
      at: claimed.count &- state.pointee.base, cause: 0, chain: 0, time: stream.now)
    stream.deliver(&event, lane)
    stream.giveBack(claimed, isOwned: owner != 0)
  }

  /// The end of a send that took the claim: back with it, if nothing came up meanwhile.
  @inline(__always)
  private func giveBack(_ claimed: Word, isOwned: Bool) {
    let free = claimed.bits &- Word.delivering
    if isOwned {
      if state.pointee.word.load(ordering: .relaxed) == claimed.bits,
        state.pointee.attention.load(ordering: .relaxed) == 0
      {
        return state.pointee.word.store(free, ordering: .relaxed)
      }
    } else if state.pointee.attention.load(ordering: .relaxed) == 0,
      state.pointee.word.compareExchange(
        expected: claimed.bits, desired: free, ordering: .releasing
      ).exchanged
    {
      return
    }
    settle(after: claimed.count &- state.pointee.base)
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
    accepted?.pointee = Placed(kept.pointee.event)
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
