// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What time it is.
extension Stream {
  /// Nanoseconds on the clock by which deadlines are due: the machine's, which nobody sets, or a virtual
  /// one, which stands still until it is moved on.
  package var clock: Int64 {
    state.pointee.isVirtual
      ? state.pointee.virtualTime.load(ordering: .relaxed) : mainstem_p_monotonic()
  }

  /// What an event's time is, where it has one: nanoseconds since 1970, or of the virtual clock.
  @inline(never)
  package var time: Int64 {
    state.pointee.isVirtual
      ? state.pointee.virtualTime.load(ordering: .relaxed) : mainstem_p_now()
  }

  /// What time it is for the caller: inside a callback that of its event.
  package var timeHere: Int64 {
    guard state.pointee.keepsTime, let event = Frame.of(self)?.pointee.event else { return time }
    return event.pointee.time
  }

  /// Moves a virtual clock on to a time. Under the lock.
  private func setClock(_ time: Int64) {
    if time > clock { state.pointee.virtualTime.store(time, ordering: .relaxed) }
  }

  /// Moves a virtual clock on. All that becomes due happens at its own time; between two deadlines all
  /// else that waits for the host is taken in, until nothing waits.
  fileprivate func advance(by nanoseconds: Int64) {
    let (sum, isBeyond) = clock.addingReportingOverflow(nanoseconds)
    // What is due at the end of time, as any deadline is that lies beyond, never happens.
    let target = isBeyond ? Int64.max - 1 : min(sum, .max - 1)
    while true {
      while fireDue(1) &+ drainOthers(.max) > 0 {}
      if isForked { return }
      let isDone = locked {
        let due = firstDue
        setClock(min(due, target))
        return due > target
      }
      if isDone { return }
    }
  }
}

extension ResolvedHandle {
  /// Moves a virtual clock on.
  package func advance(byMs milliseconds: Int64) throws(Refusal) {
    guard stream.state.pointee.isVirtual else {
      throw Refusal(.invalid, "context", "has no virtual clock")
    }
    try beginDrain()
    stream.advance(by: milliseconds.nanosecondsOfMs)
    stream.endDrain()
  }
}

extension Int64 {
  /// Milliseconds as nanoseconds; beyond what can be said, the end of time.
  package var nanosecondsOfMs: Int64 {
    let (nanoseconds, isBeyond) = multipliedReportingOverflow(by: 1_000_000)
    return isBeyond ? .max : nanoseconds
  }
}
