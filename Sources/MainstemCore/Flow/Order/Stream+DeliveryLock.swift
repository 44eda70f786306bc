// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
package import Synchronization

/// The delivery lock: the thread that holds it is the deliverer. It is never released while something waits.
extension Stream {
  /// Takes the delivery lock if it is free; otherwise marks the state word, so that the deliverer takes the lock and
  /// looks. Under the lock. Both happen in one step, so a deliverer about to release the delivery lock fails to, and
  /// looks.
  package func lockDeliveryOrMark() -> Bool {
    var word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    while true {
      let isFree = !word.isDelivering
      let mark = isFree ? StateWord.delivering : StateWord.pending
      if exchange(word, StateWord(bits: word.bits | mark), ordering: .acquiringAndReleasing) {
        return isFree
      }
      word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    }
  }

  /// Takes the delivery lock, without a position, if nobody delivers and nothing waits. The handle need only be valid
  /// after the word was read.
  package func lockDeliveryAtOnce(_ slot: Slot.Pointer, _ key: UInt64) -> StateWord? {
    let word = StateWord(bits: state.pointee.order.word.load(ordering: .acquiring))
    let lockedWord = StateWord(bits: word.bits | StateWord.delivering)
    guard word.isIdle, slot.pointee.state.load(ordering: .acquiring) == key,
      exchange(word, lockedWord, ordering: .acquiringAndReleasing)
    else { return nil }
    return lockedWord
  }

  /// Takes the next positions, if nobody took one since the delivery lock was taken. Otherwise nil: the events of those
  /// threads must be delivered first.
  ///
  /// - Returns: The last of the positions.
  package func advance(from lockedWord: StateWord, by count: UInt64 = 1) -> UInt64? {
    let next = StateWord(bits: lockedWord.bits &+ count &* StateWord.step)
    guard exchange(lockedWord, next, ordering: .acquiringAndReleasing) else { return nil }
    return next.count &- state.pointee.order.base
  }

  package func unlockDeliveryOrFinishWork() {
    let last = position
    if !unlockDeliveryIfDone() { finishWork(after: last) }
  }

  /// Takes the delivery lock if nobody has it, nothing waits, and nothing asks for attention. Under the lock.
  ///
  /// - Returns: The word before, for `unlockDelivery(to:)`.
  @inline(__always)
  package func lockDeliveryIfIdle() -> StateWord? {
    let word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    guard word.isIdle, isUndisturbed,
      exchange(
        word, StateWord(bits: word.bits | StateWord.delivering), ordering: .acquiringAndReleasing)
    else { return nil }
    return word
  }

  /// Releases the delivery lock by a plain store, in the locked step that took it: while a stream is being delivered,
  /// its word changes under the lock only.
  @inline(__always)
  package func unlockDelivery(to word: StateWord) {
    state.pointee.order.word.store(word.bits, ordering: .releasing)
  }

  /// Takes the delivery lock, without a position. Another sender of this kind holds it only for a moment, so trying
  /// again a few times is cheaper than waiting in line.
  package func lockDeliverySoon(_ slot: Slot.Pointer, _ key: UInt64) -> StateWord? {
    let owner = state.pointee.order.quickOwner.load(ordering: .relaxed)
    guard owner == 0 || owner == Frame.thread, Frame.innermost == nil || Frame.of(self) == nil
    else { return nil }
    var looks = 0
    while true {
      let word = StateWord(bits: state.pointee.order.word.load(ordering: .acquiring))
      let lockedWord = StateWord(bits: word.bits | StateWord.delivering)
      guard word.free.isIdle, slot.pointee.state.load(ordering: .acquiring) == key else {
        return nil
      }
      if word.isIdle, exchange(word, lockedWord, ordering: .acquiringAndReleasing) {
        return lockedWord
      }
      guard looks < 32 else { return nil }
      looks &+= 1
      mainstem_p_pause()
    }
  }

