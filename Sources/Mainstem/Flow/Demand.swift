// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What has come for the tasks that wait for events of one subscription, and who waits.
///
/// Many events are asked for at once, and wait here: most are then taken without a call into the library, and without
/// leaving the task. They change hands as an array, so that those who take and those who give seldom meet in a lock.
///
/// Sendable because its locks guard all its mutable state: `taking` what is at hand, `lock` all else. Who needs both takes
/// `taking` first.
final class Demand<E: Event>: @unchecked Sendable {
  typealias Waiter = CheckedContinuation<E?, Never>

  private let taking = Lock()
  /// What had come when somebody last looked.
  private var atHand: [E] = []
  /// How many of those have been taken.
  private var taken = 0
  private let lock = Lock()
  private let batch: Int
  /// What has come since.
  private var come: [E] = []
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
  func take() -> E? { taking.locked { first { lock.locked { swap(&come, &atHand) } } } }

  /// Takes all events that have come.
  func takeAll() -> [E] {
    taking.locked {
      let rest = atHand[taken...]
      taken = 0
      atHand = []
      return lock.locked {
        defer { come = [] }
        return rest + come
      }
    }
  }

  /// Resumes `waiter` with an event when its turn comes; with `nil` once the subscription has ended.
  func wait(_ waiter: Waiter) {
    var waits = false
    let event = taking.locked {
      first {
        lock.locked {
          swap(&come, &atHand)
          waits = atHand.isEmpty && !isEnded
          if waits { waiters.append(waiter) }
        }
      }
    }
    if waits { ask() } else { waiter.resume(returning: event) }
  }

  /// Hands an event to the waiter that has waited longest.
  func give(_ event: E) {
    var waiter: Waiter?
    let needed = lock.locked {
      asked -= 1
      if waiters.isEmpty { come.append(event) } else { waiter = waiters.removeFirst() }
      return need()
    }
    waiter?.resume(returning: event)
    ask(needed)
  }

  /// Asks for all that waits: the drain before the context's close brings it, to be taken later.
  func askForRest() {
    let all = Int(UInt32.max)
    let waiting = lock.locked {
      asked += all
      return subscription
    }
    if let waiting { _ = mainstem_subscription_demand(waiting.pointer, UInt64(all)) }
  }

  /// What came was a gap, or a payload that cannot be decoded.
  func skip() {
    let needed = lock.locked {
      asked -= 1
      return need()
    }
    ask(needed)
  }

  /// Asks for more if somebody waits for what nobody has asked for.
  private func ask() { ask(lock.locked { need() }) }

  private func ask(_ needed: Handle?) {
    guard let needed else { return }
    if mainstem_subscription_demand(needed.pointer, UInt64(batch)) != 0 { end() }
  }

  /// Whom to ask for more, if somebody waits for what nobody has asked for. With `lock`.
  private func need() -> Handle? {
    guard !waiters.isEmpty, asked <= 0 else { return nil }
    asked = batch
    return subscription
  }

  /// The next event at hand, after a look for those that have come since. With `taking`.
  private func first(_ look: () -> Void) -> E? {
    if atHand.isEmpty { look() }
    guard taken < atHand.count else { return nil }
    defer {
      taken += 1
      if taken == atHand.count {
        atHand.removeAll(keepingCapacity: true)
        taken = 0
      }
    }
    return atHand[taken]
  }

  /// Ends the sequence: every waiter gets `nil`.
  ///
  /// - Parameter isCancelled: Whether what has come and was not taken is dropped, too.
  func end(isCancelled: Bool = false) {
    let left = taking.locked {
      if isCancelled { (atHand, taken) = ([], 0) }
      return lock.locked {
        if isCancelled { come = [] }
        let left = waiters
        (waiters, isEnded) = ([], true)
        return left
      }
    }
    for waiter in left { waiter.resume(returning: nil) }
  }
}

/// Ends a demand when the library releases the closure that holds this. Until then, who drains the context has its rest
/// brought before closing it.
final class DemandEnd<E: Event> {
  let demand: Demand<E>
  private let drainer: Drainer?

  init(_ demand: Demand<E>, _ drainer: Drainer?) {
    (self.demand, self.drainer) = (demand, drainer)
    drainer?.beforeClose(ObjectIdentifier(demand)) { demand.askForRest() }
  }

  deinit {
    drainer?.beforeClose(ObjectIdentifier(demand), nil)
    demand.end()
  }
}
