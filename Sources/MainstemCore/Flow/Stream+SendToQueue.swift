// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Sending what one scheduled observer gets, and nobody else: from one thread to another, mostly. Nothing
/// is called, so the event goes straight into the queue, under the scheduler's lock only.
extension Stream {
  /// Hands an event over if that can be done at once; false: nothing has happened. As for `sendAtOnce`, the
  /// handle need only be valid after the word was read.
  package static func sendToQueue(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) -> Bool {
    guard let (slot, key) = Slot.find(handle), let stream = Stream(ofContext: slot) else {
      return false
    }
    let origin = slot.pointee.origin.load(ordering: .acquiring)
    let state = stream.state
    guard let lane = state.pointee.lanes.find(type),
      lane.pointee.refusers.load(ordering: .relaxed) == 1, stream.allows(size),
      let payload = Contract(bits: lane.pointee.contract.load(ordering: .acquiring))
        .admitted(data, size)
    else { return false }
    let owner = state.pointee.quickOwner.load(ordering: .relaxed)
    guard owner == 0 || owner == Frame.thread,
      Frame.innermost == nil || Frame.of(stream) == nil,
      let claimed = stream.claimSoon(slot, key)
    else { return false }
    guard let subscription = lane.pointee.onlyScheduled,
      let backlog = subscription.pointee.backlog
    else {
      stream.giveBackOrSettle()
      return false
    }
    let scheduler = backlog.pointee.scheduler
    scheduler.pointee.lock.acquire()
    let outcome = scheduler.pointee.queueAtOnce(size, for: subscription, backlog) { event, room in
      guard let position = stream.advance(from: claimed) else { return false }
      room.copyMemory(from: payload, byteCount: size)
      mainstem_p_event_from_outside(event, position, type, room, Draft.nothing, size, origin)
      return true
    }
    scheduler.pointee.lock.release()
    // While the claim is ours, or a signal is on its way, the context does not close.
    let tells = outcome == .first && stream.hostIsToBeTold(of: scheduler)
    stream.giveBackOrSettle()
    if tells { stream.signal() }
    return outcome != .lost
  }

  /// Takes the claim, and no position. A sender like us has it for a moment only: looked at again a few
  /// times, that is cheaper than to wait in line.
  private func claimSoon(_ slot: Slot.Pointer, _ key: UInt64) -> Word? {
    var looks = 0
    while true {
      let word = Word(bits: state.pointee.word.load(ordering: .acquiring))
      let claimed = Word(bits: word.bits | Word.delivering)
      guard word.free.isIdle, slot.pointee.state.load(ordering: .acquiring) == key else {
        return nil
      }
      if word.isIdle, exchange(word, claimed, ordering: .acquiringAndReleasing) { return claimed }
      guard looks < 32 else { return nil }
      looks &+= 1
      mainstem_p_pause()
    }
  }

}

extension Lane {
  /// The scheduled observer of the lane, if it has no other row than that, and wants every event. For the
  /// holder of the claim.
  fileprivate var onlyScheduled: Subscription.Pointer? {
    guard count == 2, let rows, let handOver, rows[1] == handOver else { return nil }
    let row = rows[0]
    guard row.pointee.call.isPlainlyScheduled, !Subscription.isCancelled(row) else { return nil }
    return row
  }
}

extension Scheduler {
  /// What became of an event that was to be queued at once.
  fileprivate enum Outcome {
    case queued
    /// Queued, and the queue was empty: somebody is to be woken.
    case first
    case lost
  }

  /// Queues an event of its own making, if there is room for it; lost: nothing has happened.
  ///
  /// - Parameter fill: Gets the event and the room for its payload, once there is room in the queue; false:
  ///   there is to be no event.
  fileprivate mutating func queueAtOnce(
    _ size: Int, for subscription: Subscription.Pointer, _ backlog: Backlog.Pointer,
    _ fill: (UnsafeMutablePointer<mainstem_event>, UnsafeMutableRawPointer) -> Bool
  ) -> Outcome {
    guard backlog.pointee.fits(size), backlog.pointee.untold.isEmpty,
      let (node, kept) = takePlace(withRoomFor: size)
    else { return .lost }
    guard fill(KeptEvent.event(of: kept), KeptEvent.payload(of: kept)) else {
      giveBack(node, kept)
      return .lost
    }
    node.initialize(to: HandOver(kept, for: subscription))
    let wasEmpty = isEmpty(for: backlog)
    enqueue(node, backlog)
    guard wasEmpty, queue.count > 0 else { return .queued }
    wakeSleepers()
    return .first
  }
}
