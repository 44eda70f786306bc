// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The order of a stream: which event has which position, who may give positions, and what others have accepted while
/// somebody delivers. Atomics are for every thread; `shared` is used under the lock; the rest changes under both locks.
/// One step on the word takes a position and says who delivers, so no position is given that nobody delivers.
///
/// What is used under the lock comes first: see `StreamState`.
package struct Order: ~Copyable {
  /// What waits for the deliverer.
  var shared = EventQueue()
  /// See `StateWord`.
  let word = Atomic<UInt64>(StateWord.closed)
  /// The word's count before this context began.
  var base: UInt64 = 0
  /// The position before this context's first: not 0 if it goes on behind a journal.
  var start: UInt64 = 0

  package init() {}
}

/// From one context to the next.
extension Stream {
  /// Opens the state word: from here on events are accepted.
  package func openOrder(defers: Bool) {
    // The count goes on, so that no word of an earlier context ever matches again.
    let count = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed)).count &+ 1
    state.pointee.order.base = count
    state.pointee.order.start = 0
    let word = StateWord(count: count, isDeferred: defers)
    state.pointee.order.word.store(word.bits, ordering: .releasing)
  }

  /// Refuses what comes from here on. Under the lock.
  package func closeOrder() { set(StateWord.closed) }

  /// In the child of a fork: nobody gets a position here, and whoever releases the delivery lock looks first.
  package func abandonOrder() {
    state.pointee.order.word.bitwiseOr(
      StateWord.closed | StateWord.pending | StateWord.delivering, ordering: .relaxed)
  }

  /// Lets the positions of a fresh stream go on behind another's. Under both locks.
  package func continuePositions(after last: UInt64) {
    state.pointee.order.base &-= last
    state.pointee.order.start = position
  }
}

/// Questions.
extension Stream {
  package var isClosed: Bool { stateWord(.acquiring).isClosed }

  /// Whether this context has accepted an event. Under the lock.
  package var hasBegun: Bool { position != state.pointee.order.start }

  /// Whether accepted events wait until the host drains.
  package var isDeferred: Bool { stateWord(.relaxed).isDeferred }

  /// Whether somebody delivers. Under the lock.
  package var isDelivering: Bool { stateWord(.acquiring).isDelivering }

  /// Whether the next event is delivered at once: nobody delivers, and accepted events do not wait for the host. Lasts
  /// only under the lock.
  package var isFree: Bool {
    let word = stateWord(.acquiring)
    return !word.isDelivering && !word.isDeferred
  }

  /// Whether something waits for the deliverer under the lock.
  @inline(__always)
  package var hasShared: Bool { stateWord(.acquiring).isPending }
}

/// What others bring while somebody delivers.
extension Stream {
  /// Lets the deliverer look before it goes on. Under the lock.
  package func callDeliverer() { set(StateWord.pending) }

  /// Leaves what has its place in the order already to the deliverer, who is called. Under the lock.
  package func share(_ places: inout EventQueue) {
    state.pointee.order.shared.append(&places)
    callDeliverer()
  }

  /// Leaves an event to the deliverer, who has been called. Under the lock.
  package func share(_ queued: QueuedEvent.Pointer) { state.pointee.order.shared.append(queued) }

  /// Takes over what others have brought. For the deliverer, under the lock.
  ///
  /// - Returns: The first of it.
  @discardableResult
  func takeShared() -> QueuedEvent.Pointer? {
    let first = state.pointee.order.shared.first
    deliverer.pointee.arrived.append(&state.pointee.order.shared)
    clear(StateWord.pending)
    return first
  }
}
