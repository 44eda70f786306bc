// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// How a station above records what is accepted before anybody sees it: law 10.
package struct RecorderFunctions {
  package typealias Note =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt64) -> Void

  /// Whether there will be room to record an event with that many bytes; below 0: only whether recording still goes on.
  /// Any thread, no lock.
  package let admit: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Int32
  /// Records an event that is about to be delivered; false: nobody may see it. For the deliverer.
  package let record:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafePointer<mainstem_event>
    ) -> Bool
  /// Like `record` for one of many events, which are written with the last of them. Then it returns the last position
  /// that may be seen. For the deliverer.
  package let gather:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafePointer<mainstem_event>, Bool
    ) -> UInt64
  /// A callback of the event at the first position depends on what was accepted up to the last. Gets the question's number
  /// in between; 0: it is counted. For the deliverer.
  package let noteReadPoint:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt64, UInt64
    ) -> Void
  /// The same, if it was refused something because the stream is closing. Gets the `callbackKey` of its event.
  package let noteClosing: Note
  /// A callback was refused something for lack of room: gets a `Refused`. For the deliverer.
  package let noteRefused:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
  /// A host has ended scopes, or a callback may have found a request answered whose answer waits in the inbox: gets a
  /// `Noted`. For the deliverer.
  package let note:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
  /// Whether everything is as promised, when a call that sent something, or that waits for what others sent, is about
  /// to return.
  package let acknowledge:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Bool) -> Int32
  /// An origin is forgotten: its number will not come again. For the deliverer, under the lock.
  package let forget:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt32) -> Void
}
