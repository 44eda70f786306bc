// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The queue of a scheduled subscription: what makes it, and asking for more.
extension Stream {
  /// Asks for `count` more events for a subscription on demand. Never waits.
  package static func ask(_ handle: Handle, for count: UInt64) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .subscription, "subscription")
    let stream = resolved.stream
    let tells = try stream.locked { () throws(Refusal) -> Bool in
      guard let subscription = resolved.liveSubscription else {
        throw Refusal(.stale, "subscription", "has ended")
      }
      guard let queue = subscription.pointee.queue, queue.pointee.bounds.isOnDemand else {
        throw Refusal(
          .invalid, "subscription",
          "gets its events unasked: observe with MAINSTEM_OBSERVE_ON_DEMAND")
      }
      return stream.ask(for: count, queue)
    }
    if tells { stream.signal() }
  }

  /// Like the static `ask`; true if the host must be told. Under the lock.
  private func ask(for count: UInt64, _ queue: SubscriptionQueue.Pointer) -> Bool {
    let scheduler = queue.pointee.scheduler
    scheduler.pointee.lock.acquire()
    let isFirst = scheduler.pointee.ask(for: count, queue)
    if isFirst { scheduler.pointee.wakeSleepers() }
    scheduler.pointee.lock.release()
    return isFirst && isHostRun(scheduler) && state.pointee.loop.wake.arrive()
  }

  /// Whether anything waits for a scheduled subscription. Under the lock.
  package func waits(for handle: Handle) -> Bool {
    guard let resolved = try? ResolvedHandle(handle, .inner, "subscription"),
      let queue = resolved.liveSubscription?.pointee.queue
    else { return false }
    queue.pointee.scheduler.pointee.lock.acquire()
    defer { queue.pointee.scheduler.pointee.lock.release() }
    return queue.pointee.first != nil
  }

  /// Makes what a scheduled subscription needs besides its rows. Under the lock.
  package func makeQueue(
    _ number: UInt32, isMailbox: Bool, _ bounds: SubscriptionQueue.Bounds
  ) throws(Refusal) -> SubscriptionQueue.Pointer {
    let scheduler = try isMailbox ? openMailboxes() : scheduler(number)
    guard let queue = Memory.allocate(SubscriptionQueue.self) else { throw .noMemory }
    queue.initialize(to: SubscriptionQueue(scheduler, bounds))
    return queue
  }

  /// Registers the type of gaps with the first scheduled observers, after all else that may be refused. If it fails, the
  /// registration is undone. Under the lock.
  package func prepareGaps(for registration: inout Registration) throws(Refusal) {
    guard state.pointee.schedulers.gapType == 0 else { return }
    do throws(Refusal) {
      state.pointee.schedulers.gapType = try addGapType()
    } catch {
      undo(&registration)
      throw error
    }
  }

  private func openMailboxes() throws(Refusal) -> Scheduler.Pointer {
    guard let found = state.pointee.schedulers.openMailboxes(of: self) else { throw .noMemory }
    return found
  }

  /// A scheduler by its number. Under the lock.
  package func scheduler(_ number: UInt32) throws(Refusal) -> Scheduler.Pointer {
    guard number <= state.pointee.schedulers.count else {
      throw Refusal(
        .invalid, "options.scheduler", "is not a scheduler: add one with mainstem_scheduler_add",
        .number(UInt64(number)))
    }
    let found =
      number == Schedulers.host
      ? state.pointee.schedulers.openHost(of: self) : state.pointee.schedulers[number]
    guard let found else { throw .noMemory }
    return found
  }
}
