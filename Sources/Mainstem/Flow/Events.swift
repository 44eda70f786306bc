// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
