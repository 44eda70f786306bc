// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// The events of a type for `for await`, by way of a serial scheduler; failed responses are left
  /// out.
  ///
  /// A payload that is no such event is counted, reported and passed over.
  ///
  ///     let ticks = try context.events(Tick.self, on: serial, queue: .dropOldest(limit: 100))
  ///     Task { for await tick in ticks { print(tick) } }
  ///
  /// - Parameters:
  ///   - type: The type of event.
  ///   - history: Whether what is kept of the type comes first.
  ///   - scheduler: The thread that hands them over.
  ///   - queue: What may wait while nobody asks.
  ///   - onGap: Gets what was lost, before the next event; without it gaps are passed over.
  /// - Returns: The events; what holds them keeps the subscription.
  /// - Throws: Why there are none.
  public func events<E: Event>(
    _ type: E.Type, history: Bool = true, on scheduler: SerialScheduler,
    queue: Queue = .reject(), onGap: (@Sendable (Gap) -> Void)? = nil
  ) throws(StreamError) -> Events<E> {
    try events(type, history, scheduler.number, queue, onGap)
  }

  /// The events of a type for `for await`, handed over when the context drains; failed responses
  /// are left out.
  ///
  /// - Parameters:
  ///   - type: The type of event.
  ///   - history: Whether what is kept of the type comes first.
  ///   - scheduler: ``Scheduler/host``; with another it is refused.
  ///   - queue: What may wait while nobody asks.
  ///   - onGap: Gets what was lost, before the next event; without it gaps are passed over.
  /// - Returns: The events; what holds them keeps the subscription.
  /// - Throws: Why there are none.
  public func events<E: Event>(
    _ type: E.Type, history: Bool = true, on scheduler: Scheduler,
    queue: Queue = .reject(), onGap: ((Gap) -> Void)? = nil
  ) throws(StreamError) -> Events<E> {
    try events(type, history, scheduler.number, queue, onGap)
  }

  private func events<E: Event>(
    _ type: E.Type, _ history: Bool, _ scheduler: mainstem_scheduler, _ queue: Queue,
    _ onGap: ((Gap) -> Void)?
  ) throws(StreamError) -> Events<E> {
    let number = try types.number(of: type)
    let demand = Demand<E>()
    let end = DemandEnd(demand)
    let wanted = ObserverOptions(
      flags: MAINSTEM_OBSERVE_SUCCEEDED | MAINSTEM_OBSERVE_ON_DEMAND, history: history,
      scheduler: scheduler, queue: queue,
      onGap: { gap in
        onGap?(gap)
        demand.ask()
      })
    let subscription = try observe(number, wanted) { delivery in
      do { end.demand.give(try delivery.decode(type)) } catch {
        end.demand.ask()
        throw error
      }
    }
    demand.begin(subscription.handle)
    return Events(subscription: subscription, demand: demand)
  }
}
