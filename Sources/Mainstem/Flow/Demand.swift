// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What has come for the tasks that wait for events of one subscription, and who waits.
///
/// Many events are asked for at once, and wait here: most are then taken without a call into the library, and without
/// leaving the task.
///
/// Sendable because the lock guards all its mutable state.
final class Demand<E: Event>: @unchecked Sendable {
  typealias Waiter = CheckedContinuation<E?, Never>

  private let lock = Lock()
  private let batch: Int
  private var come: [E] = []
  /// How many of those have been taken.
  private var taken = 0
  private var waiters: [Waiter] = []
  /// How many events have been asked for and have not come.
  private var asked = 0
  private var subscription: Handle?
  private var isEnded = false

  /// - Parameter batch: How many events are asked for at once.
  init(batch: Int) { self.batch = batch }

  /// Allows events to be asked for, from now on.
  func begin(_ handle: Handle) { lock.locked { subscription = handle } }

  /// Takes an event that has come; `nil`: there is none.
  func take() -> E? { lock.locked { first() } }

  /// Takes all events that have come.
  func takeAll() -> ArraySlice<E> {
    lock.locked {
      defer { (come, taken) = ([], 0) }
      return come[taken...]
    }
  }

  /// Resumes `waiter` with an event when its turn comes; with `nil` once the subscription has ended.
  func wait(_ waiter: Waiter) {
    let (event, waits) = lock.locked {
      let event = first()
      let waits = event == nil && !isEnded
      if waits { waiters.append(waiter) }
      return (event, waits)
    }
    if waits { ask() } else { waiter.resume(returning: event) }
  }

  /// Hands an event to the waiter that has waited longest.
  func give(_ event: E) {
    let waiter: Waiter? = lock.locked {
      asked -= 1
      if waiters.isEmpty { come.append(event) }
      return waiters.isEmpty ? nil : waiters.removeFirst()
    }
    waiter?.resume(returning: event)
    ask()
  }

  /// What came was a gap, or a payload that cannot be decoded.
  func skip() {
    lock.locked { asked -= 1 }
    ask()
  }

  /// Asks for more if somebody waits for what nobody has asked for.
  private func ask() {
    let handle: Handle? = lock.locked {
      guard !waiters.isEmpty, asked <= 0 else { return nil }
      asked = batch
      return subscription
    }
    guard let handle else { return }
    if mainstem_subscription_ask(handle.pointer, UInt64(batch)) != 0 { end() }
  }

  private func first() -> E? {
    guard taken < come.count else { return nil }
    defer {
      taken += 1
      if taken == come.count {
        come.removeAll(keepingCapacity: true)
        taken = 0
      }
    }
    return come[taken]
  }

  /// Ends the sequence: every waiter gets `nil`.
  ///
  /// - Parameter isCancelled: Whether what has come and was not taken is dropped, too.
  func end(isCancelled: Bool = false) {
    let left = lock.locked {
      if isCancelled { (come, taken) = ([], 0) }
      let left = waiters
      (waiters, isEnded) = ([], true)
      return left
    }
    for waiter in left { waiter.resume(returning: nil) }
  }
}

/// Ends a demand when the library releases the closure that holds this.
final class DemandEnd<E: Event> {
  let demand: Demand<E>
  init(_ demand: Demand<E>) { self.demand = demand }
  deinit { demand.end() }
}
