// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// How a station above writes down what is accepted before anybody sees it: law 10. Each function gets the
/// station's state, and the stream's memory.
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

  /// The station's own.
  package let state: UnsafeMutableRawPointer
  /// Whether there will be room to write down an event with so many bytes; below 0: only whether anything
  /// is still written. Any thread, no lock.
  package let admit: Admit
  /// Writes down an event that is about to be delivered; false: nobody may see it. For the deliverer.
  package let record: Record
  /// As `record` for one of many, without writing it: `complete` follows with the last of them. For the deliverer.
  package let gather: Gather
  /// Writes down all that was gathered: the last position that may be seen. For the deliverer.
  package let complete: Complete
  /// A callback of the event at the first position depends on what was accepted up to the second. For the deliverer.
  package let noteReadPoint: Note
  /// The same, when it was refused something because the stream closes.
  package let noteClosing: Note
  /// A callback was refused something for want of room: gets a `Refused`. For the deliverer.
  package let noteRefused: NoteRefused
  /// A call that sent something, or waits for what others sent, is about to return: whether all is as it
  /// promises.
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
