// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import Synchronization

/// The claim: who has it delivers. Nobody gives it back while something waits.
extension Stream {
  /// Takes the claim if it is free, else marks the word so that its holder looks under the lock.
  /// Under the lock. Both in one step: a holder that is about to give back fails, and looks.
  package func claimOrMark() -> Bool {
    var word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    while true {
      let isFree = !word.isDelivering
      let mark = isFree ? Word.delivering : Word.pending
      if exchange(word, Word(bits: word.bits | mark), ordering: .acquiringAndReleasing) {
        return isFree
      }
      word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    }
  }

  /// Takes the claim, and no position, if nobody delivers and nothing waits. The handle need only be valid
  /// after the word was read.
  package func claimAtOnce(_ slot: Slot.Pointer, _ key: UInt64) -> Word? {
    let word = Word(bits: state.pointee.word.load(ordering: .acquiring))
    let claimed = Word(bits: word.bits | Word.delivering)
    guard word.isIdle, slot.pointee.state.load(ordering: .acquiring) == key,
      exchange(word, claimed, ordering: .acquiringAndReleasing)
    else { return nil }
    return claimed
  }

  /// The next positions, if nobody took one since the claim was taken: those who did are to be delivered
  /// first. The last of them.
  package func advance(from claimed: Word, by count: UInt64 = 1) -> UInt64? {
    let next = Word(bits: claimed.bits &+ count &* Word.step)
    guard exchange(claimed, next, ordering: .acquiringAndReleasing) else { return nil }
    return next.count &- state.pointee.base
  }

  package func giveBackOrSettle() {
    let last = position
    if !(isUndisturbed && giveBack()) { settle(after: last) }
  }

  /// Whether nothing asks for the holder's attention.
  @inline(__always)
  package var isUndisturbed: Bool { state.pointee.attention.load(ordering: .relaxed) == 0 }

  /// Gives the claim back; false when something waits.
  package func release() -> Bool {
    let attention = state.pointee.attention.load(ordering: .relaxed)
    guard attention & StreamState.Attention.forked == 0 else { return true }
    let isLeft = StreamState.Attention.silence | StreamState.Attention.bounds
    guard attention & isLeft == 0 else { return false }
    // Whoever cancels asks for attention first, then marks the word; the mark may have been taken off
    // since, for something else that waited.
    guard attention & StreamState.Attention.cancelled == 0 else { return false }
    if attention & StreamState.Attention.waiters != 0 {
      return locked {
        let isFree = giveBack()
        state.pointee.lock.wakeAll()
        return isFree
      }
    }
    return giveBack()
  }

  /// As `release`, where nobody waits and nothing asks for attention, or under the lock.
  package func giveBack() -> Bool {
    let word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    guard !word.isPending else { return false }
    return exchange(word, Word(bits: word.bits & ~Word.delivering), ordering: .releasing)
  }

  /// The next position, for the holder.
  package func advance() -> UInt64 {
    if isOwned {
      let bits = state.pointee.word.load(ordering: .relaxed) &+ Word.step
      state.pointee.word.store(bits, ordering: .relaxed)
      return Word(bits: bits).count &- state.pointee.base
    }
    let (_, bits) = state.pointee.word.wrappingAdd(Word.step, ordering: .acquiringAndReleasing)
    return Word(bits: bits).count &- state.pointee.base
  }

  /// The next position, for somebody else while the holder delivers: marks the word in the same step.
  /// Under the lock. When nobody delivers, the claim is taken together with the position, if the caller
  /// delivers.
  package func advanceOrClaim(delivers: Bool) -> (position: UInt64, isClaimed: Bool) {
    var word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    while true {
      let isFree = !word.isDelivering
      let mark = isFree ? (delivers ? Word.delivering : 0) : Word.pending
      let next = Word(bits: (word.bits &+ Word.step) | mark)
      if exchange(word, next, ordering: .acquiringAndReleasing) {
        return (next.count &- state.pointee.base, isFree && delivers)
      }
      word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    }
  }

  /// The claim and the next position in one step, if nobody delivers. Under the lock.
  package func advanceIfFree() -> UInt64? {
    var word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    while !word.isDelivering, !word.isHeld {
      let next = Word(bits: (word.bits &+ Word.step) | Word.delivering)
      if exchange(word, next, ordering: .acquiringAndReleasing) {
        return next.count &- state.pointee.base
      }
      word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    }
    return nil
  }

  /// Sets a flag for good. Under the lock.
  package func set(_ flag: UInt64) {
    var word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    while !exchange(word, Word(bits: word.bits | flag), ordering: .acquiringAndReleasing) {
      word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    }
  }

  /// Clears a flag. Under the lock.
  package func clear(_ flag: UInt64) {
    var word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    while !exchange(word, Word(bits: word.bits & ~flag), ordering: .acquiringAndReleasing) {
      word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    }
  }

  /// Replaces the word; in a context of one thread no other writes it, so a plain store will do.
  @inline(__always)
  package func exchange(_ old: Word, _ new: Word, ordering: AtomicUpdateOrdering) -> Bool {
    if isOwned {
      state.pointee.word.store(new.bits, ordering: .releasing)
      return true
    }
    switch ordering {
    case .releasing:
      return state.pointee.word.compareExchange(
        expected: old.bits, desired: new.bits, ordering: .releasing
      ).exchanged
    default:
      return state.pointee.word.compareExchange(
        expected: old.bits, desired: new.bits, ordering: .acquiringAndReleasing
      ).exchanged
    }
  }

  /// Waits, under the lock, until the holder has got on; returns at once when nobody holds the claim.
  ///
  /// The word is marked only while somebody holds the claim, so the holder cannot give it back
  /// without looking here.
  package func waitForHolder() {
    state.pointee.attention.bitwiseOr(StreamState.Attention.waiters, ordering: .relaxed)
    state.pointee.waiters &+= 1
    if markIfDelivering() { state.pointee.lock.wait() }
    state.pointee.waiters &-= 1
    if state.pointee.waiters == 0 {
      state.pointee.attention.bitwiseAnd(~StreamState.Attention.waiters, ordering: .relaxed)
    }
  }

  private func markIfDelivering() -> Bool {
    var word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    while word.isDelivering {
      let marked = Word(bits: word.bits | Word.pending)
      if exchange(word, marked, ordering: .acquiringAndReleasing) { return true }
      word = Word(bits: state.pointee.word.load(ordering: .relaxed))
    }
    return false
  }
}
