// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
