// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a callback knows besides its own event and would not know in a replay: which events of others were accepted
/// when it asked, and that the stream was closing. It is recorded, and a replay makes it true again.
extension Stream {
  /// Notes that a callback is about to depend on what has been accepted so far. No lock held.
  ///
  /// - Parameter version: The version of the journal format since which this question is recorded.
  /// - Returns: The position of the callback's event, for `noteReadPoint`; 0: there is nothing to note.
  @inline(__always)
  package func nearReadPoint(since version: UInt32 = 1) -> UInt64 {
    guard tap != nil else { return 0 }
    return nearReadPointOfCallback(since: version)
  }

  @inline(never)
  private func nearReadPointOfCallback(since version: UInt32) -> UInt64 {
    guard let event = eventOfCallback else { return 0 }
    return nearReadPoint(of: event.callbackKey, since: version)
  }

  /// Like `nearReadPoint`, when the library itself asks about what follows from an event. For the deliverer.
  package func nearReadPoint(of event: UInt64, since version: UInt32) -> UInt64 {
    guard tap != nil else { return 0 }
    guard isFed else { return event }
    if feeding == .inputs, let source = state.pointee.feed.source {
      state.pointee.feed.makeReadPoint?(source, event, version)
    }
    return 0
  }

  /// Records the last position accepted when a callback asked. For the deliverer; no lock held.
  @inline(__always)
  package func noteReadPoint(of event: UInt64, _ last: UInt64) {
    guard event != 0, let tap else { return }
    tap.pointee.noteReadPoint(tap.pointee.state, UnsafeMutableRawPointer(state), event, last)
  }

  /// The last position given, with everything that was decided until then.
  package var lastAccepted: UInt64 { locked { position } }

  /// Refuses a call on a stream that is closed, or was closing in the recorded session.
  @inline(__always)
  package func demandOpen() throws(Refusal) {
    guard !isClosed else { throw .closed }
    if isFed { try demandNotClosing() }
  }

  /// Notes that a callback did something that no replay sees, and that it is refused once the stream closes.
  @inline(__always)
  package func countInCallback() {
    let asking = nearReadPoint()
    noteReadPoint(of: asking, asking & ~CallbackCount.late)
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
    guard isClosed, let tap, let event = eventOfCallback else { return }
    tap.pointee.noteClosing(
      tap.pointee.state, UnsafeMutableRawPointer(state), event.callbackKey, position)
  }

  @inline(never)
  private func demandNotClosing() throws(Refusal) {
    guard feeding == .inputs, let source = state.pointee.feed.source,
      let event = eventOfCallback,
      state.pointee.feed.isClosing?(source, event.callbackKey) == true
    else { return }
    throw .closed
  }

  /// The event of the callback that this thread is in, if a replay calls that callback again.
  var eventOfCallback: UnsafeMutablePointer<mainstem_event>? {
    guard let frame = Frame.of(self), !frame.pointee.sendsInputs else { return nil }
    return frame.pointee.event
  }
}
