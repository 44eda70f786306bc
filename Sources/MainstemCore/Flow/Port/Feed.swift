// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A source of events that replaces everything sent from outside; a replay is one. While it feeds the stream, nothing
/// else from outside is accepted, and no deadline fires.
///
/// Used by the deliverer, except for `due`, which is under the lock.
package struct Feed {
  /// The source; each function gets it first.
  package var source: UnsafeMutableRawPointer?
  /// The version of the source's journal format.
  package var version: UInt32 = 0
  /// A callback is about to send, or to do what the stream will report: the source feeds what came in between. Gets the
  /// position of the callback's event, and that of the request it answers, or 0. No lock held.
  package var makeWay: (@convention(c) (UnsafeMutableRawPointer, UInt64, UInt64) -> Void)?
  /// A callback is about to depend on what was accepted: the source feeds what was accepted then. Gets the position of
  /// the callback's event, and the version of the journal format since which such a read point is recorded. No lock
  /// held.
  package var makeReadPoint: (@convention(c) (UnsafeMutableRawPointer, UInt64, UInt32) -> Void)?
  /// Whether the recorded stream was closing when a callback asked for something. Gets the `callbackKey` of the
  /// callback's event. No lock held.
  package var isClosing: (@convention(c) (UnsafeMutableRawPointer, UInt64) -> Bool)?
  /// What a callback was refused when it tried something. Gets the position of the callback's event, and the number of
  /// the attempt. Returns `Refused.bits`; 0: nothing was refused. No lock held.
  package var refused: (@convention(c) (UnsafeMutableRawPointer, UInt64, UInt64) -> UInt64)?
  /// An event (`mainstem_event`) is about to reach its observers: the source looks at it, and sets its time if a
  /// callback sent it. No lock held.
  package var look: (@convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void)?
  /// Feeds what is due, up to a limit, and returns how many events that were.
  package var run: (@convention(c) (UnsafeMutableRawPointer, Int) -> Int)?
  /// Marks the origins that the source names, and returns how many things it looked at. For the deliverer, under the
  /// lock.
  package var markOrigins: (@convention(c) (UnsafeMutableRawPointer) -> Int)?
  /// An origin is forgotten: its number will not come again. For the deliverer, under the lock.
  package var forget: (@convention(c) (UnsafeMutableRawPointer, UInt32) -> Void)?
  /// When `run` is wanted next, on the stream's clock. Under the lock.
  package var due = Int64.max

  package init() {}

  /// What a stream is fed, as stored in `StreamState.feeding`.
  package enum Kind: UInt32 {
    case none = 0
    /// Every event. No handler is called, and what callbacks send is not accepted.
    case all = 1
    /// The events from outside. The others are what callbacks send.
    case inputs = 2
  }
}
