// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Scheduled completions: functions of a station above that run on a scheduler, in the order of its queue.
extension Stream {
  /// Queues a scheduled completion together with an event that has its own memory.
  ///
  /// - Parameter place: Memory for the entry. It takes over one reference to the event.
  package func addCompletion(
    in place: QueueEntry.Pointer, _ queued: QueuedEvent.Pointer, _ owner: UnsafeMutableRawPointer,
    _ function: @escaping ScheduledCompletion.Function, to scheduler: Scheduler.Pointer
  ) {
    place.initialize(to: QueueEntry(queued, ScheduledCompletion(owner, function)))
    scheduler.pointee.lock.acquire()
    let isFirst = scheduler.pointee.add(place)
    if isFirst { scheduler.pointee.wakeSleepers() }
    scheduler.pointee.lock.release()
    if isFirst { tellHost(of: scheduler) }
  }

  /// Runs a scheduled completion; false if the entry is not one.
  func runCompletion(_ node: QueueEntry.Pointer) -> Bool {
    guard let scheduled = node.pointee.scheduled, let queued = node.pointee.queued else {
      return false
    }
    scheduled.function(
      UnsafeMutableRawPointer(state), scheduled.owner,
      UnsafeMutableRawPointer(QueuedEvent.event(of: queued)))
    return true
  }

  /// Runs the completions that are left on schedulers that have stopped. For close.
  package func runCompletions() {
    eachScheduler { scheduler in
      while let node = locked(scheduler, { scheduler.pointee.takeBatch(1).first }) {
        _ = runCompletion(node)
        if isForked { return }
        if let queued = node.pointee.queued { QueuedEvent.release(queued) }
        Memory.free(node)
      }
    }
  }

  private func locked<Result>(_ scheduler: Scheduler.Pointer, _ body: () -> Result) -> Result {
    scheduler.pointee.lock.acquire()
    defer { scheduler.pointee.lock.release() }
    return body()
  }
}
