// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The tap is asked before an event is accepted, before it is seen, and before a call returns.
extension Stream {
  @inline(__always)
  package var tap: Tap.Pointer? {
    Tap.Pointer(bitPattern: state.pointee.tap.load(ordering: .acquiring))
  }

  /// Whether observers may see an event: if it must be recorded first, it has been. For the deliverer.
  @inline(__always)
  package func mayBeSeen(_ event: UnsafePointer<mainstem_event>) -> Bool {
    guard let tap else { return true }
    return tap.pointee.record(tap.pointee.state, UnsafeMutableRawPointer(state), event)
  }

  /// Refuses an event that could not be recorded.
  @inline(__always)
  package func demandRoomToRecord(_ size: Int) throws(Refusal) {
    guard let tap else { return }
    let status = tap.pointee.admit(
      tap.pointee.state, UnsafeMutableRawPointer(state), size)
    guard status == 0 else { throw .unrecorded(status) }
  }

  /// Refuses a call if recording has stopped.
  @inline(__always)
  package func demandRecording() throws(Refusal) { try demandRoomToRecord(-1) }

  /// Whether nothing more is delivered, because it cannot be recorded.
  package var hasStopped: Bool { (try? demandRecording()) == nil }

  /// Makes sure of what a call that sent something promises when it returns OK.
  ///
  /// - Parameter waits: Whether the call waits: nothing is left for later.
  @inline(__always)
  package func acknowledge(waits: Bool = false) throws(Refusal) {
    guard let tap, !isForked else { return }
    let status = tap.pointee.acknowledge(
      tap.pointee.state, UnsafeMutableRawPointer(state), waits)
    guard status == 0 else { throw .unrecorded(status) }
  }

  /// Drops an event that could not be recorded. For the deliverer.
  @inline(never)
  package func drop(_ queued: QueuedEvent.Pointer) {
    let event = QueuedEvent.event(of: queued)
    if event.pointee.reply != 0, let dropped = state.pointee.upcalls.dropped {
      deliverer.pointee.current = queued
      defer { deliverer.pointee.current = nil }
      dropped(UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(event))
    }
    endQueued(queued)
  }
}

extension Refusal {
  static func unrecorded(_ status: Int32) -> Refusal {
    switch Status(rawValue: status) {
    case .noSpace:
      Refusal(.noSpace, "context", "is recorded, and there is no room left for its journal")
    case .poisoned:
      Refusal(.poisoned, "context", "has stopped: what was recorded may not have reached the disk")
    case .corrupt:
      Refusal(
        .corrupt, "context", "has stopped: another program has changed or removed its journal")
    case .noMemory: .noMemory
    default: .lacking(.journal)
    }
  }
}
