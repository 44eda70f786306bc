// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What is known of a stream's deliverer. Atomics are for every thread, the rest is used under the lock. Whoever asks for
/// attention does so before the state word is marked, so the deliverer never goes without having looked.
///
/// What is used under the lock comes first: see `StreamState`.
package struct Delivery: ~Copyable {
  /// How many calls wait for the deliverer.
  var waiters = 0
  /// The last position that has reached all its observers; kept only while somebody waits for it.
  var reached: UInt64 = 0
  /// The host has been told that held events wait.
  var isDeferredNoted = false
  /// What the deliverer looks at between two calls: see `Attention`.
  let attention = Atomic<UInt32>(0)
  /// Calls by the deliverer, who alone counts them.
  let deliveries = Atomic<UInt64>(0)
  /// Calls on schedulers, which the deliverer cannot count.
  let scheduledCalls = Atomic<UInt64>(0)
  /// Whether a server that shows was ever added.
  let hasShows = Atomic<Bool>(false)
  /// Whether any handler was added that changes no value of its server.
  let hasFetches = Atomic<Bool>(false)

  init() {}
}

/// How far the deliverer may deliver. Restricted only in a context that holds its events for the host.
package struct Allowance {
  package var events: Int
  /// An event from outside that was accepted later waits for the next drain.
  package let last: UInt64

  package static var all: Allowance { Allowance(events: Int.max, last: UInt64.max) }
  package static var nothing: Allowance { Allowance(events: 0, last: 0) }

  package func permits(_ queued: QueuedEvent.Pointer) -> Bool {
    if queued.pointee.other != nil { return events > 0 }
    let event = QueuedEvent.event(of: queued)
    return events > 0
      && (event.pointee.position <= last
        || event.pointee.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) == 0
        || Stream.depth(of: event) > 0)
  }
}

/// What the deliverer is asked to look at between two calls.
package enum Attention {
  /// Cancelled subscriptions wait for their end.
  package static var cancelled: UInt32 { 1 }
  /// Somebody waits for the deliverer to make progress.
  static var waiters: UInt32 { 2 }
  /// The host is told nothing until the callback in which it tried to drain ends.
  package static var silence: UInt32 { 4 }
  /// A history has new bounds.
  package static var bounds: UInt32 { 8 }
  /// Enough origins have ended to look for those that nothing names any longer.
  package static var origins: UInt32 { 16 }
  /// This is the child of a fork: nothing more is done, whatever was asked for before.
  static var forked: UInt32 { 32 }
  /// Show functions are owed after this event, or the next.
  static var shows: UInt32 { 64 }
  /// Servers have shown nothing yet.
  static var unshown: UInt32 { 128 }
  /// They are to do so now.
  static var dueShows: UInt32 { 256 }
  /// Values have ended, and are to be freed.
  static var values: UInt32 { 512 }
  /// Ends that a host told are to be recorded.
  static var ends: UInt32 { 1024 }
}

/// Attention.
extension Stream {
  /// Whether nothing asks for the deliverer's attention.
  @inline(__always)
  package var isUndisturbed: Bool {
    state.pointee.delivery.attention.load(ordering: .relaxed) == 0
  }

  /// Whether a callback of this thread has forked, and this is the child.
  @inline(__always)
  package var isForked: Bool { isAsked(for: Attention.forked) }

  @inline(__always)
  package func isAsked(for attention: UInt32) -> Bool {
    state.pointee.delivery.attention.load(ordering: .relaxed) & attention != 0
  }

  @inline(__always)
  package func ask(for attention: UInt32) {
    state.pointee.delivery.attention.bitwiseOr(attention, ordering: .relaxed)
  }

  @inline(__always)
  package func endAsking(for attention: UInt32) {
    state.pointee.delivery.attention.bitwiseAnd(~attention, ordering: .relaxed)
  }
}

/// From one context to the next.
extension Stream {
  package func openDelivery(defers: Bool) {
    state.pointee.delivery.deliveries.store(0, ordering: .relaxed)
    state.pointee.delivery.scheduledCalls.store(0, ordering: .relaxed)
    state.pointee.delivery.isDeferredNoted = false
    state.pointee.delivery.hasShows.store(false, ordering: .relaxed)
    state.pointee.delivery.hasFetches.store(false, ordering: .relaxed)
    deliverer.pointee.allowance = defers ? .nothing : .all
  }

  /// From here on everything that waits is delivered, also what is held for the host. The deliverer of a closing stream
  /// keeps the delivery lock for good.
  package func deliverRest(keeping duty: consuming Duty) {
    duty.end()
    locked { _ = takeShared() }
    deliverer.pointee.allowance = .all
  }

  /// Delivers what was fed, and everything that follows from it. For the deliverer.
  package func deliverFed() {
    deliverer.pointee.allowance = .all
    _ = work(after: position)
    deliverer.pointee.allowance = isDeferred ? .nothing : .all
  }

  package func clearDelivery() {
    deliverer.pointee.cascadeLog.free()
    deliverer.pointee.shows = OwedShows()
    state.pointee.unshown = List()
    Memory.free(state.pointee.payer)
    state.pointee.payer = nil
    state.pointee.delivery.attention.store(0, ordering: .relaxed)
  }
}

extension Delivery {
  /// In the child of a fork: whatever was asked for before, nothing more is done.
  package func abandon() {
    attention.store(Attention.forked, ordering: .relaxed)
  }
}

/// Counting.
extension Delivery {
  /// How many calls were made.
  package var calls: UInt64 {
    deliveries.load(ordering: .relaxed)
      &+ scheduledCalls.load(ordering: .relaxed)
  }

  /// Counts calls on a scheduler. Any thread.
  package func countScheduled(calls: UInt64 = 1) {
    scheduledCalls.wrappingAdd(calls, ordering: .relaxed)
  }
}

/// Waiting for the deliverer. Under the lock.
extension Stream {
  /// Waits, under the lock, until the deliverer has made progress; returns at once if nobody holds the delivery lock.
  ///
  /// The word is marked only while the delivery lock is held, so the deliverer cannot release it without looking here.
  package func waitForDeliverer() {
    state.pointee.delivery.attention.bitwiseOr(Attention.waiters, ordering: .relaxed)
    state.pointee.delivery.waiters &+= 1
    if markIfDelivering() { state.pointee.lock.wait() }
    state.pointee.delivery.waiters &-= 1
    if state.pointee.delivery.waiters == 0 {
      state.pointee.delivery.attention.bitwiseAnd(~Attention.waiters, ordering: .relaxed)
    }
  }

  /// Waits until something has ended.
  package func waitForEnd() {
    state.pointee.delivery.waiters &+= 1
    state.pointee.lock.wait()
    state.pointee.delivery.waiters &-= 1
  }

  /// Something has ended.
  package func wakeWaiters() {
    if state.pointee.delivery.waiters > 0 { state.pointee.lock.wakeAll() }
  }

  /// Waits until everything accepted so far has reached its observers.
  package func waitForDeliveries() {
    let target = position
    state.pointee.delivery.reached = 0
    while state.pointee.delivery.reached < target, !isForked, isDelivering { waitForDeliverer() }
  }
}
