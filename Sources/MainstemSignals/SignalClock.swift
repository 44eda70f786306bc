// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The clock, and the one thread, of the runs that are started on it.
///
/// It takes one step at a time: an event that is sent while another one is being handled waits for
/// its turn, and a run started meanwhile begins after it. So no closure of a signal is called
/// while another one runs, and nothing recurses, however long the chain and however many values.
///
/// At one time upstream comes before downstream, and left before right. Late deadlines are handled
/// in the order of their times, each as if it were on time.
///
/// This class stands still at zero. A clock that moves overrides two members, and calls
/// ``fire()`` at the time it was asked for:
///
///     final class LoopClock: SignalClock {
///       override var now: Duration { loop.now }
///       override func setAlarm(at time: Duration?) { loop.setAlarm(at: time) { self.fire() } }
///     }
open class SignalClock {
  @exclusivity(unchecked) @usableFromInline final var stack: [Work] = []
  /// What comes from outside, and from callbacks.
  @exclusivity(unchecked) @usableFromInline final var inbox = Ring<Work>()
  @exclusivity(unchecked) @usableFromInline final var isRunning = false
  /// What turns without a time do when they are over.
  @exclusivity(unchecked) private final var outbox: [() -> Void] = []
  /// The time of the present step, in nanoseconds, once somebody has asked for it; adrift, that of the last one.
  @exclusivity(unchecked) private final var present: Int64 = 0
  @exclusivity(unchecked) private final var isTimeKnown = false
  /// Whether the present step has no time.
  @exclusivity(unchecked) private final var hasNoTime = false
  /// Has the host call, for what is adrift; whether it has been told.
  private final var waker: (@Sendable () -> Void)?
  @exclusivity(unchecked) private final var isTold = false
  @exclusivity(unchecked) final var deadlines = Deadlines()
  final var ports: [PortReader] = []
  @exclusivity(unchecked) private final var alarm: Int64?
  @exclusivity(unchecked) private final var isAlarmed = false
  /// The host has called, and has not been answered.
  @exclusivity(unchecked) private final var isCalled = false
  private final var roots = 0
  private final var hubs = 0

  /// Makes a clock that stands still.
  public init() {}

  /// The time, since any beginning. It never goes back.
  open var now: Duration { .zero }

  /// Whether the time is not to be counted from, now. Delays that begin then count from the first
  /// ``fire()`` at which it is, which is asked for with ``makeWaker()``; nothing is due meanwhile.
  /// By default that is never so.
  open var isAdrift: Bool { false }

  /// Asks for a call of ``fire()`` on this thread.
  ///
  /// - Parameter time: When; the time asked for before is void. `nil`: not at all.
  open func setAlarm(at time: Duration?) {}

  /// Makes a function that has ``fire()`` called on this thread, soon. It is called from any
  /// thread when a ``SignalPort`` has got something.
  ///
  /// - Returns: The function. By default it does nothing: what came is handled when the owner
  ///   calls ``fire()``.
  open func makeWaker() -> @Sendable () -> Void { {} }

  /// Handles everything that is due, and what has come through ports. Inside a callback: when that
  /// has returned.
  public final func fire() {
    isCalled = true
    if !isRunning { answer() }
  }
}

extension SignalClock {
  /// The time of the present step, in nanoseconds. The clock is read once a turn, if at all.
  @usableFromInline final var time: Int64 {
    if !isTimeKnown {
      hasNoTime = isAdrift
      if !hasNoTime { present = max(present, now.ns) }
      isTimeKnown = true
    }
    return hasNoTime ? .adrift : present
  }

  @usableFromInline func makeRoot() -> Life {
    roots += 1
    return Life(root: roots, on: self)
  }

  /// What is shared is upstream of who shares it.
  func makeHub() -> Life {
    hubs += 1
    return Life(root: -hubs, on: self)
  }

  /// Whether a run that is started now begins at once, and nothing comes before it.
  @usableFromInline final var isIdle: Bool { !isRunning && deadlines.first == nil }

