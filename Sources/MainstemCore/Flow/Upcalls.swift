// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What the stream tells the stations above it. Set when the context is composed.
package struct Upcalls {
  /// The state of those stations.
  package var state: UnsafeMutableRawPointer?
  /// A tracked request, or an answer to one, has reached its observers.
  package var delivered:
    (@convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void)?
  /// Such an event was dropped, because it could not be recorded.
  package var dropped: (@convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void)?
  /// An event of a source has its position, as an input of a stream whose servers are live: a tracked request must be
  /// tracked again, an answer must settle its request. For the deliverer; no lock held.
  package var fed: (@convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void)?
  /// A scope is about to end. Under the lock; `abandoned` follows.
  package var ending: (@convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void)?
  /// Marks the origins that their state names, and returns how many things it looked at. Under the lock.
  package var markOrigins: (@convention(c) (UnsafeMutableRawPointer) -> Int)?
  /// Types have lost the first of their handlers; they are marked with this serial. Under the lock. The caller holds
  /// the delivery lock, or the word is marked so that the deliverer looks.
  package var abandoned: (@convention(c) (UnsafeMutableRawPointer, UInt32) -> Void)?

  package init() {}
}
