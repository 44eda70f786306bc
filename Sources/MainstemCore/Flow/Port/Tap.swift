// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// How a station above records what is accepted before anybody sees it: law 10. Each function gets the station's state,
/// and the stream's memory.
package struct Tap {
  package typealias Pointer = UnsafeMutablePointer<Tap>
  package typealias Admit =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Int32
  package typealias Record =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafePointer<mainstem_event>
    ) -> Bool
  package typealias Gather =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafePointer<mainstem_event>
    ) -> Void
  package typealias Complete =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafePointer<mainstem_event>
    ) -> UInt64
  package typealias Note =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt64) -> Void
  package typealias NoteRefused =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
  package typealias Acknowledge =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Bool) -> Int32

  package typealias Forget = @convention(c) (UnsafeMutableRawPointer, UInt32) -> Void

  /// The station's state.
  package let state: UnsafeMutableRawPointer
  /// Whether there will be room to record an event with that many bytes; below 0: only whether recording still goes on.
  /// Any thread, no lock.
  package let admit: Admit
  /// Records an event that is about to be delivered; false: nobody may see it. For the deliverer.
  package let record: Record
  /// Like `record` for one of many events, without writing it; `complete` follows with the last of them. For the
  /// deliverer.
  package let gather: Gather
  /// Writes everything that was gathered, and returns the last position that may be seen. For the deliverer.
  package let complete: Complete
  /// A callback of the event at the first position depends on what was accepted up to the second. For the deliverer.
  package let noteReadPoint: Note
  /// The same, if it was refused something because the stream is closing. Gets the `callbackKey` of its event.
  package let noteClosing: Note
  /// A callback was refused something for lack of room: gets a `Refused`. For the deliverer.
  package let noteRefused: NoteRefused
  /// Whether everything is as promised, when a call that sent something, or that waits for what others sent, is about
  /// to return.
  package let acknowledge: Acknowledge

  /// An origin is forgotten: its number will not come again. For the deliverer, under the lock.
  package let forget: Forget

  package init(
    state: UnsafeMutableRawPointer, admit: @escaping Admit, record: @escaping Record,
    gather: @escaping Gather, complete: @escaping Complete,
    noteReadPoint: @escaping Note, noteClosing: @escaping Note, noteRefused: @escaping NoteRefused,
    acknowledge: @escaping Acknowledge, forget: @escaping Forget
  ) {
    self.state = state
    self.admit = admit
    self.record = record
    self.gather = gather
    self.complete = complete
    self.noteReadPoint = noteReadPoint
    self.noteClosing = noteClosing
    self.noteRefused = noteRefused
    self.acknowledge = acknowledge
    self.forget = forget
  }
}
