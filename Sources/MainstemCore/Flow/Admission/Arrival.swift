// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// An event on its way in: `Stream.letIn` has asked for it, and its position is about to be given.
package struct Arrival: ~Copyable {
  /// Memory of its own; none: the caller's memory is likely to do.
  private var candidate: Candidate
  let source: Source
  let way: Way
  private let stream: Stream
  /// Whether `signal` must be called after unlocking, whether or not the event comes in.
  package var tells = false

  /// Where an event gets its position.
  enum Way {
    /// Behind the callback that sends it. This thread delivers.
    case callback(UnsafeMutablePointer<Frame>)
    /// Here: the caller delivers it, unless somebody else does.
    case here
    /// When the owner takes it out of the inbox.
    case inbox
  }

  init(_ queued: QueuedEvent.Pointer?, _ source: Source, _ way: Way, _ stream: Stream) {
    candidate = Candidate(queued)
    self.source = source
    self.way = way
    self.stream = stream
  }
}

extension Arrival {
  /// Gives the event its position. Nothing can refuse it from here on. Under the lock.
  @inline(__always)
  package mutating func takePosition(for draft: inout Draft) throws(Refusal) -> Placed {
    guard let queued = candidate.accept() else {
      guard case .here = way else { throw .noMemory }
      return try stream.place(&draft)
    }
    switch way {
    case .here: return stream.place(draft, in: queued)
    case .callback: return stream.placeInside(draft, queued)
    case .inbox: return stream.leave(draft, queued)
    }
  }

  /// The event does not come in.
  mutating func giveUp() { candidate.giveUp(on: stream) }

  /// What is done before the lock is taken.
  @inline(__always)
  mutating func prepare(
    _ draft: inout Draft, _ observers: TypeObservers.Pointer, _ attempt: Attempt
  ) throws(Refusal) {
    switch way {
    case .callback(let frame): try prepare(&draft, in: frame, attempt)
    case .here:
      if source != .report { stream.endLeftovers() }
      if stream.isLikelyToWait(observers) { _ = try candidate.hold(copyOf: &draft) }
    case .inbox: break
    }
  }

  /// Asks for an event that a callback sends, copies it, and lets in what came before it in a recorded session: when
  /// nothing is likely to refuse it any longer.
  mutating func prepare(
    _ draft: inout Draft, in frame: UnsafeMutablePointer<Frame>, _ attempt: Attempt
  ) throws(Refusal) {
    try stream.demandAdmission(draft, source, in: frame, attempt)
    _ = try candidate.hold(copyOf: &draft)
    guard attempt.isTapped, source != .report, let event = frame.pointee.event else { return }
    stream.makeWay(
      for: event.pointee.position, answerTo: draft.reply != 0 ? draft.answers : 0)
  }

  /// Whether it comes in, and every queue that refuses has promised room. Under the lock.
  ///
  /// - Returns: False after a wait for room, in which the lock was released: everything must be asked again.
  @inline(__always)
  mutating func comesIn(
    _ draft: inout Draft, _ now: Conditions, _ observers: TypeObservers.Pointer
  ) throws(Refusal) -> Bool {
    try stream.demandAdmission(draft.size, source, now)
    guard stream.asksForRoom(observers), source.asksQueues(forInbox: now.isForInbox) else {
      return true
    }
    if !now.isForInbox { try stream.prepareValue(draft) }
    let queued = try candidate.hold(copyOf: &draft)
    return try stream.isPromised(room: draft, queued, isPost: now.isForInbox)
  }
}
