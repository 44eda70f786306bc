// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a journal says of scopes that a host has ended, besides the events that tell it.
package struct Ended {
  /// The positions of the first of these events, and of the last.
  package let first: UInt64
  package let last: UInt64
  /// The last event that had been delivered then, or was being delivered by another thread.
  package let delivered: UInt64
  /// The number of the scope whose observers had not been called for that event; 0: they had, if it has any.
  package let unheardBy: UInt64

  package init(first: UInt64, last: UInt64, delivered: UInt64, unheardBy: UInt64) {
    self.first = first
    self.last = last
    self.delivered = delivered
    self.unheardBy = unheardBy
  }
}
