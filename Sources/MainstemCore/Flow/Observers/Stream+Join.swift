// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Joining: a registration's rows are taken between two events. Nothing can fail then but memory for a place in the
/// queue.
extension Stream {
  /// Lets a registration join: now if nobody delivers, otherwise when its turn comes. Under the lock.
  ///
  /// - Parameter duty: What is left to do after unlocking, also if it fails.
  @inline(never)
  func join(_ registration: inout Registration, _ duty: inout Duty) throws(Refusal) {
    duty = claimDelivery()
    guard duty.isDeliverer else { return try waitForTurn(&registration) }
    if isDeferred && hasDeferred || mayHaveLate && hasHistory(for: registration) {
      return try joinInTurn(&registration, &duty)
    }
    takeRows(&registration)
    // Nobody can have queued anything, because that takes the lock.
    duty = unlockIfDone(duty)
  }

  /// Like `join`, holding the delivery lock: the events kept for the registration come first, when it has its turn
  /// in the queue.
  @inline(never)
  private func joinInTurn(
    _ registration: inout Registration, _ duty: inout Duty
  ) throws(Refusal) {
    do throws(Refusal) {
      try waitForTurn(&registration)
    } catch {
      duty = unlockIfDone(duty)
      throw error
    }
  }

  private func hasHistory(for registration: borrowing Registration) -> Bool {
    var next = registration.first
    while let subscription = next {
      if hasHistory(for: subscription) { return true }
      next = subscription.pointee.link
    }
    return false
  }

  /// Puts a registration in the queue. Under the lock, with the word marked: until we release the lock, the deliverer
  /// delivers nothing later than what is accepted now.
  @inline(never)
  private func waitForTurn(_ registration: inout Registration) throws(Refusal) {
    var places = EventQueue()
    var next = registration.first
    while let subscription = next {
      guard let place = QueuedEvent.make(capacity: 0) else {
        while let place = places.takeFirst() { QueuedEvent.free(place) }
        undo(&registration)
        throw .noMemory
      }
      place.pointee.other = UnsafeMutableRawPointer(subscription)
      places.append(place)
      next = subscription.pointee.link
    }
    let from = position
    next = registration.end()
    while let subscription = next {
      next = subscription.pointee.link
      subscription.pointee.link = nil
      subscription.pointee.from = from
      subscription.pointee.isQueued = true
      state.pointee.observers.joiners.add(subscription)
    }
    var place = places.first
    while let current = place {
      current.pointee.key = from &* 2 &+ 1
      place = current.pointee.next
    }
    share(&places)
  }

  /// The turn of an observer that had to wait. For the deliverer, between two events.
  package func joinLate(_ subscription: Subscription.Pointer) {
    state.pointee.lock.acquire()
    state.pointee.observers.joiners.remove(subscription)
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

  /// Gives an observer that has joined the events kept for it, each as a delivery of its own. For the deliverer,
  /// between two events.
  private func deliverHistory(to subscription: Subscription.Pointer) {
    var walk = LateWalk(self)
    beginLateValues(for: subscription)
    while !isForked, !Subscription.isCancelled(subscription),
      let late = nextLate(of: subscription, &walk)
    {
      switch late {
      case .history(let queued): giveLate(QueuedEvent.event(of: queued), to: subscription)
      case .value(var event):
        withUnsafeMutablePointer(to: &event) { giveLate($0, to: subscription) }
      }
      if !isUndisturbed { attendObservers(between: true) }
    }
    if !isForked { endLateValues() }
  }

  private func giveLate(
    _ event: UnsafeMutablePointer<mainstem_event>, to subscription: Subscription.Pointer
  ) {
    guard let queue = subscription.pointee.queue else {
      deliverLate(event, to: subscription)
      if deliverer.pointee.shows.first != nil { payLate(event.pointee) }
      return
    }
    if subscription.pointee.wants(event) {
      handOverLate(event, to: subscription, queue)
    }
  }

  /// Pays after a late event, which may be gone when what was cancelled has ended.
  private func payLate(_ late: mainstem_event) {
    var event = late
    attendObservers(between: true)
    if isForked { return }
    withUnsafeMutablePointer(to: &event) { pay(for: $0) }
  }

  @inline(__always)
  private func takeRows(_ registration: inout Registration) {
    let from = position
    var next = registration.end()
    while let subscription = next {
      next = subscription.pointee.link
      subscription.pointee.link = nil
      subscription.pointee.from = from
      takeRows(subscription)
    }
  }
}
