// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Who waits for events of one subscription. An event is asked for when somebody waits for it.
///
/// Sendable because the lock guards all that changes.
final class Demand<E: Event>: @unchecked Sendable {
  typealias Waiter = CheckedContinuation<E?, Never>

  private let lock = Lock()
  private var waiters: [Waiter] = []
  private var subscription: Handle?
  private var isEnded = false

  /// From here on events can be asked for.
  func begin(_ handle: Handle) { lock.locked { subscription = handle } }

  /// The next event is this one's; `nil` when there is none any more.
  func wait(_ waiter: Waiter) {
    let isRefused = lock.locked {
      if !isEnded { waiters.append(waiter) }
      return isEnded
    }
    if isRefused { waiter.resume(returning: nil) } else { ask() }
  }

  /// What came was no event: the one who waits still wants one.
  func ask() {
    guard let handle = lock.locked({ subscription }) else { return }
    if mainstem_subscription_ask(handle.pointer, 1) != 0 { end() }
  }

  /// Hands an event to the one who waits longest.
  func give(_ event: E) {
    let waiter = lock.locked { waiters.isEmpty ? nil : waiters.removeFirst() }
    waiter?.resume(returning: event)
  }

  /// No event comes any more.
  func end() {
    let left = lock.locked {
      let left = waiters
      (waiters, isEnded) = ([], true)
      return left
    }
    for waiter in left { waiter.resume(returning: nil) }
  }
}

/// Ends the wait when it is released: by the library, with the closure that holds it.
final class DemandEnd<E: Event> {
  let demand: Demand<E>
  init(_ demand: Demand<E>) { self.demand = demand }
  deinit { demand.end() }
}
