// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The schedulers of one stream by number: 1 is the host's, the others were added. Under the stream's lock. What
/// waits on a scheduler is under the scheduler's own lock: see `Scheduler`.
package struct Schedulers {
  private var all: UnsafeMutablePointer<Scheduler.Pointer?>?
  /// The scheduler of mailboxes, that is, of observers without a function.
  var mailboxes: Scheduler.Pointer?
  private(set) var count: UInt32 = 1
  /// The type of gaps; 0 until there is a scheduled observer.
  var gapType: UInt32 = 0

  package init() {}

  /// What a look finds out about the callbacks that run on schedulers.
  package enum Callbacks {
    /// None runs.
    case none
    /// Those that run now began after the last look.
    case began
    /// One may have begun before the last look.
    case go
  }

  static var most: UInt32 { 64 }
  /// Not a scheduler: called at once.
  package static var immediate: UInt32 { 0 }
  package static var host: UInt32 { 1 }

  subscript(number: UInt32) -> Scheduler.Pointer? {
    guard number > 0, number <= count, let all else { return nil }
    return all[Int(number) &- 1]
  }

  /// Keeps the host's scheduler, which is made on first use; `reserve` has made the room.
  mutating func keepHost(_ scheduler: Scheduler.Pointer) { all?[0] = scheduler }

  /// Adds a scheduler; `reserve` has made the room.
  mutating func add(_ scheduler: Scheduler.Pointer) -> UInt32 {
    all?[Int(count)] = scheduler
    count &+= 1
    return count
  }

  mutating func reserve() -> Bool {
    guard all == nil else { return true }
    let most = Int(Schedulers.most)
    guard let all = Memory.allocate(Scheduler.Pointer?.self, count: most) else { return false }
    all.initialize(repeating: nil, count: most)
    self.all = all
    return true
  }

  /// Visits all schedulers, including that of the mailboxes.
  func each(_ visit: (Scheduler.Pointer) -> Void) {
    var number: UInt32 = 1
    while number <= count {
      if let scheduler = self[number] { visit(scheduler) }
      number &+= 1
    }
    if let mailboxes { visit(mailboxes) }
  }

  /// Frees everything. Nobody delivers on any of them.
  package mutating func free() {
    each { Scheduler.free($0) }
    Memory.free(all)
    self = Schedulers()
  }
}

/// Serial schedulers: each has its own thread, started on request and joined at close.
extension ResolvedHandle {
  /// Adds a serial scheduler and returns its number.
  package func addSerial(_ name: Bytes, spin: UInt32) throws(Refusal) -> UInt32 {
    guard let copy = Name(copying: name) else { throw .noMemory }
    guard let scheduler = Scheduler.make(.serial(spin: spin), stream, copy) else {
      copy.free()
      throw .noMemory
    }
    do throws(Refusal) {
      return try locked { () throws(Refusal) in
        // With a virtual clock no thread is started: the host runs the scheduler.
        try stream.start(scheduler, thread: !stream.isVirtual)
        return stream.state.pointee.schedulers.add(scheduler)
      }
    } catch {
      Scheduler.free(scheduler)
      throw error
    }
  }
}

extension Stream {
  /// Starts a scheduler's thread. Under the lock, so that a close finds all threads that were started.
  fileprivate func start(_ scheduler: Scheduler.Pointer, thread: Bool) throws(Refusal) {
    guard state.pointee.schedulers.count < Schedulers.most else {
      throw Refusal(.limit, "", "a context has at most 64 schedulers: let observers share them")
    }
    guard state.pointee.schedulers.reserve() else { throw .noMemory }
    guard thread else { return }
    let isStarted = mainstem_p_worker_start(
      &scheduler.pointee.thread, UnsafePointer(scheduler.pointee.name?.text),
      { scheduler in
        guard let scheduler = scheduler?.assumingMemoryBound(to: Scheduler.self) else { return }
        let stream = scheduler.pointee.stream
        guard stream.isGuarded else { return stream.runThread(scheduler) }
        Frame.enterThread(of: stream) { stream.runThread(scheduler) }
      }, UnsafeMutableRawPointer(scheduler))
    guard isStarted != 0 else { throw Refusal(.limit, "", "could not start a thread") }
  }

  /// The thread's loop: deliver, look for more for a while, sleep.
  private func runThread(_ scheduler: Scheduler.Pointer) {
    while true {
      _ = deliverFromQueue(of: scheduler, Int.max)
      if isForked { return }
      lookForMore(scheduler)
      scheduler.pointee.lock.acquire()
      while scheduler.pointee.hasNothingToDo { Scheduler.sleep(scheduler) }
      let stops = scheduler.pointee.isStopping
      scheduler.pointee.lock.release()
      if stops { return }
    }
  }

  /// Looks for work without sleeping, as long as the scheduler allows.
  private func lookForMore(_ scheduler: Scheduler.Pointer) {
    guard case .serial(let spin) = scheduler.pointee.kind, spin > 0 else { return }
    let end = mainstem_p_monotonic() &+ Int64(spin) &* 1000
    repeat {
      var looks = 0
      while looks < 64 {
        if scheduler.pointee.waiting.load(ordering: .relaxed) != 0 { return }
        mainstem_p_pause()
        looks &+= 1
      }
    } while !scheduler.pointee.isEnding.load(ordering: .relaxed) && mainstem_p_monotonic() < end
  }

  /// Stops all schedulers: running calls finish, nothing else is delivered, threads are joined. No lock held.
  package func stopSchedulers() {
    if let mailboxes = locked({ state.pointee.schedulers.mailboxes }) { stop(mailboxes) }
    eachScheduler { scheduler in
      if isForked { return }
      stop(scheduler)
      mainstem_p_worker_join(&scheduler.pointee.thread)
    }
  }

  private func stop(_ scheduler: Scheduler.Pointer) {
    scheduler.pointee.lock.acquire()
    Scheduler.stop(scheduler)
    scheduler.pointee.lock.release()
  }

  /// Visits all schedulers, the host's first, except that of the mailboxes.
  package func eachScheduler(_ visit: (Scheduler.Pointer) -> Void) {
    var number: UInt32 = 0
    while number < locked({ state.pointee.schedulers.count }) {
      number &+= 1
      if let scheduler = locked({ state.pointee.schedulers[number] }) { visit(scheduler) }
    }
  }

  /// Whether the host's loop is told what waits on a scheduler.
  package func isHostRun(_ scheduler: Scheduler.Pointer) -> Bool {
    isVirtual || scheduler.pointee.kind.isOfHost
  }
}