  /// Releases the delivery lock if nothing waits and nothing asks for attention; false: there is work. Under the lock,
  /// or right after it was taken.
  @inline(__always)
  package func unlockDeliveryIfDone() -> Bool { isUndisturbed && unlockDelivery() }

  /// Releases the delivery lock; false if something waits.
  package func release() -> Bool {
    let attention = state.pointee.delivery.attention.load(ordering: .relaxed)
    guard attention & Attention.forked == 0 else { return true }
    let isLeft = Attention.silence | Attention.bounds
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

  /// Like `release`, if no thread waits and nothing asks for attention, or under the lock.
  package func unlockDelivery() -> Bool {
    let word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    guard !word.isPending else { return false }
    return exchange(word, StateWord(bits: word.bits & ~StateWord.delivering), ordering: .releasing)
  }

  /// Takes the next position. For the deliverer.
  package func advance() -> UInt64 {
    if isOwned {
      let bits = state.pointee.order.word.load(ordering: .relaxed) &+ StateWord.step
      state.pointee.order.word.store(bits, ordering: .relaxed)
      return StateWord(bits: bits).count &- state.pointee.order.base
    }
    let (_, bits) = state.pointee.order.word.wrappingAdd(
      StateWord.step, ordering: .acquiringAndReleasing)
    return StateWord(bits: bits).count &- state.pointee.order.base
  }

  /// Skips positions. For the deliverer.
  package func skip(_ count: UInt64) {
    let steps = count &* StateWord.step
    if isOwned {
      let bits = state.pointee.order.word.load(ordering: .relaxed)
      state.pointee.order.word.store(bits &+ steps, ordering: .relaxed)
    } else {
      state.pointee.order.word.wrappingAdd(steps, ordering: .acquiringAndReleasing)
    }
  }

  /// Takes the next position for another thread while the deliverer delivers, and marks the word in the same step.
  /// Under the lock. If nobody delivers and the caller does, takes the delivery lock together with the position.
  package func advanceOrLockDelivery(delivers: Bool) -> (position: UInt64, isDeliverer: Bool) {
    var word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    while true {
      let isFree = !word.isDelivering
      let mark = isFree ? (delivers ? StateWord.delivering : 0) : StateWord.pending
      let next = StateWord(bits: (word.bits &+ StateWord.step) | mark)
      if exchange(word, next, ordering: .acquiringAndReleasing) {
        return (next.count &- state.pointee.order.base, isFree && delivers)
      }
      word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    }
  }

  /// Takes the delivery lock and the next position in one step, if nobody delivers. Under the lock.
  package func advanceIfFree() -> UInt64? {
    var word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    while !word.isDelivering, !word.isDeferred {
      let next = StateWord(bits: (word.bits &+ StateWord.step) | StateWord.delivering)
      if exchange(word, next, ordering: .acquiringAndReleasing) {
        return next.count &- state.pointee.order.base
      }
      word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    }
    return nil
  }

  /// Sets a flag permanently. Under the lock.
  package func set(_ flag: UInt64) {
    var word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    while !exchange(word, StateWord(bits: word.bits | flag), ordering: .acquiringAndReleasing) {
      word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    }
  }

  /// Clears a flag. Under the lock.
  package func clear(_ flag: UInt64) {
    var word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    while !exchange(word, StateWord(bits: word.bits & ~flag), ordering: .acquiringAndReleasing) {
      word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    }
  }

  /// Replaces the word. In a context of one thread, no other thread writes it, so a plain store is enough.
  @inline(__always)
  package func exchange(_ old: StateWord, _ new: StateWord, ordering: AtomicUpdateOrdering) -> Bool
  {
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

  private func markIfDelivering() -> Bool {
    var word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    while word.isDelivering {
      let marked = StateWord(bits: word.bits | StateWord.pending)
      if exchange(word, marked, ordering: .acquiringAndReleasing) { return true }
      word = StateWord(bits: state.pointee.order.word.load(ordering: .relaxed))
    }
    return false
  }
}
