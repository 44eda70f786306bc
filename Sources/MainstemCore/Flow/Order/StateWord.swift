// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a stream's one word says: the last position, and what goes on.
///
/// Taking the delivery lock and the next position is one step on this word, and so is finding somebody
/// else at it. The position counts on when the memory is used for another context, so a word read
/// from a closed one never fits again.
package struct StateWord {
  package let bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  /// The word of a stream at which nobody is, whose positions are counted from `count` on.
  package init(count: UInt64, isDeferred: Bool) {
    bits = count &* StateWord.step | (isDeferred ? StateWord.deferred : 0)
  }

  /// Somebody holds the delivery lock: one thread delivers at a time.
  package static var delivering: UInt64 { 1 }
  /// Something waits for the deliverer under the lock.
  package static var pending: UInt64 { 2 }
  /// No further event is accepted.
  package static var closed: UInt64 { 4 }
  /// Accepted events wait until the host drains. For as long as the context lives.
  package static var deferred: UInt64 { 8 }
  /// One position.
  package static var step: UInt64 { 16 }
  package static var flags: UInt64 { 15 }

  package var isDelivering: Bool { bits & StateWord.delivering != 0 }
  package var isPending: Bool { bits & StateWord.pending != 0 }
  package var isClosed: Bool { bits & StateWord.closed != 0 }
  package var isDeferred: Bool { bits & StateWord.deferred != 0 }
  /// Nobody delivers, nothing waits, not closed, and a send delivers.
  package var isIdle: Bool { bits & StateWord.flags == 0 }
  /// The same without a deliverer.
  package var free: StateWord { StateWord(bits: bits & ~StateWord.delivering) }
  /// The number in it; a context's positions are counted from its base.
  package var count: UInt64 { bits >> 4 }
}
