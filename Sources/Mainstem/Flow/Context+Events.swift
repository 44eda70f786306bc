// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
    try events(type, scope, history, scheduler.number, queue, onGap)
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
    try events(type, scope, history, scheduler.number, queue, onGap)
  }

  private func events<E: Event>(
    _ type: E.Type, _ scope: Context?, _ history: Bool, _ scheduler: mainstem_scheduler,
    _ queue: Queue, _ onGap: ((Gap) -> Void)?
  ) throws(StreamError) -> Events<E> {
    let type = try types.reader(of: type)
    let demand = Demand<E>(batch: queue == .latest ? 1 : 64)
    let end = DemandEnd(demand, types.drainer)
    let wanted = ObserverOptions(
      flags: MAINSTEM_OBSERVE_SUCCEEDED | MAINSTEM_OBSERVE_ON_DEMAND, of: scope, history: history,
      scheduler: scheduler, queue: queue,
      onGap: { gap in
        onGap?(gap)
        demand.skip()
      })
    let subscription = try observe(type.number, wanted) { delivery in
      do { end.demand.give(try type.decoded(delivery)) } catch {
        end.demand.skip()
        throw error
      }
    }
    demand.begin(subscription.handle)
    return Events(subscription: subscription, demand: demand)
  }
}
