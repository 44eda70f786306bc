// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Mailboxes: the host fetches what waits for an observer without a function.
extension Stream {
  /// Moves what waits for a mailbox into a buffer, as much as fits.
  ///
  /// - Returns: How many, and how large an empty buffer must be for the next one; 0 if nothing is left.
  package static func drainRecords(
    _ handle: Handle, _ buffer: inout RecordBuffer
  ) throws(Refusal) -> (count: Int, next: Int) {
    let resolved = try ResolvedHandle.draining(handle, .subscription, "subscription")
    let stream = resolved.stream
    stream.endLeftovers(.inDrain)
    var taken = try stream.take(resolved, buffer)
    let isLast = stream.write(&taken, &buffer)
    stream.state.pointee.delivery.countScheduled(calls: UInt64(buffer.count))
    if isLast { try? Stream.cancel(handle) }
    if buffer.count > 0 {
      stream.locked { stream.state.pointee.loop.wake.fetchMail(isEmptied: taken.isEmptied) }
    }
    stream.endDrain()
    return (buffer.count, taken.next)
  }

  private struct Taken {
    var records: EntryList
    let scheduler: Scheduler.Pointer
    /// See `drainRecords`.
    let next: Int
    /// The mailbox had something, and is now empty.
    let isEmptied: Bool
  }

  /// Takes what a buffer has room for. If this succeeds, a drain has begun.
  @_optimize(speed)
  private func take(_ resolved: ResolvedHandle, _ buffer: RecordBuffer) throws(Refusal) -> Taken {
    state.pointee.lock.acquire()
    guard !isClosed, let subscription = resolved.liveSubscription else {
      state.pointee.lock.release()
      throw Refusal(.stale, "subscription", "has ended")
    }
    guard let queue = subscription.pointee.queue,
      queue.pointee.scheduler.pointee.kind.isMailbox
    else {
      state.pointee.lock.release()
      throw Refusal(.invalid, "subscription", "is not a mailbox: observe with fn NULL for one")
    }
    state.pointee.loop.wake.beginDrain()
    // Ending the subscription needs this lock, so the queue stays until we release it.
    let scheduler = queue.pointee.scheduler
    scheduler.pointee.lock.acquire()
    defer { scheduler.pointee.lock.release() }
    state.pointee.lock.release()
    var plan = buffer
    let records = scheduler.pointee.take(of: queue) { plan.reserve($0) }
    let next = queue.pointee.first.map { RecordBuffer.size(for: $0.pointee.payloadSize) } ?? 0
    return Taken(
      records: records, scheduler: scheduler, next: next,
      isEmptied: records.count > 0 && queue.pointee.first == nil)
  }

  /// Writes the records that were taken; true if the last event that the subscription asked for is among them.
  private func write(_ taken: inout Taken, _ buffer: inout RecordBuffer) -> Bool {
    var spent = EntryList()
    var isLast = false
    while let node = taken.records.takeFirst() {
      if let queued = node.pointee.queued {
        var event = queued.pointee.event
        if node.pointee.isWhole { event.flags |= UInt32(MAINSTEM_EVENT_WHOLE) }
        buffer.write(&event)
        if !QueuedEvent.isOnlyOwner(queued) {
          QueuedEvent.release(queued)
          node.pointee.queued = nil
        }
      } else {
        var gap = node.pointee.gap.forHost
        withUnsafePointer(to: &gap) { gap in
          var event = event(of: gap)
          buffer.write(&event)
        }
      }
      isLast = isLast || node.pointee.isLast
      spent.append(node)
    }
    taken.scheduler.pointee.lock.acquire()
    taken.scheduler.pointee.putBack(&spent)
    taken.scheduler.pointee.lock.release()
    return isLast
  }
}
