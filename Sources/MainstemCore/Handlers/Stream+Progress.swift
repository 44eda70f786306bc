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
      throw .noRequest("event")
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
    let origin = try demand(.send, of: type, through: event)
    try demandForm(contract, type, data, size)
    guard try goesAhead() else { return }
    var draft = Draft(answering: event, type: type, origin: origin)
    draft.data = data
    draft.size = size
    draft.flags = UInt32(MAINSTEM_EVENT_PROGRESS) | contract.flags
    guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    guard let slot else {
      return try letIn(draft, .program, attempt, in: queued, toInbox: !isAtHome)
    }
    try giveProgress(draft, queued, slot, key, attempt)
  }

  /// Puts a step on the stream if the request has no answer yet.
  ///
  /// The deliverer settles without the lock. So a step first marks the slot and then checks whether the request is
  /// settled; settling checks in the opposite order (`passProgress`). One of the two sees the other.
  @inline(never)
  func giveProgress(
    _ draft: Draft, _ queued: QueuedEvent.Pointer, _ slot: Slot.Pointer, _ key: UInt64,
    _ attempt: Attempt
  ) throws(Refusal) {
    var draft = draft
    try letInSeldom(&draft, .progress, attempt, in: queued, toInbox: !isAtHome) {
      now throws(Refusal) in
      // Under the lock, nobody reuses the slot.
      guard !isClosed else { throw .closed }
      guard slot.pointee.state.load(ordering: .acquiring) == key else { throw .answered("event") }
      now.hasAllSteps = hasAllSteps(slot)
    } then: { draft, arrival throws(Refusal) in
      slot.pointee.origin.store(Slot.stepIsGiven, ordering: .sequentiallyConsistent)
      defer { slot.pointee.origin.store(0, ordering: .relaxed) }
      guard slot.pointee.state.load(ordering: .sequentiallyConsistent) == key else {
        throw .answered("event")
      }
      countStep(slot)
      return try arrival.takePosition(for: &draft)
    }
  }

  /// Whether the request's scheduler already has as many steps as it may have (law 9). Under the lock.
  private func hasAllSteps(_ slot: Slot.Pointer) -> Bool {
    guard let request = slot.pointee.object?.assumingMemoryBound(to: Request.self),
      request.pointee.queuesSteps
    else { return false }
    return request.pointee.steps.load(ordering: .relaxed) >= Request.mostSteps && !isFed
  }

  private func countStep(_ slot: Slot.Pointer) {
    guard let request = slot.pointee.object?.assumingMemoryBound(to: Request.self),
      request.pointee.queuesSteps
    else { return }
    request.pointee.steps.wrappingAdd(1, ordering: .relaxed)
  }
}
