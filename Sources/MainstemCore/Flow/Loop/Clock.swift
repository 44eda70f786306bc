// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The machine's clock, or a virtual one, which stands still until it is advanced. Every thread may ask.
struct Clock: ~Copyable {
  private(set) var isVirtual = false
  private let virtual = Atomic<Int64>(0)

  mutating func open(isVirtual: Bool) {
    self.isVirtual = isVirtual
    virtual.store(0, ordering: .relaxed)
  }

  /// Nanoseconds since some time.
  var now: Int64 { isVirtual ? virtual.load(ordering: .relaxed) : mainstem_p_monotonic() }

  /// Nanoseconds since 1970, or of the virtual clock.
  var time: Int64 { isVirtual ? virtual.load(ordering: .relaxed) : mainstem_p_now() }

  /// Advances a virtual clock; never back. Under the stream's lock.
  func advance(to time: Int64) {
    if time > now { virtual.store(time, ordering: .relaxed) }
  }
}

/// Clocks and times.
extension Stream {
  /// Nanoseconds on the clock that deadlines use: the machine's monotonic clock, or a virtual one, which stands still
  /// until it is advanced.
  package var clock: Int64 { state.pointee.loop.clock.now }

  package var isVirtual: Bool { state.pointee.loop.clock.isVirtual }

  /// The time for a new event, if the stream keeps times: nanoseconds since 1970, or of the virtual clock.
  @inline(never)
  package var time: Int64 { state.pointee.loop.clock.time }

  /// The current time for the caller: inside a callback, the time of its event.
  package var timeHere: Int64 {
    guard keepsTime, let event = Frame.of(self)?.pointee.event else { return time }
    return event.pointee.time
  }

  /// Whether a drain that ran nothing leaves something to the next one: what a release hook has posted or sent.
  private var leavesMore: Bool {
    guard !isForked else { return false }
    return locked { state.pointee.loop.hasPosts || leavesDeferred }
  }

  /// Advances a virtual clock. Everything that becomes due happens at its own time. Between two deadlines, everything
  /// else that waits for the host is drained until nothing waits.
  fileprivate func advance(by nanoseconds: Int64) {
    let (sum, isBeyond) = clock.addingReportingOverflow(nanoseconds)
    // A deadline at the end of time, like any that lies beyond it, never happens.
    let target = isBeyond ? Int64.max - 1 : min(sum, .max - 1)
    while true {
      while fireDue(1) &+ drainOthers() > 0 || leavesMore {}
      if isForked { return }
      let isDone = locked {
        let due = firstDue
        state.pointee.loop.clock.advance(to: min(due, target))
        return due > target
      }
      if isDone { return }
    }
  }
}

extension ResolvedHandle {
  /// Advances a virtual clock.
  package func advance(byMs milliseconds: Int64) throws(Refusal) {
    guard stream.isVirtual else {
      throw Refusal(
        .invalid, "context", "has no virtual clock: create it with MAINSTEM_CLOCK_VIRTUAL")
    }
    try beginDrain()
    stream.advance(by: milliseconds.nanosecondsOfMs)
    stream.endDrain()
  }
}

extension Int64 {
  /// Converts milliseconds to nanoseconds; saturates at the end of time.
  package var nanosecondsOfMs: Int64 {
    let (nanoseconds, isBeyond) = multipliedReportingOverflow(by: 1_000_000)
    return isBeyond ? .max : nanoseconds
  }
}
