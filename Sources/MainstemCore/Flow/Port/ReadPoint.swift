// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// A moment at which a callback asks what it would not know in a replay: what else was accepted, and that the stream is
/// closing. It is recorded, and a replay makes it true again.
package struct ReadPoint {
  private let stream: Stream
  /// The `callbackKey` of the callback's event.
  fileprivate let event: UInt64
  /// That of what looks; 0: it is counted.
  private let number: UInt64

  fileprivate init(_ stream: Stream, _ event: UInt64, _ number: UInt64) {
    self.stream = stream
    self.event = event
    self.number = number
  }

  /// Records the last position accepted when the callback asked; nil: all that was decided until now counts. For the
  /// deliverer; no lock held.
  @inline(never)
  package func note(_ last: UInt64? = nil) {
    guard let recorder = stream.connectedRecorder else { return }
    stream.state.pointee.port.recorder.functions.noteReadPoint(
      recorder, UnsafeMutableRawPointer(stream.state), event, number,
      last ?? stream.locked { stream.position })
  }
}

extension Stream {
  /// Notes that a callback is about to depend on what has been accepted so far. In a replay, that is fed now. No lock
  /// held.
  ///
  /// - Parameters:
  ///   - event: The `callbackKey` of an event, if the library itself asks about what follows from it; for the
  ///     deliverer. Nil: the event of the callback that this thread is in.
  ///   - version: The version of the journal format since which this question is recorded.
  ///   - looks: Whether the callback registers what looks, and has just attempted it.
  /// - Returns: What to note when the answer is known; nil: nothing.
  @inline(__always)
  package func readPoint(
    of event: UInt64? = nil, since version: UInt32 = 1, looks: Bool = false
  ) -> ReadPoint? {
    guard isTapped else { return nil }
    return reachReadPoint(event, version, looks)
  }

  @inline(never)
  private func reachReadPoint(
    _ event: UInt64?, _ version: UInt32, _ looks: Bool
  ) -> ReadPoint? {
    guard let event = event ?? eventOfCallback?.callbackKey else { return nil }
    let number = looks && numbersLooks ? deliverer.pointee.looks.last : 0
    guard isFed else { return ReadPoint(self, event, number) }
    if isIn(.fedInputs), let source {
      state.pointee.port.source.functions.makeReadPoint(
        source, UnsafeMutableRawPointer(state), event, number, version)
    }
    return nil
  }

  /// Settles what the callback that this thread is in found settled in the recorded session, although it is answered
  /// later. No lock held.
  @inline(__always)
  package func settleAsRecorded() {
    if isFed { settleAsTheSourceSays() }
  }

  @inline(never)
  private func settleAsTheSourceSays() {
    guard isIn(.fedInputs), let source, let requests = requestState, let event = eventOfCallback
    else { return }
    let (stream, last) = (
      UnsafeMutableRawPointer(state), min(event.callbackKey, CallbackCount.late)
    )
    while case let request = state.pointee.port.source.functions.answered(source, stream, last),
      request != 0
    {
      state.pointee.port.requests.functions.settle(requests, stream, request)
    }
  }

  /// Notes that a callback did something that no replay sees, and that it is refused once the stream closes.
  @inline(__always)
  package func countInCallback() {
    guard let asking = readPoint() else { return }
    asking.note(asking.event & ~CallbackCount.late)
  }

  /// The event of the callback that this thread is in, if a replay calls that callback again.
  package var eventOfCallback: UnsafeMutablePointer<mainstem_event>? {
    guard let frame = Frame.of(self), !frame.pointee.sendsInputs else { return nil }
    return frame.pointee.event
  }
}

/// Closing: a callback knows that the stream is, and would not in a replay.
extension Stream {
  /// Refuses a call on a stream that is closed, or was closing in the recorded session.
  @inline(__always)
  package func demandOpen() throws(Refusal) {
    guard !isClosed else { throw .closed }
    if isFed { try demandNotClosing() }
  }

  @inline(never)
  private func demandNotClosing() throws(Refusal) {
    guard isIn(.fedInputs), let source, let event = eventOfCallback,
      state.pointee.port.source.functions.isClosing(
        source, UnsafeMutableRawPointer(state), event.callbackKey)
    else { return }
    throw .closed
  }

  /// Notes, after a call was refused because something has ended, which of the streams whose callbacks this thread is
  /// in are closing.
  package static func noteClosing() {
    var frame = Frame.innermost
    while let current = frame {
      current.pointee.stream.noteClosingOfCallback()
      frame = current.pointee.previous
    }
  }

  private func noteClosingOfCallback() {
    guard isClosed, let recorder = connectedRecorder, let event = eventOfCallback else { return }
    state.pointee.port.recorder.functions.noteClosing(
      recorder, UnsafeMutableRawPointer(state), event.callbackKey, position)
  }
}
