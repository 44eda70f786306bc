// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
