// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Sending an event that one scheduled observer gets and nobody else: mostly from one thread to another. Nothing is
/// called, so the event goes straight into the queue, under the scheduler's lock only.
extension Stream {
  /// Hands an event over if that is possible at once; false: nothing has happened. As in `sendAtOnce`, the handle need
  /// only be valid after the word was read.
  @_optimize(speed)
  package static func sendToQueue(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) -> Bool {
    guard hasShortWays, let (slot, key) = Slot.find(handle), let stream = Stream(ofContext: slot)
    else { return false }
    let origin = slot.pointee.origin.load(ordering: .acquiring)
    let state = stream.state
    guard let observers = state.pointee.observers.find(type),
      let payload = observers.pointee.admitted(data, size, on: stream, refusers: 1)
    else { return false }
    guard stream.allowsQuickSendHere else { return false }
    let duty = stream.lockDeliverySoon(slot, key)
    guard duty.isDeliverer else { return false }
    guard let subscription = observers.pointee.onlyScheduled,
      let queue = subscription.pointee.queue
    else {
      stream.endAtOnce(duty)
      return false
    }
    let scheduler = queue.pointee.scheduler
    scheduler.pointee.lock.acquire()
    let outcome = scheduler.pointee.queueAtOnce(size, for: subscription, queue) { event, room in
      guard let position = stream.advance(with: duty) else { return false }
      room.copyMemory(from: payload, byteCount: size)
      mainstem_p_event_from_outside(event, position, type, room, Draft.nothing, size, origin)
      return true
    }
    scheduler.pointee.lock.release()
    // While this thread holds the delivery lock, or a signal is on its way, the context does not close.
    let tells = outcome == .first && stream.hostIsToBeTold(of: scheduler)
    stream.endAtOnce(duty)
    if tells { stream.signal() }
    return outcome != .lost
  }
}

extension Scheduler {
  /// What became of an event that was to be queued at once.
  fileprivate enum Outcome {
    case waits
    /// Queued, and the queue was empty: somebody must be woken.
    case first
    case lost
  }

  /// Queues an event built here, if there is room for it; lost: nothing has happened.
  ///
  /// - Parameter fill: Gets the event and the memory for its payload once there is room in the queue; false: there is
  ///   no event after all.
  fileprivate mutating func queueAtOnce(
    _ size: Int, for subscription: Subscription.Pointer, _ queue: SubscriptionQueue.Pointer,
    _ fill: (UnsafeMutablePointer<mainstem_event>, UnsafeMutableRawPointer) -> Bool
  ) -> Outcome {
    guard queue.pointee.fits(size), queue.pointee.untold.isEmpty,
      let (node, queued) = takePlace(withRoomFor: size)
    else { return .lost }
    guard fill(QueuedEvent.event(of: queued), QueuedEvent.payload(of: queued)) else {
      giveBack(node, queued)
      return .lost
    }
    node.initialize(to: QueueEntry(queued, for: subscription))
    let wasEmpty = isEmpty(for: queue)
    enqueue(node, queue)
    guard wasEmpty, entries.count > 0 else { return .waits }
    wakeSleepers()
    return .first
  }
}
