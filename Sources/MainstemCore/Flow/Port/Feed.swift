// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A source of events in place of all who send from outside: a replay is one. For as long as it feeds the
/// stream, nothing else from outside is accepted, and nothing that is due at a time happens.
///
/// The deliverer's, but for `due`, which is the lock's.
package struct Feed {
  /// Whose functions these are: each gets it first.
  package var source: UnsafeMutableRawPointer?
  /// The version of the journals' format that it is in.
  package var version: UInt32 = 0
  /// A callback is about to send, or to do what will be told on the stream: time to feed what came in
  /// between. Gets the position of the callback's event, and that of the request it answers, or 0. No lock
  /// held.
  package var makeWay: (@convention(c) (UnsafeMutableRawPointer, UInt64, UInt64) -> Void)?
  /// A callback is about to depend on what was accepted: time to feed what was. As `makeWay`; then the version of
  /// the journals' format since which that is written down.
  package var makeReadPoint: (@convention(c) (UnsafeMutableRawPointer, UInt64, UInt32) -> Void)?
  /// Whether the stream that is repeated was closing when a callback wanted something. As `makeWay`.
  package var isClosing: (@convention(c) (UnsafeMutableRawPointer, UInt64) -> Bool)?
  /// What a callback was refused when it tried something: gets the position of the callback's event, and which
  /// attempt of it that is. See `Refused.bits`; 0: nothing. As `makeWay`.
  package var refused: (@convention(c) (UnsafeMutableRawPointer, UInt64, UInt64) -> UInt64)?
  /// An event (`mainstem_event`) is about to reach its observers: to be looked at, and, if a callback sent it,
  /// to get its time. No lock held.
  package var look: (@convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void)?
  /// What is due is to be fed: at most so much. What came of it.
  package var run: (@convention(c) (UnsafeMutableRawPointer, Int) -> Int)?
  /// Marks the origins that the source names: how much was looked through. The deliverer, under the lock.
  package var markOrigins: (@convention(c) (UnsafeMutableRawPointer) -> Int)?
  /// An origin is forgotten: its number will not come again. The deliverer, under the lock.
  package var forget: (@convention(c) (UnsafeMutableRawPointer, UInt32) -> Void)?
  /// When `run` is wanted next, on the stream's clock. Under the lock.
  package var due = Int64.max

  package init() {}

  /// What a stream is fed, as `StreamState.feeding` has it.
  package enum Kind: UInt32 {
    case none = 0
    /// Every event. No handler is called, and what callbacks send is not accepted.
    case all = 1
    /// Those from outside: the others are what callbacks send.
    case inputs = 2
  }
}
