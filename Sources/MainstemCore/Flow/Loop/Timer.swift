// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The timers of a stream. Under its lock.
struct Timers {
  private(set) var count: UInt64 = 0
  /// Times at which a periodic timer could not fire.
  private(set) var missed: UInt64 = 0

  /// Adds a timer to those of its scope.
  mutating func link(_ timer: Timer.Pointer) {
    let scope = timer.pointee.scope
    timer.pointee.next = scope.pointee.firstTimer
    scope.pointee.firstTimer?.pointee.previous = timer
    scope.pointee.firstTimer = timer
    count &+= 1
  }

  mutating func unlink(_ timer: Timer.Pointer) {
    let (previous, next) = (timer.pointee.previous, timer.pointee.next)
    if let previous {
      previous.pointee.next = next
    } else {
      timer.pointee.scope.pointee.firstTimer = next
    }
    next?.pointee.previous = previous
    count &-= 1
  }

  mutating func miss(_ times: Int64) { missed &+= UInt64(clamping: times) }
}

/// An event that is sent later, once or periodically. Under the stream's lock.
struct Timer {
  /// First: see `deadline(of:)`.
  var deadline: Deadline
  /// The event it sends; the payload is in `queued`.
  let draft: Draft
  let queued: QueuedEvent.Pointer
  let slot: Slot.Pointer
  let scope: Scope.Pointer
  /// Nanoseconds from one time to the next; 0: once.
  let period: Int64
  /// `queued` is on the stream and not delivered yet.
  var isOut = false
  /// The timer has ended; only its event, still on the stream, refers to it.
  var hasEnded = false
  fileprivate var previous: Pointer?
  fileprivate(set) var next: Pointer?

  typealias Pointer = UnsafeMutablePointer<Timer>

  init(
    _ draft: Draft, in queued: QueuedEvent.Pointer, period: Int64, slot: Slot.Pointer,
    scope: Scope.Pointer, deadline: Deadline
  ) {
    self.draft = draft
    self.queued = queued
    self.period = period
    self.slot = slot
    self.scope = scope
    self.deadline = deadline
  }

  /// `deadline` is the first field, so a pointer to the timer is a pointer to it.
  static func deadline(of timer: Pointer) -> Deadline.Pointer {
    UnsafeMutableRawPointer(timer).assumingMemoryBound(to: Deadline.self)
  }
}

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
      state.pointee.loop.rearm(timer, at: clock)
      if timer.pointee.isOut {
        state.pointee.loop.timers.miss(1)
        return nil
      }
      timer.pointee.isOut = true
      queued.pointee.lender = UnsafeMutableRawPointer(timer)
    }
    return KeptEvent(draft, in: queued)
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

extension Loop {
  /// Sets a periodic timer to its next time. Missed times are counted, not made up for.
  mutating func rearm(_ timer: Timer.Pointer, at time: Int64) {
    let period = timer.pointee.period
    let due = timer.pointee.deadline.due
    let missed = due < time ? (time &- due) / period : 0
    timers.miss(missed)
    let (next, isBeyond) = (due &+ missed &* period).addingReportingOverflow(period)
    deadlines.add(Timer.deadline(of: timer), due: isBeyond ? .max : next)
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

/// Timers while a stream is fed: none fires, because what they sent is fed. They follow the clock of the events, so
/// that afterwards each has the same time left as it had then.
extension Stream {
  /// Whether a timer may be armed: outside callbacks, or by a callback of the delivery itself. What other callbacks arm
  /// was armed in the recorded session too, and its events are fed.
  var mayArm: Bool {
    guard isFed, let frame = Frame.of(self) else { return true }
    return isIn(.fedInputs) && frame.pointee.holdsDeliveryLock && frame.pointee.event != nil
  }

  /// The time that a deadline armed now counts from.
  var armingTime: Int64 {
    guard isFed else { return clock }
    return Frame.of(self)?.pointee.event.map { Feed.sane($0.pointee.time) } ?? fedClock
  }

  /// The stream is fed from here on: deadlines follow the clock of the events, numbers the seed of the recorded session.
  /// Under both locks.
  package func followFedTime(seed: UInt64, byRegistration: Bool) {
    state.pointee.loop.chance.beginFeed(seed, byRegistration: byRegistration)
    state.pointee.loop.moveDeadlines(from: clock, to: fedClock)
  }

  /// The stream is no longer fed. Under both locks.
  package func followOwnTime() {
    state.pointee.loop.moveDeadlines(from: fedClock, to: clock)
    state.pointee.loop.chance.endFeed(at: position)
  }

  /// Notes that an event of a timer is fed: if that timer is armed here too, it has fired.
  func passTimer(_ event: UnsafeMutablePointer<mainstem_event>) {
    locked {
      guard let timer = armedTimer(of: event) else { return }
      if timer.pointee.period == 0 {
        end(timer)
      } else {
        disarm(Timer.deadline(of: timer))
        state.pointee.loop.rearm(timer, at: Feed.sane(event.pointee.time))
      }
    }
  }

  /// The armed timer that sends an event; if several match, the first that is due.
  private func armedTimer(of event: UnsafeMutablePointer<mainstem_event>) -> Timer.Pointer? {
    var found: Timer.Pointer?
    state.pointee.scopes.each { scope in
      var next = scope.pointee.firstTimer
      while let timer = next {
        next = timer.pointee.next
        // Older timers come after younger ones.
        guard timer.pointee.deadline.isArmed, timer.pointee.sends(event),
          found.map({ timer.pointee.deadline.due <= $0.pointee.deadline.due }) ?? true
        else { continue }
        found = timer
      }
    }
    return found
  }
}

extension Loop {
  /// Moves all armed deadlines to another clock. Under both locks.
  fileprivate mutating func moveDeadlines(from old: Int64, to new: Int64) {
    deadlines.move(by: new &- Feed.sane(old))
  }
}

extension Timer {
  /// Whether an event may be one of this timer's. Of marks and secrets only the type is known.
  fileprivate func sends(_ event: UnsafeMutablePointer<mainstem_event>) -> Bool {
    guard event.pointee.type == draft.type else { return false }
    let bare = MAINSTEM_EVENT_MARKED | MAINSTEM_EVENT_WITHHELD | MAINSTEM_EVENT_SECRET
    guard event.pointee.flags & UInt32(bare) == 0 else { return true }
    return event.pointee.origin == draft.origin
      && Bytes(event.pointee.data, Int(event.pointee.size))
        == Bytes(draft.data ?? Draft.nothing, draft.size)
  }
}
