// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Delivering: what the deliverer does.
extension Stream {
  /// Calls every observer of an event, in order of registration.
  @inline(__always)
  package func deliver(
    _ event: UnsafeMutablePointer<mainstem_event>, _ observers: TypeObservers.Pointer
  ) {
    let count = observers.pointee.count
    guard count > 0 else { return }
    // A type with a row count has rows.
    let rows = observers.pointee.rows.unsafelyUnwrapped
    let end = rows + Int(count)
    Frame.enter(self, event, rows) { frame in
      while true {
        let row = frame.pointee.current.unsafelyUnwrapped.pointee
        if row.pointee.state.load(ordering: .relaxed) == 0 {
          call(row, event)
        } else {
          callConditional()
        }
        let current = frame.pointee.current.unsafelyUnwrapped + 1
        // After the last row, whoever releases the delivery lock looks.
        if current == end { break }
        frame.pointee.current = current
        if !isUndisturbed, !endsCancelled() { break }
      }
    }
  }

  /// Like `endCancelled`, between two calls; false: there are no more calls.
  @inline(never)
  private func endsCancelled() -> Bool {
    endCancelled(between: false)
    return !isForked
  }

  @inline(__always)
  private func call(_ row: Subscription.Pointer, _ event: UnsafeMutablePointer<mainstem_event>) {
    event.pointee.context = row.pointee.through
    add(calls: 1)
    row.pointee.function(row.pointee.userData, event)
  }

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
    if let observers = state.pointee.observerTable.find(event.pointee.type) {
      deliver(event, observers)
    }
    tellAnswers(event)
    deliverer.pointee.current = nil
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
    guard event.pointee.reply != 0, let delivered = state.pointee.upcalls.delivered else { return }
    if !isUndisturbed, !endsCancelled() { return }
    delivered(UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(event))
  }

  /// Calls the observer of the innermost frame if its conditions hold.
  @inline(never)
  private func callConditional() {
    guard let frame = Frame.innermost, let event = frame.pointee.event, let row = frame.pointee.row,
      !row.pointee.call.isScheduled, row.pointee.isFor(event.pointee.status)
    else { return }
    row.pointee.timing?.pointee.begin()
    call(row, event)
    row.pointee.timing?.pointee.end()
    if row.pointee.call.confirms, !frame.pointee.isConfirmed {
      fail(in: frame, Status.incomplete.rawValue, FailureReport.incomplete)
    }
    guard row.pointee.call.counts else { return }
    row.pointee.remaining &-= 1
    if row.pointee.remaining == 0 { endAfterLast(row) }
  }

  /// Delivers a kept event to an observer that joined late.
  package func deliverLate(
    _ event: UnsafeMutablePointer<mainstem_event>, to subscription: Subscription.Pointer
  ) {
    var row = subscription
    withUnsafeMutablePointer(to: &row) { rows in
      Frame.enter(self, event, rows) { _ in
        if subscription.pointee.state.load(ordering: .relaxed) == 0 {
          call(subscription, event)
        } else {
          callConditional()
        }
      }
    }
  }

  /// Does everything that waits, and releases the delivery lock.
  @inline(never)
  package func finishWork(after position: UInt64) {
    var last = position
    repeat {
      last = work(after: last)
    } while !release()
  }

  /// Does everything that waits: ends cancelled subscriptions, delivers, lets observers join. Keeps the delivery lock.
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
    if attention & Attention.cancelled != 0 { endCancelled(between: true) }
    if attention & Attention.silence != 0 { endSilence() }
    if attention & Attention.bounds != 0 { applyBounds() }
    if attention & Attention.waiters != 0 {
      locked {
        state.pointee.delivery.reached = position
        state.pointee.lock.wakeAll()
      }
    }
    return !isForked
  }
}
