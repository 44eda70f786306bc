// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// The one place that knows whether something waits for the host, and whether the host has been told. Under the
/// stream's lock.
///
/// The host is told only on the step from nothing to something, and not while a drain runs. Telling it is a system call
/// or a callback, so it happens outside the lock: if a function here returns true, the caller releases the lock and
/// then calls `Stream.signal`, once.
package struct Wake {
  /// What waits for the host: posts, and whatever else called `arrive`.
  private var waiting = 0
  /// How many mailboxes have something; and whether one got its first, or was fetched, since the host last began to
  /// drain.
  private var mail = 0
  private var mailIsNew = false
  /// How many drains are running.
  private(set) var drains = 0
  /// How many threads are inside a wait.
  private(set) var waits = 0
  /// How many signals are on their way: from the moment a function here returns true to the end of `Stream.signal`.
  /// While there is one, the descriptor stays open and the hook is not replaced.
  private(set) var signals = 0
  /// The host has been told, and has not begun to drain since.
  private var isTold = false
  /// Whether the host has ever drained or waited, or has asked for something that tells it when to.
  private(set) var isServed = false
  /// When the next deadline is due; the end of time if there is none.
  private var nextDue = Int64.max
  /// What the timer descriptor is set to.
  private var timerDue = Int64.max
  private var descriptors = mainstem_p_descriptors(event: -1, timer: -1, loop: -1)
  private var hook = Hook()
  /// A signal on its way will call the hook; or one has called it, and no drain has begun since.
  private var hookIsDue = false
  private var hookIsTold = false
  /// The signals that threads are executing.
  private var firstCall: Call.Pointer?
  /// Signal handlers tell the host through the same descriptor, without asking here.
  private var interrupts: InterruptRing.Pointer?

  package init() {}

  /// The function that the host wants called.
  package struct Hook {
    package var function: mainstem_wake_fn?
    package var userData: UnsafeMutableRawPointer?
    package var release: mainstem_release_fn?

    package init() {}

    /// Gives the user data back. No lock held.
    package func end() { release?(userData) }
  }

  /// A signal being executed, on the stack of its thread.
  struct Call {
    let thread: UInt
    fileprivate var next: Pointer?

    typealias Pointer = UnsafeMutablePointer<Call>

    init(thread: UInt) { self.thread = thread }
  }
}

/// What waits.
extension Wake {
  /// Something has come that waits for the host. True: signal after unlocking.
  ///
  /// - Parameter inMailbox: A mailbox was empty, and has got something. A host that drains without fetching it is not told
  ///   again: what a drain leaves must not keep a loop busy.
  package mutating func arrive(inMailbox: Bool = false) -> Bool {
    if inMailbox {
      mail &+= 1
      mailIsNew = true
    } else {
      waiting &+= 1
    }
    return tell()
  }

  /// Something no longer waits: the host took it, or it was dropped.
  package mutating func take() {
    waiting &-= 1
    if !isDue { untell() }
  }

  /// A mailbox was fetched, or has ended; what is left in any mailbox is reported at the end of the drain. Mailboxes
  /// are counted, because one that was emptied may have got something again by the time this is called.
  package mutating func fetchMail(isEmptied: Bool) {
    if isEmptied { mail &-= 1 }
    mailIsNew = mail > 0
    if !isDue { untell() }
  }

  /// Whether something waits for the host.
  var isDue: Bool { waiting > 0 || mailIsNew }

  /// The first deadline has changed. True: signal after unlocking.
  mutating func expect(_ due: Int64) -> Bool {
    let isEarlier = due < nextDue
    nextDue = due
    guard drains == 0 else { return false }
    setTimer(due)
    return isEarlier && plan(event: false)
  }

  /// A drain begins: what comes meanwhile is reported when it ends.
  package mutating func beginDrain() {
    isServed = true
    drains &+= 1
    mailIsNew = false
    hookIsDue = false
    hookIsTold = false
    untell()
    clearInterrupts()
    setTimer(.max)
  }

  /// A drain was refused: as if one had begun, but the host has not looked into its mailboxes.
  mutating func beginSilence() {
    let wasNew = mailIsNew
    beginDrain()
    mailIsNew = wasNew
  }

  /// A drain ends. True: signal after unlocking.
  mutating func endDrain() -> Bool {
    drains &-= 1
    guard drains == 0 else { return false }
    setTimer(nextDue)
    interrupts?.pointee.rearm()
    return tell()
  }

  mutating func beginWait() {
    isServed = true
    waits &+= 1
  }

  mutating func endWait() { waits &-= 1 }

  private mutating func tell() -> Bool {
    guard isDue, drains == 0, !isTold else { return false }
    isTold = true
    return plan(event: descriptors.event >= 0)
  }

  private mutating func untell() {
    guard isTold else { return }
    isTold = false
    if descriptors.event >= 0 { clearEvent() }
  }

  private func clearEvent() {
    mainstem_p_wake_clear(descriptors.event)
    guard let interrupts else { return }
    if drains > 0 { interrupts.pointee.quiet() } else { interrupts.pointee.rearm() }
  }

  /// Plans a signal of the descriptor, and of the hook unless it was called since the last drain.
  private mutating func plan(event: Bool) -> Bool {
    let callsHook = hook.function != nil && !hookIsTold
    if callsHook {
      hookIsDue = true
      hookIsTold = true
    }
    guard event || callsHook else { return false }
    signals &+= 1
    return true
  }

  private mutating func setTimer(_ due: Int64) {
    guard descriptors.timer >= 0, due != timerDue else { return }
    timerDue = due
    mainstem_p_wake_set_timer(descriptors.timer, due)
  }
}

