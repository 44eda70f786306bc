// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Deadlines: when the time comes, a drain makes them happen.
extension Stream {
  /// Arms a deadline; false without memory. Under the lock. If `tells` becomes true, call `signal` after unlocking.
  package func arm(
    _ deadline: Deadline.Pointer, after nanoseconds: Int64, tells: inout Bool
  ) -> Bool {
    guard state.pointee.loop.deadlines.reserve() else { return false }
    let (due, isBeyond) = armingTime.addingReportingOverflow(nanoseconds)
    state.pointee.loop.deadlines.add(deadline, due: isBeyond ? .max : due)
    if expectDeadline() { tells = true }
    return true
  }

  /// Disarms a deadline, if it is armed. Under the lock.
  package func disarm(_ deadline: Deadline.Pointer) {
    guard deadline.pointee.isArmed else { return }
    state.pointee.loop.deadlines.remove(deadline)
    // Never earlier than before: nobody need be told.
    _ = expectDeadline()
  }

  /// Tells `wake` when the host's loop is next wanted. Under the lock. True: signal after unlocking.
  package func expectDeadline() -> Bool {
    let due = firstDue
    guard isVirtual else { return state.pointee.loop.wake.expect(due) }
    return state.pointee.loop.wake.expect(due <= clock ? 0 : .max)
  }

  /// When something is due next. While the stream is fed, armed deadlines wait. Under the lock.
  var firstDue: Int64 { feedDue ?? state.pointee.loop.deadlines.firstDue }

  /// Fires the deadlines that are due now, in order, except those armed meanwhile. At most `limit`.
  @_optimize(speed)
  func fireDue(_ limit: Int) -> Int {
    if let count = runFeed(limit) { return count }
    let (time, serial) = locked { (clock, state.pointee.loop.deadlines.serial) }
    var fired = 0
    while fired < limit, fireFirst(time, serial) { fired &+= 1 }
    return fired
  }

  /// Fires the first deadline that is due; false if there is none.
  private func fireFirst(_ time: Int64, _ serial: UInt64) -> Bool {
    if isForked { return false }
    var isLeft = true
    letInKept {
      guard !isClosed,
        let first = state.pointee.loop.deadlines.takeFirst(due: time, armedBefore: serial)
      else {
        isLeft = false
        return nil
      }
      return Deadline.fire(first, on: self)
    }
    return isLeft
  }
}

/// Timers: events that are sent later.
extension Stream {
  /// Arms a timer.
  ///
  /// - Parameters:
  ///   - delay: Nanoseconds until it fires.
  ///   - period: Nanoseconds between two times from then on; 0: once.
  ///   - given: Receives the handle before the timer can fire.
  @_optimize(speed)
  package static func send(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int,
    after delay: Int64, every period: Int64, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.changing(handle)
    try resolved.stream.trying { _ throws(Refusal) in
      try resolved.arm(type, data, size, after: delay, every: period, given)
    }
  }

  /// Ends a timer. What it has sent already stays sent.
  package static func cancelTimer(_ handle: Handle) throws(Refusal) {
    // Whether the timer has fired depends on what was accepted, so the stream whose callback this is must note it.
    let asker = Frame.innermost?.pointee.stream
    let asking = asker?.readPoint(since: 2)
    defer { asking?.note() }
    let resolved = try ResolvedHandle(handle, .timer, "timer")
    let isLive = resolved.stream.locked { () -> Bool in
      guard resolved.isLive, let timer = resolved.slot.pointee.object else { return false }
      resolved.stream.end(timer.assumingMemoryBound(to: Timer.self))
      return true
    }
    guard isLive else { throw Refusal(.stale, "timer", "has ended") }
  }

  /// Ends the timers that were armed through a scope. Under the lock.
  package func endTimers(of scope: Scope.Pointer) {
    while let timer = scope.pointee.firstTimer { end(timer) }
  }

