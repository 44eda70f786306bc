// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

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