/// What signal handlers hand over.
extension Wake {
  var hasInterrupts: Bool { interrupts != nil }

  mutating func watch(_ ring: InterruptRing.Pointer) {
    interrupts = ring
    if drains > 0 { ring.pointee.quiet() }
  }

  /// Clears what a handler reported if nothing else was reported: it may have been taken in by now.
  func clearInterrupts() {
    if interrupts != nil, !isTold { clearEvent() }
  }
}

/// How the host is told.
extension Wake {
  /// The descriptor that a wait polls; nil if none is left.
  mutating func openEvent() -> Int32? {
    let isNew = descriptors.event < 0
    guard mainstem_p_wake_open(&descriptors) != 0 else { return nil }
    if isNew, isTold { mainstem_p_wake_signal(descriptors.event) }
    return descriptors.event
  }

  /// The host has asked how long its loop may sleep.
  mutating func noteServed() { isServed = true }

  /// The descriptor for the host's loop, made by the first call; nil if none is left.
  mutating func openLoop() -> Int32? {
    isServed = true
    let isFirst = descriptors.event < 0
    guard openEvent() != nil else { return nil }
    if mainstem_p_wake_open_loop(&descriptors) == 0 {
      if isFirst { mainstem_p_wake_close(&descriptors) }
      return nil
    }
    if drains == 0 { setTimer(nextDue) }
    return descriptors.loop
  }

  /// Sets the hook, while no signal is on its way.
  ///
  /// - Returns: The previous hook, and whether something waits already: then signal after unlocking.
  mutating func replace(_ new: Hook) -> (old: Hook, isDue: Bool) {
    let old = hook
    hook = new
    isServed = true
    hookIsDue = false
    hookIsTold = false
    return (old, isTold && plan(event: false))
  }

  /// Wakes a wait, because the context is closing.
  mutating func rouse() {
    if waits > 0 { mainstem_p_wake_signal(descriptors.event) }
  }

  /// Undoes `rouse`, if no thread waits any longer and nothing else was reported.
  func calm() {
    if waits == 0, !isTold, descriptors.event >= 0 { clearEvent() }
  }

  /// Whether a thread is inside a call of the hook.
  func isCalling(on thread: UInt) -> Bool {
    var call = firstCall
    while let current = call {
      if current.pointee.thread == thread { return true }
      call = current.pointee.next
    }
    return false
  }

  /// Closes the descriptors and resets. Everything that waited has been taken, and no signal is on its way.
  mutating func close() -> Hook {
    let last = hook
    mainstem_p_wake_close(&descriptors)
    self = Wake()
    return last
  }

  /// In the child of a fork: the descriptors belong to the parent, and so does everything to be reported.
  package mutating func forget() {
    descriptors = mainstem_p_descriptors(event: -1, timer: -1, loop: -1)
    hook = Hook()
    interrupts = nil
  }

  mutating func begin(_ call: Call.Pointer) -> (event: Int32, hook: Hook) {
    call.pointee.next = firstCall
    firstCall = call
    let callsHook = hookIsDue
    hookIsDue = false
    // A drain may have begun since: then there is nothing left to tell.
    return (isTold ? descriptors.event : -1, callsHook ? hook : Hook())
  }

  mutating func end(_ call: Call.Pointer) {
    if firstCall == call {
      firstCall = call.pointee.next
    } else {
      var other = firstCall
      while let current = other, current.pointee.next != call { other = current.pointee.next }
      other?.pointee.next = call.pointee.next
    }
    signals &-= 1
    // A drain may have begun while this thread signaled.
    if !isTold, descriptors.event >= 0 { clearEvent() }
  }
}

/// Waking: the host is told that something waits for it.
extension Stream {
  /// Tells the host that something waits. No lock held; exactly once for each true from `Wake`.
  package func signal() {
    var call = Wake.Call(thread: Frame.thread)
    withUnsafeMutablePointer(to: &call) { call in
      let (event, hook) = locked { state.pointee.loop.wake.begin(call) }
      hook.function?(hook.userData)
      if event >= 0 { mainstem_p_wake_signal(event) }
      locked {
        state.pointee.loop.wake.end(call)
        state.pointee.lock.wakeAll()
      }
    }
  }

  /// Whether this thread is inside a call of the wake hook.
  package var isInWake: Bool { locked { state.pointee.loop.wake.isCalling(on: Frame.thread) } }

  /// Waits, under the lock, until no other thread drains, waits or signals. From then on the host is told nothing: closing
  /// is the last drain.
  package func beginLastDrain() {
    while state.pointee.loop.wake.drains > 0 || state.pointee.loop.wake.waits > 0
      || state.pointee.loop.wake.signals > 0
    {
      state.pointee.loop.wake.rouse()
      state.pointee.lock.wait()
    }
    state.pointee.loop.wake.beginDrain()
  }

  /// Wakes waiting threads, because nothing more is delivered.
  package func rouseWaiters() {
    locked {
      state.pointee.loop.wake.rouse()
      state.pointee.lock.wakeAll()
    }
  }

  /// Sets the hook to call when something waits; waits for calls of the previous hook.
  package static func onWake(_ handle: Handle, _ hook: Wake.Hook) throws(Refusal) {
    let resolved = try ResolvedHandle.blocking(handle)
    let stream = resolved.stream
    let (old, isDue) = try resolved.locked { () throws(Refusal) in
      while stream.state.pointee.loop.wake.signals > 0 {
        stream.state.pointee.lock.wait()
        guard resolved.isLive, !stream.isClosed else { throw .ended }
      }
      return stream.state.pointee.loop.wake.replace(hook)
    }
    old.end()
    if isDue { stream.signal() }
  }
}
