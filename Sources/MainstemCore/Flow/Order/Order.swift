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
  /// Refuses what comes from here on. Under the lock.
  package func closeOrder() { set(StateWord.closed) }

  /// Lets the positions of a fresh stream go on behind another's. Under both locks.
  package func continuePositions(after last: UInt64) {
    state.pointee.order.base &-= last
    state.pointee.order.start = position
  }
}

extension Order {
  /// Opens the state word: from here on events are accepted.
  package mutating func open(defers: Bool) {
    // The count goes on, so that no word of an earlier context ever matches again.
    let count = StateWord(bits: word.load(ordering: .relaxed)).count &+ 1
    base = count
    start = 0
    word.store(StateWord(count: count, isDeferred: defers).bits, ordering: .releasing)
  }

  /// In the child of a fork: nobody gets a position here, and whoever releases the delivery lock looks first.
  package func abandon() {
    word.bitwiseOr(
      StateWord.closed | StateWord.pending | StateWord.delivering, ordering: .relaxed)
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

extension Order {
  /// Leaves an event to the deliverer, who has been called. Under the lock.
  package mutating func share(_ queued: QueuedEvent.Pointer) { shared.append(queued) }
}

/// The state word of a stream: the last position, and flags that say what is going on.
///
/// One atomic step on this word takes the delivery lock and the next position, or finds that another thread delivers.
/// When the memory is reused for another context the position keeps counting, so a word read from a closed context
/// never matches again.
package struct StateWord {
  package let bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  /// The word of an idle stream whose positions count on from `count`.
  package init(count: UInt64, isDeferred: Bool) {
    bits = count &* StateWord.step | (isDeferred ? StateWord.deferred : 0)
  }

  /// A thread holds the delivery lock. Only one thread delivers at a time.
  package static var delivering: UInt64 { 1 }
  /// Something waits for the deliverer under the lock.
  package static var pending: UInt64 { 2 }
  /// No more events are accepted.
  package static var closed: UInt64 { 4 }
  /// Accepted events wait until the host drains. Set for the life of the context.
  package static var deferred: UInt64 { 8 }
  /// One position.
  package static var step: UInt64 { 16 }
  package static var flags: UInt64 { 15 }

  package var isDelivering: Bool { bits & StateWord.delivering != 0 }
  package var isPending: Bool { bits & StateWord.pending != 0 }
  package var isClosed: Bool { bits & StateWord.closed != 0 }
  package var isDeferred: Bool { bits & StateWord.deferred != 0 }
  /// Nobody delivers, nothing waits, the stream is not closed, and a send delivers.
  package var isIdle: Bool { bits & StateWord.flags == 0 }
  /// The word once a free delivery lock and the next position are taken.
  package var taken: StateWord {
    StateWord(bits: bits &+ StateWord.step &+ StateWord.delivering)
  }
  /// The same word with the delivery lock free.
  package var free: StateWord { without(StateWord.delivering) }
  /// The position count in the word. A context's positions are counted from its base.
  package var count: UInt64 { bits >> 4 }

  func with(_ flag: UInt64) -> StateWord { StateWord(bits: bits | flag) }
  func without(_ flag: UInt64) -> StateWord { StateWord(bits: bits & ~flag) }
}

/// Positions: each is taken in one step on the state word, which says who delivers it.
extension Stream {
  /// The last position accepted.
  package var position: UInt64 { position(of: stateWord(.acquiring)) }

  /// The position in a state word of this context.
  @inline(__always)
  func position(of word: StateWord) -> UInt64 { word.count &- state.pointee.order.base }

  /// The last position when a duty began.
  @inline(__always)
  package func position(of duty: borrowing Duty) -> UInt64 { position(of: duty.word) }

  /// Takes the next position. For the deliverer.
  package func advance() -> UInt64 {
    if isOwned {
      let word = StateWord(bits: stateWord(.relaxed).bits &+ StateWord.step)
      state.pointee.order.word.store(word.bits, ordering: .relaxed)
      return position(of: word)
    }
    let (_, bits) = state.pointee.order.word.wrappingAdd(
      StateWord.step, ordering: .acquiringAndReleasing)
    return position(of: StateWord(bits: bits))
  }

  /// Takes the next positions, if nobody took one since the delivery lock was taken. Otherwise nil: the events of those
  /// threads must be delivered first.
  ///
  /// - Returns: The last of the positions.
  package func advance(by count: UInt64 = 1, with duty: borrowing Duty) -> UInt64? {
    let next = StateWord(bits: duty.word.bits &+ count &* StateWord.step)
    guard exchange(duty.word, next, ordering: .acquiringAndReleasing) else { return nil }
    return position(of: next)
  }

  /// Skips positions. For the deliverer.
  package func skip(_ count: UInt64) {
    let steps = count &* StateWord.step
    if isOwned {
      state.pointee.order.word.store(stateWord(.relaxed).bits &+ steps, ordering: .relaxed)
    } else {
      state.pointee.order.word.wrappingAdd(steps, ordering: .acquiringAndReleasing)
    }
  }

  /// Takes the next position for another thread while the deliverer delivers, and marks the word in the same step.
  /// Under the lock. If nobody delivers and the caller does, takes the delivery lock together with the position.
  package func advanceOrLockDelivery(delivers: Bool, _ duty: inout Duty) -> UInt64 {
    var word = stateWord(.relaxed)
    while true {
      let isFree = !word.isDelivering
      let mark = isFree ? (delivers ? StateWord.delivering : 0) : StateWord.pending
      let next = StateWord(bits: (word.bits &+ StateWord.step) | mark)
      if exchange(word, next, ordering: .acquiringAndReleasing) {
        if isFree && delivers { duty = Duty(next) }
        return position(of: next)
      }
      word = stateWord(.relaxed)
    }
  }

  /// Takes the delivery lock and the next position in one step, if nobody delivers. Under the lock.
  package func advanceIfFree() -> Duty {
    var word = stateWord(.relaxed)
    while !word.isDelivering, !word.isDeferred {
      let next = StateWord(bits: (word.bits &+ StateWord.step) | StateWord.delivering)
      if exchange(word, next, ordering: .acquiringAndReleasing) { return Duty(next) }
      word = stateWord(.relaxed)
    }
    return .nothing
  }

  /// Takes the delivery lock and the next position in one step, if the stream is idle. What `isAllowed` says need only
  /// be true after the word was read.
  @inline(__always)
  package func advanceIfIdle(_ isAllowed: () -> Bool) -> Duty {
    let word = stateWord(.acquiring)
    guard word.isIdle, isAllowed(),
      exchange(word, word.taken, ordering: .acquiringAndReleasing)
    else { return .nothing }
    return Duty(word.taken)
  }
}

/// One event at once: one step on an idle state word takes its position and the delivery lock, another releases the
/// lock. Each kind of context has its own code for the same steps.
extension Stream {
  /// The state word if nobody delivers, nothing waits, the stream is open, and a send delivers.
  @inline(__always)
  package var idleWord: StateWord? {
    let word = stateWord(.acquiring)
    return word.isIdle ? word : nil
  }

  /// Takes the delivery lock and the next position if the word is unchanged, and delivers; false: nothing has happened.
  @inline(__always)
  package func takeNext(after word: StateWord, _ deliver: (_ position: UInt64) -> Void) -> Bool {
    let lockedWord = word.taken
    guard
      state.pointee.order.word.compareExchange(
        expected: word.bits, desired: lockedWord.bits, ordering: .acquiring
      ).exchanged
    else { return false }
    deliver(position(of: lockedWord))
    // A request for attention marks the word, and this exchange fails.
    let isReleased = state.pointee.order.word.compareExchange(
      expected: lockedWord.bits, desired: lockedWord.free.bits, ordering: .releasing
    ).exchanged
    if !isReleased { workOn(lockedWord) }
    return true
  }

  /// Like `takeNext`, in a context of one thread, and on that thread: nobody else writes the word.
  @inline(__always)
  package func takeNextOwned(after word: StateWord, _ deliver: (_ position: UInt64) -> Void) {
    let lockedWord = word.taken
    state.pointee.order.word.store(lockedWord.bits, ordering: .relaxed)
    deliver(position(of: lockedWord))
    // Another thread that asks for attention leaves the word alone; it sets `quickOwner`, for the next send.
    if state.pointee.order.word.load(ordering: .relaxed) == lockedWord.bits {
      state.pointee.order.word.store(lockedWord.free.bits, ordering: .relaxed)
    } else {
      workOn(lockedWord)
    }
  }

  /// Something came up. Apart, so that what it needs is kept in no register while the event is delivered.
  @inline(never)
  private func workOn(_ lockedWord: StateWord) { fulfill(Duty(lockedWord)) }
}
