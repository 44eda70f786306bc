// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Recording: the recorder is asked before an event is accepted, before it is seen, and before a call returns.
extension Stream {
  /// The recorder's state; nil: the stream is not recorded.
  @inline(__always)
  package var connectedRecorder: UnsafeMutableRawPointer? {
    isIn(.recorded) ? state.pointee.port.recorder.state : nil
  }

  /// Connects a recorder. Under the lock.
  ///
  /// - Parameter records: Whether the stream is recorded from here on; the caller has the delivery lock, too. Otherwise
  ///   the recorder has ended, or could not begin, and waits here for another context.
  package func connect(_ recorder: UnsafeMutableRawPointer, records: Bool) {
    let current = connectedRecorder
    guard current == nil || current == recorder else { return }
    state.pointee.port.recorder.connect(recorder)
    setMode(records ? .recorded : .live)
  }

  /// Whether observers may see an event: if it must be recorded first, it has been. For the deliverer.
  @inline(__always)
  package func mayBeSeen(_ event: UnsafePointer<mainstem_event>) -> Bool {
    guard isTapped else { return true }
    guard let recorder = connectedRecorder else {
      lookAtFed(event)
      return true
    }
    return state.pointee.port.recorder.functions.record(
      recorder, UnsafeMutableRawPointer(state), event)
  }

  /// Lets the source look at an event before observers see it.
  @inline(never)
  private func lookAtFed(_ event: UnsafePointer<mainstem_event>) {
    guard isIn(.fedInputs), let source else { return }
    state.pointee.port.source.functions.look(
      source, UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(mutating: event))
    // What the host of the session had ended before.
    if !isUndisturbed { attendObservers(between: true) }
  }

  /// Records what a replay would not know by itself. For the deliverer; no lock held.
  package func record(_ noted: Noted) {
    guard let recorder = connectedRecorder else { return }
    var noted = noted
    state.pointee.port.recorder.functions.note(
      recorder, UnsafeMutableRawPointer(state), &noted)
  }

  /// Records one of many events; with the last of them, they are written. For the deliverer.
  ///
  /// - Returns: The last position that may be seen, when all are written.
  @inline(__always)
  package func gather(_ event: UnsafePointer<mainstem_event>, isLast: Bool) -> UInt64 {
    guard let recorder = connectedRecorder else { return .max }
    return state.pointee.port.recorder.functions.gather(
      recorder, UnsafeMutableRawPointer(state), event, isLast)
  }

  /// Refuses a call if recording has stopped.
  ///
  /// - Parameter size: The size of an event for which there must be room in the journal; below 0: none.
  @inline(__always)
  package func demandRecording(of size: Int = -1) throws(Refusal) {
    guard let recorder = connectedRecorder else { return }
    let status = state.pointee.port.recorder.functions.admit(
      recorder, UnsafeMutableRawPointer(state), size)
    guard status == 0 else { throw .unrecorded(status) }
  }

  /// Makes sure of what a call that sent something promises when it returns OK.
  ///
  /// - Parameter waits: Whether the call waits: nothing is left for later.
  @inline(__always)
  package func acknowledge(waits: Bool = false) throws(Refusal) {
    guard let recorder = connectedRecorder, !isForked else { return }
    let status = state.pointee.port.recorder.functions.acknowledge(
      recorder, UnsafeMutableRawPointer(state), waits)
    guard status == 0 else { throw .unrecorded(status) }
  }
}

extension Port {
  /// Takes the recorder that waits here, for one caller only. Under the lock.
  package func takeRecorder() -> UnsafeMutableRawPointer? {
    recorder.disconnect()
  }
}

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

/// Being refused: a replay does not arrive at a lack of room by itself, so what a callback was refused is recorded.
extension Stream {
  /// Counts an attempt of the callback that this thread is in. For the deliverer; no lock held.
  ///
  /// - Parameter looks: Whether it registers what looks.
  /// - Returns: Its number among all attempts by callbacks of the event, and what it was refused in the recorded
  ///   session: `Refused.bits`, 0: nothing. Nil if no replay repeats the callback.
  package func numberAttempt(looks: Bool) -> (number: UInt64, refused: UInt64)? {
    let event: UInt64
    let number: UInt64
    if let key = eventOfCallback?.callbackKey {
      event = key
      number =
        looks && numbersLooks ? numberLook(of: key) : deliverer.pointee.attempts.next(of: key)
    } else if isFirstShow {
      // A replay calls it, and leaves out what it sends: its attempts are counted through the session.
      event = 0
      deliverer.pointee.attemptsToShow &+= 1
      number = deliverer.pointee.attemptsToShow
    } else {
      return nil
    }
    guard isIn(.fedInputs), let source else { return (number, 0) }
    let refused = state.pointee.port.source.functions.refused(
      source, UnsafeMutableRawPointer(state), event & ~CallbackCount.late, number)
    return (number, refused)
  }

  /// Records that the callback was refused something. For the deliverer.
  package func noteRefused(_ lack: Lack, _ status: Status, number: UInt64) {
    guard let recorder = connectedRecorder else { return }
    let event = eventOfCallback
    guard event != nil || isFirstShow else { return }
    var refused = Refused(
      event: event?.pointee.position ?? 0, number: number, accepted: position,
      status: status.rawValue, lack: lack.rawValue)
    state.pointee.port.recorder.functions.noteRefused(
      recorder, UnsafeMutableRawPointer(state), &refused)
  }
}
