// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Draining and waiting: the host lets what waits for it happen.
extension Stream {
  /// Waits until there is something to drain, and drains it; a descriptor of the host's may interrupt the wait.
  package static func wait(
    _ handle: Handle, _ timeoutMs: Int64, interrupt: Int32 = -1
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.blocking(handle)
    let stream = resolved.stream
    try stream.demandRecording()
    stream.endLeftovers(.inDrain)
    let descriptor = try resolved.beginWait()
    let timeout = timeoutMs < 0 ? -1 : timeoutMs.nanosecondsOfMs
    let outcome = stream.poll(descriptor, interrupt, timeout)
    stream.locked {
      stream.state.pointee.loop.wake.endWait()
      if stream.hasStopped { stream.state.pointee.loop.wake.calm() }
      stream.state.pointee.lock.wakeAll()
    }
    switch outcome {
    case MAINSTEM_P_TIMED_OUT:
      throw Refusal(.timeout, "timeout_ms", "has passed, and nothing arrived")
    case MAINSTEM_P_INTERRUPTED where interrupt < 0:
      throw Refusal(.interrupted, "", "a signal arrived")
    case MAINSTEM_P_INTERRUPTED:
      throw Refusal(.interrupted, "interrupt_fd", "is readable, or a signal arrived")
    case MAINSTEM_P_NOT_OPEN: throw Refusal(.invalid, "interrupt_fd", "is not open")
    default: _ = try resolved.drain(0)
    }
  }

  /// Whether nothing more is delivered, because it cannot be recorded.
  private var hasStopped: Bool { (try? demandRecording()) == nil }

  /// Polls until something waits, the context closes, or the wait ends for another reason.
  private func poll(_ descriptor: Int32, _ interrupt: Int32, _ timeout: Int64) -> Int {
    let begin = timeout > 0 ? mainstem_p_monotonic() : 0
    var left = timeout
    while true {
      // Checked again each time: another thread may have drained what woke us.
      let due = locked {
        if state.pointee.loop.wake.drains == 0 { state.pointee.loop.wake.clearInterrupts() }
        return isClosed || hasStopped ? 0 : untilDue()
      }
      guard due != 0 else { return MAINSTEM_P_READABLE }
      let isShorter = due > 0 && (left < 0 || due < left)
      let outcome = Int(mainstem_p_wake_wait(descriptor, interrupt, isShorter ? due : left))
      guard outcome == MAINSTEM_P_READABLE || outcome == MAINSTEM_P_TIMED_OUT && isShorter else {
        return outcome
      }
      if timeout > 0 { left = max(0, timeout &- (mainstem_p_monotonic() &- begin)) }
    }
  }

  /// Nanoseconds until there is something to drain; 0: now; below 0: nothing comes by itself. Under the lock.
  func untilDue() -> Int64 {
    guard !state.pointee.loop.wake.isDue else { return 0 }
    if state.pointee.loop.openInterrupts?.pointee.isEmpty == false { return 0 }
    let due = firstDue
    guard due != .max else { return -1 }
    let left = max(0, due &- clock)
    return isVirtual && left > 0 ? -1 : left
  }

  /// One pass over everything that waits for the host, in the order of `DrainKind`.
  fileprivate func drainAll() -> Int {
    let fired = drain(.timers, .max)
    return fired &+ drainOthers()
  }

  /// One pass over what waits for the host, except deadlines.
  func drainOthers() -> Int {
    let taken = drain(.posts, .max)
    if isForked { return taken }
    let delivered = drain(.held, .max)
    let called = drain(.handedOver, .max)
    return taken &+ delivered &+ called &+ drain(.tasks, .max)
  }

  /// Drains `limit` items at most, and goes on with the kind after the one in which the last such drain stopped: else a
  /// kind that keeps coming would keep all others waiting.
  fileprivate func drainSome(_ limit: Int) -> Int {
    let first = locked { state.pointee.loop.nextKind }
    var kind = first
    var taken = 0
    repeat {
      taken &+= drain(kind, limit &- taken)
      kind = kind.next
    } while taken < limit && kind != first && !isForked
    if isForked { return taken }
    locked { state.pointee.loop.nextKind = taken < limit ? .timers : kind }
    return taken
  }

