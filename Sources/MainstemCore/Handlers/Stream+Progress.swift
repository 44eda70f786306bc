// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Progress: events that tell how far a request is, all before its answer.
extension Stream {
  /// Reports how far the request that `event` is has come.
  package static func respondProgress(
    _ event: UnsafePointer<mainstem_event>, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let (stream, slot, key) = try askingOrCounted(event)
    // Of a request that was only sent, nothing is known but the event.
    guard stream.contract(of: event.pointee.type).role == .request else {
      throw Refusal(.invalid, "event", "is not a request")
    }
    try stream.trying { attempt throws(Refusal) in
      try stream.respondProgress(to: event, type, data, size, slot, key, attempt)
    }
  }

  private func respondProgress(
    to event: UnsafePointer<mainstem_event>, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int,
    _ slot: Slot.Pointer?, _ key: UInt64, _ attempt: Attempt
  ) throws(Refusal) {
    let contract = self.contract(of: type)
    guard contract.bits != 0 else { throw .noType(type) }
    guard contract.role == .notice else {
      throw Refusal(.invalid, "type", "is not a notice: a response would be the final answer")
    }
    let origin = Stream.origin(through: event)
    if state.pointee.hasLimited.load(ordering: .relaxed) {
      try demand(.send, of: type, for: origin)
    }
    guard allows(size), contract.admits(data, size) else {
      throw refusal(type, data, size)
    }
    try demandRoomToRecord(size)
    guard try admits() else { return }
    var draft = Draft(answering: event, type: type, origin: origin)
    draft.data = data
    draft.size = size
    draft.flags = UInt32(MAINSTEM_EVENT_PROGRESS) | contract.flags
    guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    guard let slot else { return try give(draft, queued, attempt) }
    do throws(Refusal) {
      try giveProgress(draft, queued, event, slot, key, attempt)
    } catch {
      giveUp(queued)
      throw error
    }
  }

  /// Puts a step on the stream if the request has no answer yet.
  ///
  /// The deliverer settles without the lock. So a step first marks the slot and then checks whether the request is
  /// settled; settling checks in the opposite order (`passProgress`). One of the two sees the other.
  private func giveProgress(
    _ draft: Draft, _ queued: QueuedEvent.Pointer, _ event: UnsafePointer<mainstem_event>,
    _ slot: Slot.Pointer, _ key: UInt64, _ attempt: Attempt
  ) throws(Refusal) {
    let frame = Frame.holding(self)
    if let frame {
      try demandRoom(for: draft, in: frame, attempt)
      if attempt.isTapped { makeWay(toAnswer: event) }
    } else {
      endLeftovers()
    }
    state.pointee.lock.acquire()
    do throws(Refusal) {
      repeat {
        // Under the lock, nobody reuses the slot.
        guard !isClosed, slot.pointee.state.load(ordering: .acquiring) == key else {
          throw isClosed ? .closed : .answered("event")
        }
        if frame == nil { try demandRoomOutside(for: draft.size) }
        try demandRoomForStep(slot)
        // From another thread, no full queue refuses it: the queue may drop it before it is taken in.
        guard isMine else { break }
      } while try !isPromised(room: draft, queued, waits: frame == nil)
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
      enqueue(draft, queued)
      slot.pointee.origin.store(0, ordering: .relaxed)
      state.pointee.lock.release()
    } else if isMine {
      let isDeliverer = take(draft, in: queued)
      slot.pointee.origin.store(0, ordering: .relaxed)
      unlock(after: queued, isDeliverer)
    } else {
      keepCause(of: draft, in: queued)
      slot.pointee.origin.store(0, ordering: .relaxed)
      postAndUnlock(queued)
    }
  }

  /// Refuses a step if the request's scheduler already has as many as it may have (law 9). Under the lock.
  private func demandRoomForStep(_ slot: Slot.Pointer) throws(Refusal) {
    guard let request = slot.pointee.object?.assumingMemoryBound(to: Request.self),
      request.pointee.queuesSteps,
      request.pointee.steps.load(ordering: .relaxed) >= Request.mostSteps, !isFed
    else { return }
    state.pointee.rejections.wrappingAdd(1, ordering: .relaxed)
    throw .lacking(.steps)
  }

  private func countStep(_ slot: Slot.Pointer) {
    guard let request = slot.pointee.object?.assumingMemoryBound(to: Request.self),
      request.pointee.queuesSteps
    else { return }
    request.pointee.steps.wrappingAdd(1, ordering: .relaxed)
  }
}