  @inlinable func push(_ work: Work) { stack.append(work) }

  /// Does something from outside, now.
  @usableFromInline func enter(_ body: () -> Void) {
    turn(body)
    if isCalled { answer() }
  }

  private func answer() {
    while isCalled {
      isCalled = false
      // The alarm may have come early, and is gone.
      isAlarmed = false
      turn {
        if deadlines.isAnyAdrift { settle() }
        for port in ports { port.read() }
        ports.removeAll { $0.life.isEnded }
      }
    }
  }

  /// Does what callbacks of this clock may hear of before it returns.
  ///
  /// Where there is no time, that waits for the end of the turn. Who hears of it then does so at once, in a turn that
  /// has a time, and not behind this one.
  package final func leave(_ body: @escaping () -> Void) {
    if isRunning, time < 0 { outbox.append(body) } else { body() }
  }

  private func turn(_ body: () -> Void) {
    let mark = outbox.count
    isRunning = true
    isTimeKnown = false
    if deadlines.first != nil { expireLate() }
    step(body)
    drain(above: 0)
    if deadlines.first != nil { expire(before: time.later(by: 1)) }
    isRunning = false
    if deadlines.first != nil || alarm != nil { updateAlarm() }
    if deadlines.isAnyAdrift, !isTold { tell() }
    if outbox.count > mark { leave(from: mark) }
  }

  /// What one of them brings about has turns of its own.
  private func leave(from mark: Int) {
    var index = mark
    while index < outbox.count {
      let body = outbox[index]
      index += 1
      body()
    }
    outbox.removeLast(index - mark)
  }

  /// Handles what fell due before this turn. Without a time, that waits for the alarm.
  private func expireLate() {
    hasNoTime = isAdrift
    if !hasNoTime {
      let now = max(present, now.ns)
      expire(before: now)
      present = now
    }
    isTimeKnown = true
  }

  /// What is adrift counts from now on.
  private func settle() {
    let time = time
    guard time >= 0 else { return }
    isTold = false
    while let deadline = deadlines.popAdrift() { deadline.settle(at: time) }
  }

  private func tell() {
    isTold = true
    let waker = waker ?? makeWaker()
    self.waker = waker
    waker()
  }

  /// Does something from outside: now, or when it is its turn.
  @usableFromInline func post(_ work: Work) {
    if isRunning {
      inbox.append(work)
    } else {
      enter { push(work) }
    }
  }

  private func expire(before end: Int64) {
    while let deadline = deadlines.first, deadline.looked < end {
      (present, isTimeKnown) = (max(present, deadline.looked), true)
      deadlines.remove(deadline)
      step { deadline.expire() }
      drain(above: 0)
    }
  }

  /// What a step pushes comes in the order it was pushed, so the first goes to the top.
  @inlinable func step(_ body: () -> Void) {
    let base = stack.count
    body()
    if stack.count > base + 1 { stack[base...].reverse() }
  }

  @usableFromInline func drain(above mark: Int) {
    while true {
      // What came meanwhile waits until all that an event brought about has been done.
      if stack.count == mark || stack[stack.count - 1].isSource, let work = inbox.popFirst() {
        stack.append(work)
      }
      guard stack.count > mark else { return }
      let work = stack.removeLast()
      guard !work.life.isEnded else { continue }
      let base = stack.count
      let isUnfinished = work.step()
      if stack.count > base + 1 { stack[base...].reverse() }
      if isUnfinished { stack.insert(work, at: base) }
    }
  }

  /// Whether a source may send its next event at once.
  @inlinable func isFree(above base: Int) -> Bool { stack.count == base && inbox.isEmpty }

  private func updateAlarm() {
    let wanted = deadlines.first?.looked
    guard wanted != alarm || wanted != nil && !isAlarmed else { return }
    (alarm, isAlarmed) = (wanted, true)
    setAlarm(at: wanted.map { Duration(ns: $0) })
  }
}
