// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The tasks waiting for events of one subscription. Each asks for one event.
///
/// Sendable because the lock guards all its mutable state.
final class Demand<E: Event>: @unchecked Sendable {
  typealias Waiter = CheckedContinuation<E?, Never>

  private let lock = Lock()
  private var waiters: [Waiter] = []
  private var subscription: Handle?
  private var isEnded = false

  /// Allows events to be asked for, from now on.
  func begin(_ handle: Handle) { lock.locked { subscription = handle } }

  /// Resumes `waiter` with an event when its turn comes; with `nil` once the subscription has ended.
  func wait(_ waiter: Waiter) {
    let isRefused = lock.locked {
      if !isEnded { waiters.append(waiter) }
      return isEnded
    }
    if isRefused { waiter.resume(returning: nil) } else { ask() }
  }

  /// Asks for one more event; also after a gap or a bad payload, since the waiter still wants one.
  func ask() {
    guard let handle = lock.locked({ subscription }) else { return }
    if mainstem_subscription_ask(handle.pointer, 1) != 0 { end() }
  }

  /// Hands an event to the waiter that has waited longest.
  func give(_ event: E) {
    let waiter = lock.locked { waiters.isEmpty ? nil : waiters.removeFirst() }
    waiter?.resume(returning: event)
  }

  /// Ends the sequence: every waiter gets `nil`.
  func end() {
    let left = lock.locked {
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
