// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Sending: the hot path. Anything unusual takes the full way instead: see `send`.
///
/// A short way is the cached answer of `admission`: it may be taken while the state word is idle, `quickOwner` says that
/// the stream only delivers, and the type's `plainSizes`, or `refusers`, that no queue is asked.
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
    guard hasShortWays, isLooking || data != nil else { return false }
    guard let (slot, key) = Slot.find(handle), let stream = Stream(ofContext: slot) else {
      return false
    }
    // Acquired: an origin written when the handle's slot was freed becomes visible together with its ended state.
    let origin = slot.pointee.origin.load(ordering: .acquiring)
    guard let observers = stream.state.pointee.observers.find(type),
      isLooking || observers.pointee.admits(size),
      let payload = isLooking ? observers.pointee.admitted(data, size, on: stream) : data
    else { return false }
    guard let word = stream.idleWord, slot.pointee.state.load(ordering: .acquiring) == key else {
      return false
    }
    return stream.deliverAtOnce(observers, word) { event, position in
      mainstem_p_event_from_outside(
        event, position, type, payload, Draft.nothing, size, origin)
    }
  }

  /// Whether the stream does nothing with an event but deliver it. If not, the short ways need not be tried.
  package static func hasShortWay(from handle: Handle) -> Bool {
    guard let (slot, _) = Slot.find(handle), let stream = Stream(ofContext: slot) else {
      return false
    }
    return stream.state.pointee.admissions.allowsQuickSends
  }

  /// Takes the delivery lock together with the next position if the word is unchanged, delivers, and releases the
  /// delivery lock.
  @inline(__always)
  private func deliverAtOnce(
    _ observers: TypeObservers.Pointer, _ word: StateWord,
    _ fill: (UnsafeMutablePointer<mainstem_event>, UInt64) -> Void
  ) -> Bool {
    let owner = state.pointee.admissions.quickOwner.load(ordering: .relaxed)
    // An idle word says that no callback of the deliverer runs on this thread; a scheduled one may.
    if owner == 0 {
      let below = Frame.innermost
      guard below == nil || Frame.of(self) == nil else { return false }
      return takeNext(after: word) { deliverBuilt(observers, at: $0, fill) }
    }
    guard owner == Frame.thread else { return false }
    let below = Frame.innermost
    guard below == nil || Frame.of(self) == nil else { return false }
    takeNextOwned(after: word) { deliverBuilt(observers, at: $0, fill) }
    return true
  }

  /// Delivers an event built here.
  @inline(__always)
  private func deliverBuilt(
    _ observers: TypeObservers.Pointer, at position: UInt64,
    _ fill: (UnsafeMutablePointer<mainstem_event>, UInt64) -> Void
  ) {
    var event = mainstem_event()
    withUnsafeMutablePointer(to: &event) { event in
      fill(event, position)
      deliver(event, observers)
    }
  }

  /// Puts an event on the stream, whatever the stream's state.
  package static func send(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.sending(handle)
    try resolved.stream.trying { attempt throws(Refusal) in
      let draft = try resolved.draft(type, data, size)
      guard try resolved.stream.goesAhead() else { return }
      try resolved.stream.accept(draft, through: resolved, attempt)
    }
  }

  @inline(never)
  package func refusal(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) -> Refusal {
    let contract = contract(of: type)
    if contract.bits == 0 { return .noType(type) }
    if !state.pointee.admissions.allows(size) {
      var subject = SubjectWriter()
      if contract.isSecret {
        subject.add("a secret has more bytes than the ")
      } else {
        subject.add(UInt64(UInt(bitPattern: size)))
        subject.add(" bytes are more than the ")
      }
      subject.add(UInt64(state.pointee.admissions.limits.payload))
      return Refusal(
        .tooBig, "size", "of limit_payload: raise it in the context's options",
        .name(subject.bytes))
    }
    return locked {
      contract.refusal(state.pointee.types[type]?.name.bytes ?? Bytes(""), data, size)
    }
  }

  /// The time at which an event is accepted; 0 if this stream keeps no times.
  @inline(__always)
  package var now: Int64 { state.pointee.admissions.keepsTime ? time : 0 }
}

extension Admissions {
  /// Whether a payload of this size is allowed.
  @inline(__always)
  package func allows(_ size: Int) -> Bool {
    UInt(bitPattern: size) <= UInt(bitPattern: limits.payload)
  }
}

/// What a call wants to send, checked: the handle, the rights, the contract, the size.
extension ResolvedHandle {
  /// A checked draft of an event sent through this handle.
  @_optimize(speed)
  package func draft(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int, to act: Act = .send
  ) throws(Refusal) -> Draft {
    guard isLive, !stream.isClosed else { throw .ended }
    let contract = stream.contract(of: type)
    if contract.bits != 0 { try demand(act, of: type) }
    do throws(Refusal) {
      try stream.demandForm(contract, type, data, size)
    } catch {
      guard isLive else { throw .ended }
      throw error
    }
    var draft = Draft(type: type, data: data, size: size, origin: origin)
    draft.flags = contract.flags
    return draft
  }
}

extension Stream {
  /// Refuses what no program may send, whatever waits: an unknown type, a payload that is too big or breaks the contract,
  /// an event that could not be recorded.
  @inline(__always)
  package func demandForm(
    _ contract: Contract, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    guard contract.bits != 0, state.pointee.admissions.allows(size), contract.admits(data, size)
    else {
      throw refusal(type, data, size)
    }
    try demandRecording(of: size)
  }
}
