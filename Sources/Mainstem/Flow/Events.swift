// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The events of a type, one after the other, for `for await`.
///
/// Events are delivered when they are asked for; until then they wait in the ``Queue``. From a queue that
/// drops nothing they are asked for in batches of up to 64, ahead of the task. The sequence ends with the context or scope, by ``cancel()``, when its task is cancelled, and when it is
/// released. If several tasks iterate, each event goes to one of them.
public struct Events<E: Event>: AsyncSequence, Sendable {
  let subscription: Subscription
  let demand: Demand<E>

  /// Makes an iterator, which asks for the events.
  public func makeAsyncIterator() -> Iterator { Iterator(events: self) }

  /// Ends the sequence for every iterator. May be called from any thread.
  public func cancel() {
    subscription.cancel()
    // The library releases the closure on the context's own thread; waiters need not wait for that.
    demand.cancel()
  }

  /// Takes one event at a time.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let events: Events

    /// The next event.
    ///
    /// - Returns: The event; `nil` when the sequence has ended.
    public mutating func next() async -> E? {
      let events = events
      if let event = events.demand.take() { return event }
      return await withTaskCancellationHandler {
        await withCheckedContinuation { events.demand.wait($0) }
      } onCancel: {
        events.cancel()
      }
    }
  }
}
