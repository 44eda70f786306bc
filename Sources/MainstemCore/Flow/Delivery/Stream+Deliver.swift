// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The deliverer's work: one event after another, each to its observers.
extension Stream {
  /// Counts calls. Only the deliverer does, so the load and the store need not be one atomic step.
  @inline(__always)
  package func add(calls: UInt64) {
    let total = state.pointee.delivery.deliveries.load(ordering: .relaxed) &+ calls
    state.pointee.delivery.deliveries.store(total, ordering: .relaxed)
  }

  /// Delivers an event that waited, and releases its memory.
  package func deliverQueued(_ queued: QueuedEvent.Pointer) {
    let event = QueuedEvent.event(of: queued)
    guard mayBeSeen(event) else { return drop(queued) }
    deliverer.pointee.current = queued
    if let observers = state.pointee.observers.find(event.pointee.type) {
      deliver(event, observers)
    }
    tellAnswers(event)
    deliverer.pointee.current = nil
    endQueued(queued)
  }

  /// Drops an event that could not be recorded.
  @inline(never)
  private func drop(_ queued: QueuedEvent.Pointer) {
    let event = QueuedEvent.event(of: queued)
    forgetValue(event)
    if event.pointee.reply != 0 {
      deliverer.pointee.current = queued
      tellPassed(event, isDropped: true)
      deliverer.pointee.current = nil
    }
    endQueued(queued)
  }

  /// Ends an event that waited: releases its promised room and its memory.
  @inline(__always)
  package func endQueued(_ queued: QueuedEvent.Pointer) {
    giveBackRoom(of: queued)
    if let lender = queued.pointee.lender { takeBack(lender) } else { QueuedEvent.release(queued) }
  }

  /// Tells the station above that a tracked request, or an answer to one, has reached its observers.
  @inline(__always)
  package func tellAnswers(_ event: UnsafeMutablePointer<mainstem_event>) {
    guard event.pointee.reply != 0 else { return attend(behind: event) }
    if !isUndisturbed {
      attendObservers(between: false)
      if isForked { return }
    }
    tellPassed(event)
    attend(behind: event)
  }

  /// What is still to be known of an event that has reached everybody.
  @inline(__always)
  package func attend(behind event: UnsafeMutablePointer<mainstem_event>) {
    if !isUndisturbed { oweRefused(event) }
  }

  /// Does everything that waits, and releases the delivery lock. No lock is held.
  @inline(__always)
  package func fulfill(_ duty: consuming Duty) {
    let last = position(of: duty)
    fulfill(duty, after: last)
  }

  /// Like `fulfill`, when everything up to a position was delivered.
  @inline(__always)
  package func fulfill(_ duty: consuming Duty, after position: UInt64) {
    let isDeliverer = duty.isDeliverer
    duty.end()
    if isDeliverer { finishWork(after: position) }
  }

  /// Like `fulfill`, right after the delivery lock was taken: mostly nothing waits.
  package func endAtOnce(_ duty: consuming Duty) {
    let last = position
    fulfill(unlockIfDone(duty), after: last)
  }

  /// Does everything that waits, and releases the delivery lock.
  @inline(never)
  private func finishWork(after position: UInt64) {
    var last = position
    repeat {
      last = work(after: last)
    } while !release()
  }

  /// Releases the delivery lock; false if something waits.
  @_optimize(speed)
  private func release() -> Bool {
    let attention = state.pointee.delivery.attention.load(ordering: .relaxed)
    guard attention & Attention.forked == 0 else { return true }
    let isLeft = Attention.silence | Attention.bounds | Attention.values | Attention.ends
    guard attention & isLeft == 0 else { return false }
    // Cancel asks for attention first, then marks the word. The mark may have been cleared since, for something else
    // that waited.
    guard attention & Attention.cancelled == 0 else { return false }
    if attention & Attention.waiters != 0 {
      return locked {
        let isFree = unlockDelivery()
        state.pointee.lock.wakeAll()
        return isFree
      }
    }
    return unlockDelivery()
  }

  /// Does everything that waits: ends cancelled subscriptions, delivers, lets observers join. Keeps the delivery lock.
  @_optimize(speed)
  package func work(after position: UInt64) -> UInt64 {
    var last = position
    while true {
      guard attend(after: last) else { return last }
      guard let queued = takeNext() else {
        sweepOriginsIfAsked()
        return last
      }
      if let other = queued.pointee.other {
        joinLate(other.assumingMemoryBound(to: Subscription.self))
        QueuedEvent.free(queued)
      } else {
        last = queued.pointee.event.position
        deliverer.pointee.allowance.events &-= 1
        deliverQueued(queued)
      }
    }
  }

  /// The next entry in the one order, either the deliverer's own or one from another thread.
  private func takeNext() -> QueuedEvent.Pointer? {
    if hasShared { locked { _ = takeShared() } }
    let isOwn = isOwnNext
    guard let next = isOwn ? deliverer.pointee.own.first : deliverer.pointee.arrived.first else {
      return nil
    }
    guard deliverer.pointee.allowance.permits(next) else {
      deferRest()
      return nil
    }
    return isOwn ? deliverer.pointee.own.takeFirst() : deliverer.pointee.arrived.takeFirst()
  }

  private var isOwnNext: Bool {
    guard let arrived = deliverer.pointee.arrived.first else { return true }
    guard let own = deliverer.pointee.own.first else { return false }
    return own.pointee.key < arrived.pointee.key
  }

  /// Between two events: ends cancelled subscriptions, and wakes threads that wait for the deliverer. False: there is
  /// no next event.
  package func attend(after position: UInt64) -> Bool {
    let attention = state.pointee.delivery.attention.load(ordering: .relaxed)
    guard attention != 0 else { return true }
    attendObservers(between: true)
    if isAsked(for: Attention.shows | Attention.dueShows) { payShows() }
    if attention & Attention.silence != 0 { endSilence() }
    if attention & Attention.waiters != 0 {
      locked {
        state.pointee.delivery.reached = position
        state.pointee.lock.wakeAll()
      }
    }
    return !isForked
  }
}