  /// Takes back the event of a periodic timer after it has reached its observers.
  package func takeBack(_ lender: UnsafeMutableRawPointer) {
    let timer = lender.assumingMemoryBound(to: Timer.self)
    locked {
      timer.pointee.isOut = false
      guard timer.pointee.hasEnded else { return }
      QueuedEvent.free(timer.pointee.queued)
      Memory.free(timer)
    }
  }

  /// Fires a timer: its event, unless the one before is still on the stream. Under the lock.
  @inline(__always)
  fileprivate func fire(_ timer: Timer.Pointer) -> KeptEvent? {
    let (draft, queued) = (timer.pointee.draft, timer.pointee.queued)
    if timer.pointee.period == 0 {
      unlinkTimer(timer)
      Memory.free(timer)
    } else {
      rearm(timer, at: clock)
      if timer.pointee.isOut {
        state.pointee.loop.timers.miss(1)
        return nil
      }
      timer.pointee.isOut = true
      queued.pointee.lender = UnsafeMutableRawPointer(timer)
    }
    return KeptEvent(draft, in: queued)
  }

  /// Sets a periodic timer to its next time. Missed times are counted, not made up for.
  func rearm(_ timer: Timer.Pointer, at time: Int64) {
    let period = timer.pointee.period
    let due = timer.pointee.deadline.due
    let missed = due < time ? (time &- due) / period : 0
    state.pointee.loop.timers.miss(missed)
    let (next, isBeyond) = (due &+ missed &* period).addingReportingOverflow(period)
    state.pointee.loop.deadlines.add(Timer.deadline(of: timer), due: isBeyond ? .max : next)
  }

  /// Ends a timer. Under the lock.
  func end(_ timer: Timer.Pointer) {
    disarm(Timer.deadline(of: timer))
    unlinkTimer(timer)
    timer.pointee.hasEnded = true
    guard !timer.pointee.isOut else { return }
    QueuedEvent.free(timer.pointee.queued)
    Memory.free(timer)
  }

  /// Frees everything of a timer except its memory: its handle, its place in its scope.
  private func unlinkTimer(_ timer: Timer.Pointer) {
    state.pointee.loop.timers.unlink(timer)
    state.pointee.slots.end(timer.pointee.slot)
  }
}

extension ResolvedHandle {
  fileprivate func arm(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int, after delay: Int64, every period: Int64,
    _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    var draft = try draft(type, data, size)
    guard stream.mayArm else { throw .notAccepted }
    draft.flags |= UInt32(MAINSTEM_EVENT_TIMER)
    guard let timer = Memory.allocate(Timer.self) else { throw .noMemory }
    guard let queued = QueuedEvent.make(copying: &draft) else {
      Memory.free(timer)
      throw .noMemory
    }
    var tells = false
    do throws(Refusal) {
      try locked { () throws(Refusal) in
        let made = try makeTimer(timer, draft, queued, after: delay, every: period, &tells)
        given?.pointee = made.pointer
      }
    } catch {
      QueuedEvent.free(queued)
      Memory.free(timer)
      throw error
    }
    if tells { stream.signal() }
    stream.countInCallback()
  }

  /// Initializes and arms a timer. Under the lock. If it throws, the caller keeps the memory.
  fileprivate func makeTimer(
    _ timer: Timer.Pointer, _ draft: Draft, _ queued: QueuedEvent.Pointer, after delay: Int64,
    every period: Int64, _ tells: inout Bool
  ) throws(Refusal) -> Handle {
    let state = stream.state
    guard let scope else { throw .ended }
    guard
      let (slot, handle) = state.pointee.slots.make(.timer, stream: stream.address, object: timer)
    else { throw .lacking(.handles) }
    let deadline = Deadline(of: timer) { state, timer, due in
      KeptEvent.set(due, to: Stream(of: state).fire(timer.assumingMemoryBound(to: Timer.self)))
    }
    timer.initialize(
      to: Timer(draft, in: queued, period: period, slot: slot, scope: scope, deadline: deadline))
    guard stream.arm(Timer.deadline(of: timer), after: delay, tells: &tells) else {
      state.pointee.slots.end(slot)
      throw .noMemory
    }
    state.pointee.loop.timers.link(timer)
    return handle
  }
}