  /// Drains one kind: of it, what waited when this began.
  private func drain(_ kind: DrainKind, _ limit: Int) -> Int {
    switch kind {
    case .timers: fireDue(limit)
    case .posts: takeInPosts(limit)
    case .held: isDeferred ? deliverDeferred(limit) : 0
    case .handedOver: deliverScheduled(limit)
    case .tasks: runTasks(limit)
    }
  }

  private func takeInPosts(_ limit: Int) -> Int {
    let waiting = locked {
      _ = absorbInterrupts()
      return state.pointee.loop.inbox.count
    }
    let count = min(limit, waiting)
    var taken = 0
    while taken < count, takeIn() { taken &+= 1 }
    return taken
  }

  /// Keeps the deliverer from telling the host anything, unless a drain does so already. Under the lock.
  fileprivate func beginSilence() {
    guard state.pointee.loop.wake.drains == 0 else { return }
    state.pointee.loop.wake.beginSilence()
    ask(for: Attention.silence)
    callDeliverer()
  }

  /// The callback that ran the host's loop has ended. For the deliverer.
  package func endSilence() {
    endAsking(for: Attention.silence)
    endDrain()
  }

  /// Ends a drain: the host is told what is left.
  package func endDrain() {
    if isForked { return }
    let tells = locked {
      if isClosed { state.pointee.lock.wakeAll() }
      _ = expectDeadline()
      return state.pointee.loop.wake.endDrain()
    }
    if tells { signal() }
  }
}

extension ResolvedHandle {
  /// Drains what waits for the host, each as a turn of its own: at most `limit`, or, for 0, everything that waits now.
  package func drain(_ limit: Int) throws(Refusal) -> Int {
    try beginDrain()
    let taken = limit > 0 ? stream.drainSome(limit) : stream.drainAll()
    stream.endDrain()
    try stream.demandRecording()
    return taken
  }

  /// Like `blocking`, for a drain. If it is refused, the host runs its loop inside a callback and would try again and
  /// again. So until that callback ends the host is told nothing, as in a drain. In a scheduled callback or hook, a
  /// refused drain only counts as a drain.
  package static func draining(
    _ handle: Handle, _ kind: Kind = .context, _ argument: Phrase = "context"
  ) throws(Refusal) -> ResolvedHandle {
    let resolved = try ResolvedHandle(handle, kind, argument)
    let stream = resolved.stream
    if Frame.of(stream) != nil, stream.isMine {
      // Even while the context closes: BUSY takes precedence over STALE.
      let isHeld = Frame.holding(stream) != nil
      stream.locked {
        if isHeld { stream.beginSilence() } else { stream.state.pointee.loop.wake.noteServed() }
      }
    }
    return try blocking(handle, kind, argument)
  }

  /// From here to `endDrain` the context does not close.
  ///
  /// - Parameter shows: Whether servers that have shown nothing yet do so first.
  package func beginDrain(showing shows: Bool = true) throws(Refusal) {
    stream.endLeftovers(shows ? .inDrain : .never)
    try locked { () throws(Refusal) in stream.state.pointee.loop.wake.beginDrain() }
  }

  /// Returns when everything that was accepted or posted before has reached its observers.
  package func flush() throws(Refusal) {
    _ = try drain(0)
    // The scope that flushes may have ended in a callback; the flush counts all the same.
    stream.locked { stream.waitForDeliveries() }
    try stream.acknowledge(waits: true)
  }

  /// Begins a wait; the context does not close before `endWait`. In a context of one thread nobody else arms timers, so
  /// the loop descriptor is not needed.
  ///
  /// - Returns: The descriptor to wait on.
  fileprivate func beginWait() throws(Refusal) -> Int32 {
    try locked { () throws(Refusal) in
      let state = stream.state
      let opened =
        stream.isOwned ? state.pointee.loop.wake.openEvent() : state.pointee.loop.wake.openLoop()
      guard let opened else { throw .noDescriptor }
      state.pointee.loop.wake.beginWait()
      return opened
    }
  }
}

extension ResolvedHandle {
  /// How many milliseconds a loop may sleep: 0 if something waits now, -1 if nothing comes by itself. -1 inside a
  /// callback, where nothing can be drained, also while the context closes.
  package func nextTimeout() throws(Refusal) -> Int64 {
    guard Frame.of(stream) == nil else { return -1 }
    return try locked { () throws(Refusal) in
      stream.state.pointee.loop.wake.noteServed()
      let due = stream.untilDue()
      return due > 0 ? (due &- 1) / 1_000_000 &+ 1 : due
    }
  }

