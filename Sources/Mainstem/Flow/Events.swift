// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The events of a type, one after the other, for `for await`.
///
/// Events wait in the ``Queue`` until somebody waits for one; then up to 64 are delivered, or with
/// ``Queue/latest`` one. The sequence ends with the context or scope, by ``cancel()``, when its task is
/// cancelled, and when it is released. If several tasks iterate, each event goes to one of them.
public struct Events<E: Event>: AsyncSequence, Sendable {
  /// It never throws.
  public typealias Failure = Never

  let subscription: Subscription
  let demand: Demand<E>

  /// Makes an iterator.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(events: self) }

  /// The same events, many at a time: each array has all that have come, and at least one.
  public var batches: Batches { Batches(events: self) }

  /// Ends the sequence for every iterator; what nobody has taken is dropped. May be called from any thread.
  public func cancel() {
    subscription.cancel()
    // The library releases the closure on the context's own thread; waiters need not wait for that.
    demand.end(isCancelled: true)
  }

  fileprivate func next(_ isolation: isolated (any Actor)?) async -> E? {
    if let event = demand.take() { return event }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { demand.wait($0) }
    } onCancel: {
      cancel()
    }
  }

  /// Iterates over the events.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let events: Events

    /// Waits for the next event.
    ///
    /// - Returns: The event; `nil` when the sequence has ended.
    public mutating func next() async -> E? { await next(isolation: #isolation) }

    /// Waits for the next event.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The event; `nil` when the sequence has ended.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> E? {
      await events.next(actor)
    }
  }

  /// Events of a type as an async sequence, many at a time.
  public struct Batches: AsyncSequence, Sendable {
    /// It never throws.
    public typealias Failure = Never

    let events: Events

    /// Makes an iterator.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(events: events) }

    /// Iterates over the events, many at a time.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
      let events: Events

      /// Waits for the next events.
      ///
      /// - Returns: All that have come, at least one; `nil` when the sequence has ended.
      public mutating func next() async -> [E]? { await next(isolation: #isolation) }

      /// Waits for the next events.
      ///
      /// - Parameter actor: Where the caller runs.
      /// - Returns: All that have come, at least one; `nil` when the sequence has ended.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> [E]? {
        guard let first = await events.next(actor) else { return nil }
        return [first] + events.demand.takeAll()
      }
    }
  }
}

// MARK: - Observing for a task

extension Context {
  /// Observes the events of a type for `for await`, handed over by a serial scheduler; failed responses
  /// are left out.
  ///
  /// A payload that cannot be decoded is counted, reported and skipped.
  ///
  ///     let ticks = try context.events(Tick.self, on: serial, queue: .dropOldest(limit: 100))
  ///     Task { for await tick in ticks { print(tick) } }
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - scope: A scope: only what is sent through exactly that one; `nil`: through any.
  ///   - history: Whether events from the type's history come first.
  ///   - scheduler: The scheduler whose thread hands them over.
  ///   - queue: The queue of events nobody has asked for yet.
  ///   - onGap: Gets each gap: what was lost; `nil` ignores gaps.
  /// - Returns: The events; they keep the subscription alive.
  /// - Throws: The reason the call was refused.
  public func events<E: Event>(
    _ type: E.Type, of scope: Context? = nil, history: Bool = true, on scheduler: SerialScheduler,
    queue: Queue = .reject(), onGap: (@Sendable (Gap) -> Void)? = nil
  ) throws(StreamError) -> Events<E> {
    try events(
      type, of: scope, history: history, on: scheduler.unchecked, queue: queue, onGap: onGap)
  }

  /// Observes the events of a type for `for await`, handed over when the context drains; failed
  /// responses are left out.
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - scope: A scope: only what is sent through exactly that one; `nil`: through any.
  ///   - history: Whether events from the type's history come first.
  ///   - scheduler: Must be ``Scheduler/host``, the default; any other is refused.
  ///   - queue: The queue of events nobody has asked for yet.
  ///   - onGap: Gets each gap: what was lost; `nil` ignores gaps.
  /// - Returns: The events; they keep the subscription alive.
  /// - Throws: The reason the call was refused.
  public func events<E: Event>(
    _ type: E.Type, of scope: Context? = nil, history: Bool = true, on scheduler: Scheduler = .host,
    queue: Queue = .reject(), onGap: ((Gap) -> Void)? = nil
  ) throws(StreamError) -> Events<E> {
    let type = try types.reader(of: type)
    let demand = Demand<E>(batch: queue == .latest ? 1 : 64)
    let end = DemandEnd(demand, types.drainer)
    let reading = type.reading
    let wanted = ObserverOptions(
      flags: MAINSTEM_OBSERVE_SUCCEEDED | MAINSTEM_OBSERVE_ON_DEMAND, of: scope, history: history,
      scheduler: scheduler, queue: queue,
      onGap: { gap in
        onGap?(gap)
        demand.skip()
      })
    let subscription = try observe(type.number, wanted) { delivery in
      do { end.demand.give(try type.decoded(delivery, reading)) } catch {
        end.demand.skip()
        throw error
      }
    }
    demand.begin(subscription.handle)
    return Events(subscription: subscription, demand: demand)
  }
}

// MARK: - What has come, and who waits

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
