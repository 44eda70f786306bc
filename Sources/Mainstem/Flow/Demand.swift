// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The events of one subscription that were asked for, and the tasks that wait for one.
///
/// Events are asked for in batches, so that a task that keeps up seldom waits. Where a newer event replaces
/// one that waits, each is asked for when a task wants it.
///
/// Sendable because the lock guards all its mutable state.
final class Demand<E: Event>: @unchecked Sendable {
  typealias Waiter = CheckedContinuation<E?, Never>

  private let lock = Lock()
  private let batch: Int
  private var waiters: [Waiter] = []
  /// Events that came before a task asked for them, the next one last.
  private var ready: [E] = []
  /// Events that came after those.
  private var later: [E] = []
  /// Asked for, and not yet here.
  private var asked = 0
  private var subscription: Handle?
  private var isEnded = false

  init(batch: Int) { self.batch = batch }

  /// Allows events to be asked for, from now on.
  func begin(_ handle: Handle) { lock.locked { subscription = handle } }

  /// Takes an event that is here already.
  func take() -> E? {
    let (event, more) = lock.locked { (pop(), missing()) }
    ask(more)
    return event
  }

  /// Resumes `waiter` with an event when its turn comes; with `nil` once the subscription has ended.
  func wait(_ waiter: Waiter) {
    let (event, waits, more) = lock.locked {
      // Since the task looked, an event may have come.
      let event = pop()
      let waits = event == nil && !isEnded
      if waits { waiters.append(waiter) }
      return (event, waits, missing())
    }
    if !waits { waiter.resume(returning: event) }
    ask(more)
  }

  /// Asks again for what was used up by a gap or a payload that cannot be decoded.
  func again() {
    let more = lock.locked {
      asked -= 1
      return missing()
    }
    ask(more)
  }

  /// Hands over an event: to the waiter that has waited longest, or to the next who asks.
  func give(_ event: E) {
    let waiter = lock.locked {
      asked -= 1
      if !waiters.isEmpty { return Optional(waiters.removeFirst()) }
      later.append(event)
      return nil
    }
    waiter?.resume(returning: event)
  }

  /// Ends the sequence: what is here can still be taken, and every waiter gets `nil`.
  func end() {
    let left = lock.locked {
      let left = waiters
      (waiters, isEnded) = ([], true)
      return left
    }
    for waiter in left { waiter.resume(returning: nil) }
  }

  /// Ends the sequence and drops what is here.
  func cancel() {
    lock.locked { (ready, later) = ([], []) }
    end()
  }

  private func pop() -> E? {
    if ready.isEmpty {
      swap(&ready, &later)
      ready.reverse()
    }
    return ready.popLast()
  }

  /// How many to ask for now, and counts them as asked for: a batch, when less than half of one is left.
  private func missing() -> Int {
    if isEnded || subscription == nil { return 0 }
    let left = asked + ready.count + later.count
    let most = batch == 1 ? waiters.count : max(batch, waiters.count)
    // A batch of one is asked for only by a task that waits.
    if batch == 1 ? left >= waiters.count : left > most / 2 { return 0 }
    asked += most - left
    return most - left
  }

  private func ask(_ count: Int) {
    guard count > 0, let handle = lock.locked({ subscription }) else { return }
    if mainstem_subscription_ask(handle.pointer, UInt64(count)) != 0 { end() }
  }
}

/// Ends a demand when the library releases the closure that holds this.
final class DemandEnd<E: Event> {
  let demand: Demand<E>
  init(_ demand: Demand<E>) { self.demand = demand }
  deinit { demand.end() }
}
