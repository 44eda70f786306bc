// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The delivery lock: the thread that holds it is the deliverer. It is never released while something waits.
///
/// Taking it.
extension Stream {
  /// Takes the delivery lock if it is free; otherwise marks the state word, so that the deliverer takes the lock and
  /// looks. Under the lock. Both happen in one step, so a deliverer about to release the delivery lock fails to, and
  /// looks.
  package func claimDelivery() -> Duty {
    var word = stateWord(.relaxed)
    while true {
      let isFree = !word.isDelivering
      let next = word.with(isFree ? StateWord.delivering : StateWord.pending)
      if exchange(word, next, ordering: .acquiringAndReleasing) {
        return isFree ? Duty(next) : .nothing
      }
      word = stateWord(.relaxed)
    }
  }

  /// Takes the delivery lock; waits for whoever holds it. Under the lock, which is released meanwhile.
  package func lockDelivery() -> Duty {
    while true {
      let duty = claimDelivery()
      if duty.isDeliverer { return duty }
      waitForDeliverer()
    }
  }

  /// Runs a step with the delivery lock if nobody delivers, nothing waits, and nothing asks for attention. Under the
  /// lock: while a stream is being delivered its word changes under the lock only, so a plain store releases it.
  ///
  /// - Returns: Whether the step was run, and what it returned.
  @inline(__always)
  package func whileIdle(_ step: () -> Bool) -> Bool {
    let word = stateWord(.relaxed)
    guard word.isIdle, isUndisturbed,
      exchange(word, word.with(StateWord.delivering), ordering: .acquiringAndReleasing)
    else { return false }
    let isDone = step()
    state.pointee.order.word.store(word.bits, ordering: .releasing)
    return isDone
  }

  /// Takes the delivery lock, without a position, if nobody delivers and nothing waits. The handle need only be valid
  /// after the word was read.
  package func lockDeliveryAtOnce(_ slot: Slot.Pointer, _ key: UInt64) -> Duty {
    let word = stateWord(.acquiring)
    let lockedWord = word.with(StateWord.delivering)
    guard word.isIdle, slot.pointee.state.load(ordering: .acquiring) == key,
      exchange(word, lockedWord, ordering: .acquiringAndReleasing)
    else { return .nothing }
    return Duty(lockedWord)
  }

  /// Like `lockDeliveryAtOnce`. Another sender of this kind holds the lock only for a moment, so trying again a few
  /// times is cheaper than waiting in line.
  package func lockDeliverySoon(_ slot: Slot.Pointer, _ key: UInt64) -> Duty {
    var looks = 0
    while true {
      let word = stateWord(.acquiring)
      let lockedWord = word.with(StateWord.delivering)
      guard word.free.isIdle, slot.pointee.state.load(ordering: .acquiring) == key else {
        return .nothing
      }
      if word.isIdle, exchange(word, lockedWord, ordering: .acquiringAndReleasing) {
        return Duty(lockedWord)
      }
      guard looks < 32 else { return .nothing }
      looks &+= 1
      mainstem_p_pause()
    }
  }

  /// Marks the word if somebody delivers; false: nobody does. Under the lock.
  package func markIfDelivering() -> Bool {
    var word = stateWord(.relaxed)
    while word.isDelivering {
      let marked = word.with(StateWord.pending)
      if exchange(word, marked, ordering: .acquiringAndReleasing) { return true }
      word = stateWord(.relaxed)
    }
    return false
  }
}

/// Releasing it.
extension Stream {
  /// Releases the delivery lock if nothing waits. If a thread waits for it, or something asks for attention, only under
  /// the lock.
  package func unlockDelivery() -> Bool {
    let word = stateWord(.relaxed)
    guard !word.isPending else { return false }
    return exchange(word, word.free, ordering: .releasing)
  }

  /// Releases the delivery lock unless there is work. Under the lock, or right after it was taken.
  ///
  /// - Returns: What is left to do.
  @inline(__always)
  package func unlockIfDone(_ duty: consuming Duty) -> Duty {
    guard isUndisturbed, unlockDelivery() else { return duty }
    duty.end()
    return .nothing
  }
}

/// The word itself.
extension Stream {
  @inline(__always)
  func stateWord(_ ordering: AtomicLoadOrdering) -> StateWord {
    switch ordering {
    case .acquiring: StateWord(bits: state.pointee.order.word.load(ordering: .acquiring))
    default: StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    }
  }

  /// Sets a flag permanently. Under the lock.
  func set(_ flag: UInt64) {
    var word = stateWord(.relaxed)
    while !exchange(word, word.with(flag), ordering: .acquiringAndReleasing) {
      word = stateWord(.relaxed)
    }
  }

  /// Clears a flag. Under the lock.
  func clear(_ flag: UInt64) {
    var word = stateWord(.relaxed)
    while !exchange(word, word.without(flag), ordering: .acquiringAndReleasing) {
      word = stateWord(.relaxed)
    }
  }

  /// Replaces the word. In a context of one thread, no other thread writes it, so a plain store is enough.
  @inline(__always)
  func exchange(_ old: StateWord, _ new: StateWord, ordering: AtomicUpdateOrdering) -> Bool {
    if isOwned {
      state.pointee.order.word.store(new.bits, ordering: .releasing)
      return true
    }
    switch ordering {
    case .releasing:
      return state.pointee.order.word.compareExchange(
        expected: old.bits, desired: new.bits, ordering: .releasing
      ).exchanged
    default:
      return state.pointee.order.word.compareExchange(
        expected: old.bits, desired: new.bits, ordering: .acquiringAndReleasing
      ).exchanged
    }
  }
}

/// What a step that may have taken the delivery lock leaves to do.
///
/// Whoever has the delivery lock has a duty: to do everything that waits, and to release it. A step under the stream's
/// lock must not deliver, because the host is never called under that lock. It returns its duty instead, and its caller
/// fulfills it after it has released the lock.
///
/// It is a token: one that is dropped is counted, because nobody would deliver any longer (decision 0030).
package struct Duty: ~Copyable {
  /// The state word with which this thread took the delivery lock; 0: it did not.
  private var lockedWord: StateWord

  init(_ lockedWord: StateWord) { self.lockedWord = lockedWord }

  /// Nothing is left to do: another thread delivers and looks after it, or nothing waits.
  package static var nothing: Duty { Duty(StateWord(bits: 0)) }

  /// Whether this thread has the delivery lock.
  @inline(__always)
  package var isDeliverer: Bool { lockedWord.isDelivering }

  /// The state word as this thread left it when it took the delivery lock.
  @inline(__always)
  var word: StateWord { lockedWord }

  /// Ends the duty: the delivery lock is released, or kept for good.
  @inline(__always)
  consuming func end() { lockedWord = StateWord(bits: 0) }

  deinit {
    if isDeliverer { mainstem_p_lost_token() }
  }
}
