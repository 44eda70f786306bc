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

  /// Takes the recorder that waits here, for one caller only. Under the lock.
  package func takeRecorder() -> UnsafeMutableRawPointer? {
    state.pointee.port.recorder.disconnect()
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
