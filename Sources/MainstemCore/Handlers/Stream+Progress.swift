// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Progress: events that say how far a request has come, all of them before its answer.
extension Stream {
  /// Says how far the request that an event is has come.
  package static func respondProgress(
    _ event: UnsafePointer<mainstem_event>, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let (stream, slot, key) = try asking(event)
    let contract = stream.contract(of: type)
    guard contract.bits != 0 else { throw .noType(type) }
    guard contract.role == .notice else {
      throw Refusal(.invalid, "type", "is no notice: a response is always the final answer")
    }
    let origin = Stream.origin(through: event)
    if stream.state.pointee.hasLimited.load(ordering: .relaxed) {
      try stream.demand(.send, of: type, for: origin)
    }
    guard stream.allows(size), contract.admits(data, size) else {
      throw stream.refusal(type, data, size)
    }
    try stream.demandRoomToRecord(size)
    guard try stream.admits(answerTo: event.pointee.position) else { return }
    var draft = Draft(answering: event, type: type, origin: origin)
    draft.data = data
    draft.size = size
    draft.flags = UInt32(MAINSTEM_EVENT_PROGRESS) | contract.flags
    guard let kept = KeptEvent.make(copying: &draft) else { throw .noMemory }
    guard let slot else { return try stream.give(draft, kept) }
    do throws(Refusal) {
      try stream.giveProgress(draft, kept, slot, key)
    } catch {
      KeptEvent.free(kept)
      throw error
    }
  }

  /// Gives a step its place if the request has no answer yet.
  ///
  /// The holder settles without the lock. So whoever gives a step says so first, in the slot, and looks
  /// then; who settles does it the other way round (`passProgress`). One of them sees the other.
  private func giveProgress(
    _ draft: Draft, _ kept: KeptEvent.Pointer, _ slot: Slot.Pointer, _ key: UInt64
  ) throws(Refusal) {
    let frame = Frame.holding(self)
    if let frame { try demandRoom(for: draft, in: frame) }
    state.pointee.lock.acquire()
    // Under the lock the place is not given to another.
    guard !isClosed, slot.pointee.state.load(ordering: .acquiring) == key else {
      let isClosed = isClosed
      state.pointee.lock.release()
      throw isClosed ? .closed : .answered("event")
    }
    do throws(Refusal) {
      if !isMine {
        try demandRoomInInbox(for: draft.size)
      } else if frame == nil {
        try demandRoomToWait(for: draft.size)
      }
      try demandRoomForStep(slot)
    } catch {
      state.pointee.lock.release()
      throw error
    }
    slot.pointee.origin.store(Slot.stepIsGiven, ordering: .sequentiallyConsistent)
    guard slot.pointee.state.load(ordering: .sequentiallyConsistent) == key else {
      slot.pointee.origin.store(0, ordering: .relaxed)
      state.pointee.lock.release()
      throw .answered("event")
    }
    countStep(slot)
    if frame != nil {
      enqueue(draft, kept)
      slot.pointee.origin.store(0, ordering: .relaxed)
      state.pointee.lock.release()
    } else if isMine {
      let isClaimed = take(draft, in: kept)
      slot.pointee.origin.store(0, ordering: .relaxed)
      unlock(after: kept, isClaimed)
    } else {
      keepCause(of: draft, in: kept)
      slot.pointee.origin.store(0, ordering: .relaxed)
      postAndUnlock(kept)
    }
  }

  /// Refuses a step where as many wait for the request's scheduler as may (law 9). Under the lock.
  private func demandRoomForStep(_ slot: Slot.Pointer) throws(Refusal) {
    guard let request = slot.pointee.object?.assumingMemoryBound(to: Request.self),
      request.pointee.queuesSteps,
      request.pointee.steps.load(ordering: .relaxed) >= Request.mostSteps
    else { return }
    state.pointee.rejections.wrappingAdd(1, ordering: .relaxed)
    throw Refusal(.full, "event", "has as many steps of progress waiting as may")
  }

  private func countStep(_ slot: Slot.Pointer) {
    guard let request = slot.pointee.object?.assumingMemoryBound(to: Request.self),
      request.pointee.queuesSteps
    else { return }
    request.pointee.steps.wrappingAdd(1, ordering: .relaxed)
  }
}