  /// The descriptor for the host's loop, readable while something waits.
  package func descriptor() throws(Refusal) -> Int32 {
    try locked { () throws(Refusal) in
      guard let loop = stream.state.pointee.loop.wake.openLoop() else { throw .noDescriptor }
      return loop
    }
  }
}

extension Refusal {
  fileprivate static var noDescriptor: Refusal {
    Refusal(.limit, "", "out of file descriptors")
  }
}

/// Something that a drain of the host's calls once, when what waited before it has had its turn.
package struct DrainTask {
  /// Keeps the owner's memory until `run` has returned. Under the lock.
  fileprivate let hold: Function
  /// No lock held.
  fileprivate let run: Function
  fileprivate let owner: UnsafeMutableRawPointer
  fileprivate(set) var isWaiting = false
  /// The origin that it watches; 0: none. Whether the scope of the last one has ended, and whether it then waits.
  var watched: UInt32 = 0
  package var hasEnded = false
  package var wantsEnd = false
  private var inStream = Links<DrainTask>()
  private var ofOrigin = Links<DrainTask>()

  package typealias Function = @convention(c) (UnsafeMutableRawPointer) -> Void
  package typealias Pointer = UnsafeMutablePointer<DrainTask>

  /// The tasks of a stream, in the order in which they came.
  package enum InStream: ListName { package static var number: Int { 0 } }
  /// Those that watch an origin.
  enum OfOrigin: ListName { static var number: Int { 1 } }

  package init(of owner: UnsafeMutableRawPointer, hold: Function, run: Function) {
    self.owner = owner
    self.hold = hold
    self.run = run
  }
}

extension DrainTask: Listed {
  package static func links(of node: Pointer, in list: Int) -> Links<DrainTask> {
    list == InStream.number ? node.pointee.inStream : node.pointee.ofOrigin
  }

  package static func set(_ links: Links<DrainTask>, of node: Pointer, in list: Int) {
    if list == InStream.number {
      node.pointee.inStream = links
    } else {
      node.pointee.ofOrigin = links
    }
  }
}

/// What drains call.
struct DrainTasks {
  private var list = List<DrainTask, DrainTask.InStream>()
  private(set) var count = 0

  mutating func append(_ task: DrainTask.Pointer) {
    task.pointee.isWaiting = true
    list.append(task)
    count &+= 1
  }

  mutating func remove(_ task: DrainTask.Pointer) {
    task.pointee.isWaiting = false
    list.remove(task)
    count &-= 1
  }

  /// Drops all: nobody drains any more.
  mutating func drop() { while takeFirst() != nil {} }

  mutating func takeFirst() -> DrainTask.Pointer? {
    guard let first = list.first else { return nil }
    remove(first)
    return first
  }
}

extension Stream {
  /// Calls tasks, at most `limit`, and no more than wait now.
  func runTasks(_ limit: Int) -> Int {
    let count = min(limit, locked { state.pointee.loop.tasks.count })
    var run = 0
    while run < count, !isForked, runFirstTask() { run &+= 1 }
    return run
  }

  private func runFirstTask() -> Bool {
    let called = locked { () -> (DrainTask.Function, UnsafeMutableRawPointer)? in
      guard let task = state.pointee.loop.tasks.takeFirst() else { return nil }
      state.pointee.loop.wake.take()
      task.pointee.hold(task.pointee.owner)
      return (task.pointee.run, task.pointee.owner)
    }
    guard let (run, owner) = called else { return false }
    run(owner)
    return true
  }
}

extension Loop {
  /// Lets a task wait for the next drain, unless it waits already. Under the lock.
  ///
  /// - Returns: Whether `signal` must be called after unlocking.
  package mutating func leave(_ task: DrainTask.Pointer) -> Bool {
    guard !task.pointee.isWaiting else { return false }
    tasks.append(task)
    return wake.arrive()
  }

  /// Drops a task, if it waits. Under the lock.
  package mutating func drop(_ task: DrainTask.Pointer) {
    guard task.pointee.isWaiting else { return }
    tasks.remove(task)
    wake.take()
  }
}
