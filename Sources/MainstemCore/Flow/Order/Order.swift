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
  /// The thread that the stream belongs to; 0: any thread.
  let owner = Atomic<UInt>(0)
  /// The owner, if the stream does nothing with an event but deliver it, and no other thread has left something for the
  /// owner to do; otherwise `noThread`.
  let quickOwner = Atomic<UInt>(Order.noThread)
  /// Events that were refused because there was no room or the cascade was too long.
  let rejections = Atomic<UInt64>(0)
  /// How many of the rejections cut a cascade.
  let cuts = Atomic<UInt64>(0)
  /// What was accepted together, and is not recorded yet. Set by the deliverer.
  let gathered = Gathered()
  /// The word's count before this context began.
  var base: UInt64 = 0
  var keepsTime = false
  /// Whether the host sees to it that one thread at a time uses the stream, not always the same.
  var isGuarded = false
  var limits = Limits()

  init() {}

  /// A number that no thread has.
  static var noThread: UInt { UInt.max }
}

/// From one context to the next.
extension Stream {
  /// Says to whom the stream belongs, and what it may use. Before the first event.
  package func setOrder(_ threads: Threads, keepsTime: Bool, _ limits: Limits) {
    state.pointee.order.keepsTime = keepsTime
    state.pointee.order.isGuarded = threads == .guarded
    state.pointee.order.limits = limits
    state.pointee.order.rejections.store(0, ordering: .relaxed)
    state.pointee.order.cuts.store(0, ordering: .relaxed)
    state.pointee.order.owner.store(threads == .one ? Frame.thread : 0, ordering: .relaxed)
    allowQuickSends()
  }

  /// Opens the state word: from here on events are accepted.
  package func openOrder(defers: Bool) {
    // The count goes on, so that no word of an earlier context ever matches again.
    let count = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed)).count &+ 1
    state.pointee.order.base = count
    let word = StateWord(count: count, isDeferred: defers)
    state.pointee.order.word.store(word.bits, ordering: .releasing)
  }

  /// Refuses what comes from here on. Under the lock.
  package func closeOrder() { set(StateWord.closed) }

  /// In the child of a fork: nobody gets a position here, and whoever releases the delivery lock looks first.
  package func abandonOrder() {
    forbidQuickSends()
    state.pointee.order.word.bitwiseOr(
      StateWord.closed | StateWord.pending | StateWord.delivering, ordering: .relaxed)
  }

  /// Lets the positions of a fresh stream go on behind another's. Under both locks.
  package func continuePositions(after last: UInt64) { state.pointee.order.base &-= last }
}

/// Questions.
extension Stream {
  @inline(__always)
  package var isOwned: Bool { state.pointee.order.owner.load(ordering: .relaxed) != 0 }

  /// Whether the calling thread may use the stream: every thread, or only the owner. A guarded stream does not belong
  /// to the threads of its own schedulers.
  @inline(__always)
  package var isMine: Bool {
    let owner = state.pointee.order.owner.load(ordering: .relaxed)
    return owner == Frame.thread || owner == 0 && !(isGuarded && Frame.isSerial(self))
  }

  /// Whether what any thread may do takes effect in this call. In a guarded stream nobody can tell who calls from
  /// outside its callbacks, so that waits for a drain.
  @inline(__always)
  package var isAtHome: Bool { isMine && (!isGuarded || Frame.of(self) != nil) }

  @inline(__always)
  package var isGuarded: Bool { state.pointee.order.isGuarded }

  /// The last position accepted.
  package var position: UInt64 {
    StateWord(bits: state.pointee.order.word.load(ordering: .acquiring)).count
      &- state.pointee.order.base
  }

  package var isClosed: Bool {
    StateWord(bits: state.pointee.order.word.load(ordering: .acquiring)).isClosed
  }

  /// Whether accepted events wait until the host drains.
  package var isDeferred: Bool {
    StateWord(bits: state.pointee.order.word.load(ordering: .relaxed)).isDeferred
  }

  /// Whether somebody delivers. Under the lock.
  var isDelivering: Bool {
    StateWord(bits: state.pointee.order.word.load(ordering: .acquiring)).isDelivering
  }

  /// Whether something waits for the deliverer under the lock.
  @inline(__always)
  var hasShared: Bool {
    StateWord(bits: state.pointee.order.word.load(ordering: .acquiring)).isPending
  }

  /// Whether events have times. Changes under both locks, before the first event.
  @inline(__always)
  package var keepsTime: Bool {
    get { state.pointee.order.keepsTime }
    nonmutating set { state.pointee.order.keepsTime = newValue }
  }

  /// How many observers the context may have.
  @inline(__always)
  package var mostObservers: UInt64 { state.pointee.order.limits.observers }

  /// How many bytes a payload may have.
  package var mostPayload: Int { state.pointee.order.limits.payload }

  /// How many events were refused.
  package var rejections: UInt64 { state.pointee.order.rejections.load(ordering: .relaxed) }

  package func countRejection() {
    state.pointee.order.rejections.wrappingAdd(1, ordering: .relaxed)
  }
}

/// What others bring while somebody delivers.
extension Stream {
  /// Lets the deliverer look before it goes on. Under the lock.
  package func callDeliverer() { set(StateWord.pending) }

  /// Leaves what has its place in the order already to the deliverer. Under the lock; `callDeliverer` comes first.
  package func share(_ places: inout EventQueue) { state.pointee.order.shared.append(&places) }

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
