// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
