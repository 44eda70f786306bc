// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The memory of an event that may come in, with the room that queues have promised to it.
///
/// It is a token: the event is accepted, or given up. One that is dropped is counted, because its memory, and a place in
/// each of those queues, would be lost (decision 0030).
struct Candidate: ~Copyable {
  private(set) var queued: QueuedEvent.Pointer?

  /// - Parameter queued: Nil: the event has no memory of its own yet.
  init(_ queued: QueuedEvent.Pointer?) { self.queued = queued }

  /// Copies the event into memory of its own, unless it has some.
  @_optimize(speed)
  mutating func hold(copyOf draft: inout Draft) throws(Refusal) -> QueuedEvent.Pointer {
    if let queued { return queued }
    guard let copy = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    queued = copy
    return copy
  }

  /// The event is accepted: its memory goes with it.
  mutating func accept() -> QueuedEvent.Pointer? {
    let accepted = queued
    queued = nil
    return accepted
  }

  /// The event is not accepted: its memory and its room go back.
  mutating func giveUp(on stream: Stream) { stream.giveUp(accept()) }

  deinit {
    if queued != nil { mainstem_p_lost_token() }
  }
}
