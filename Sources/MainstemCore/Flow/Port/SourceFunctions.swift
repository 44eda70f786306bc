// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a source of events is asked and told that replaces everything sent from outside; a replay is one. Connected
/// while it feeds the stream. Used by the deliverer.
package struct SourceFunctions {
  /// A callback is about to send, or to do what the stream will report: the source feeds what came in between. Gets the
  /// position of the callback's event, and that of the request it answers, or 0. No lock held.
  package let makeWay:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt64) -> Void
  /// A callback is about to depend on what was accepted: the source feeds what was accepted then. Gets the position of
  /// the callback's event, the question's number or 0, and the version of the journal format since which such a read point
  /// is recorded. No lock held.
  package let makeReadPoint:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt64, UInt32
    ) -> Void
  /// Whether the recorded stream was closing when a callback asked for something. Gets the `callbackKey` of the
  /// callback's event. No lock held.
  package let isClosing:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64) -> Bool
  /// The next request that is settled for callbacks of the recorded session by now, although its answer had not been
  /// taken in; 0: none is left. Gets the position of the callback's event; the last there is, if that is late. The
  /// source feeds what had been accepted by then. No lock held.
  package let answered:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64) -> UInt64
  /// What a callback was refused when it tried something. Gets the position of the callback's event, and the number of
  /// the attempt. Returns `Refused.bits`; 0: nothing was refused. No lock held.
  package let refused:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt64) -> UInt64
  /// Whether the core answered a request UNHANDLED in the recorded session, as its next output. Gets the position of the
  /// request, the type of its response, and room for the answer's payload. Returns the size of the payload, 0 if it was
  /// not recorded or has no room; -1: another answer, or none. No lock held.
  package let unhandled:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt32, UnsafeMutableRawPointer?,
      Int
    ) -> Int
  /// An event (`mainstem_event`) is about to reach its observers: the source looks at it, and sets its time if a
  /// callback sent it. No lock held.
  package let look:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
  /// Feeds what is due, up to a limit, and returns how many events that were.
  package let run: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Int
  /// Marks the origins that the source names, and returns how many things it looked at. Under the lock.
  package let markOrigins: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int
  /// An origin is forgotten: its number will not come again. Under the lock.
  package let forget:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt32) -> Void
}
