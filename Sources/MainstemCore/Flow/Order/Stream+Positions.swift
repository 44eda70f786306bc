// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

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
