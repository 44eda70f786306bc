// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

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
