// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Joining: a batch's rows are taken between two events. Nothing can fail then but memory for a place in the queue.
extension Stream {
  /// Lets a batch join: now if nobody delivers, otherwise when its turn comes. Under the lock.
  ///
  /// - Parameter duty: What is left to do after unlocking, also if it fails.
  @inline(never)
  package func join(_ batch: Batch, _ duty: inout Duty) throws(Refusal) {
    duty = claimDelivery()
    guard case .settle = duty else { return try waitForTurn(batch) }
    if isDeferred && hasDeferred || state.pointee.firstHistory != nil && hasHistory(for: batch) {
      return try joinInTurn(batch, &duty)
    }
    takeRows(batch)
    // Nobody can have queued anything, because that takes the lock.
    if isUndisturbed && unlockDelivery() { duty = .nothing }
  }

  /// Like `join`, holding the delivery lock: the events kept for the batch come first, when it has its turn in the
  /// queue.
  @inline(never)
  private func joinInTurn(_ batch: Batch, _ duty: inout Duty) throws(Refusal) {
    do throws(Refusal) {
      try waitForTurn(batch)
    } catch {
      if isUndisturbed && unlockDelivery() { duty = .nothing }
      throw error
    }
    set(StateWord.pending)
  }

  private func hasHistory(for batch: Batch) -> Bool {
    var next = batch.first
    while let subscription = next {
      if hasHistory(for: subscription) { return true }
      next = subscription.pointee.nextCancelled
    }
    return false
  }

  /// Puts a batch in the queue. Under the lock, with the word marked: until we release the lock, the deliverer delivers
  /// nothing later than what is accepted now.
  @inline(never)
  private func waitForTurn(_ batch: Batch) throws(Refusal) {
    var places = EventQueue()
    var next = batch.first
    while let subscription = next {
      guard let place = QueuedEvent.make(capacity: 0) else {
        while let place = places.takeFirst() { QueuedEvent.free(place) }
        undo(batch)
        throw .noMemory
      }
      place.pointee.other = UnsafeMutableRawPointer(subscription)
      places.append(place)
      next = subscription.pointee.nextCancelled
    }
    let from = position
    next = batch.first
    while let subscription = next {
      next = subscription.pointee.nextCancelled
      subscription.pointee.nextCancelled = nil
      subscription.pointee.from = from
      subscription.pointee.isQueued = true
      addJoiner(subscription)
    }
    var place = places.first
    while let current = place {
      current.pointee.key = from &* 2 &+ 1
      place = current.pointee.next
    }
    state.pointee.shared.append(&places)
  }

  /// The turn of an observer that had to wait. For the deliverer, between two events.
  package func joinLate(_ subscription: Subscription.Pointer) {
    state.pointee.lock.acquire()
    removeJoiner(subscription)
    if !subscription.pointee.slotHasEnded, !Subscription.isCancelled(subscription) {
      takeRows(subscription)
      if hasHistory(for: subscription) {
        state.pointee.lock.release()
        deliverHistory(to: subscription)
        state.pointee.lock.acquire()
      }
    }
    // Until here the entry of the queue kept the memory alive, even through a cancel.
    subscription.pointee.isQueued = false
    let hasEnded = subscription.pointee.slotHasEnded
    state.pointee.lock.release()
    if hasEnded { Memory.free(subscription) }
  }

  @inline(__always)
  private func takeRows(_ batch: Batch) {
    let from = position
    var next = batch.first
    while let subscription = next {
      next = subscription.pointee.nextCancelled
      subscription.pointee.nextCancelled = nil
      subscription.pointee.from = from
      takeRows(subscription)
    }
  }
}
