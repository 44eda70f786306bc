// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The subscriptions of an owner; they end when the owner is released.
public final class Subscriptions {
  private var kept: [Subscription] = []

  /// Makes an empty collection.
  public init() {}

  /// Keeps a subscription for as long as this collection lives.
  ///
  /// - Parameter subscription: The subscription to keep.
  public func keep(_ subscription: Subscription) { kept.append(subscription) }

  /// Ends all its subscriptions.
  public func cancel() {
    let ended = kept
    kept = []
    for subscription in ended { subscription.cancel() }
  }
}

/// An object that observes as long as it lives: a view, a view model, a coordinator.
///
///     final class ListView: SubscriptionOwner {
///       let subscriptions = Subscriptions()
///     }
///     try context.observe(ResponseTodo.self, for: view) { view, todo, _ in view.show(todo) }
public protocol SubscriptionOwner: AnyObject {
  /// Its subscriptions. Nobody else may hold the collection, so that it ends with its owner.
  var subscriptions: Subscriptions { get }
}

extension Context {
  /// Observes the events of a type until an owner is released. The owner is not kept alive.
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - owner: The owner; its release ends the subscription.
  ///   - history: Whether events from the type's history come first.
  ///   - scheduler: When the callbacks run.
  ///   - queue: The queue of waiting events on ``Scheduler/host``; otherwise ignored.
  ///   - onGap: Gets each gap: what was lost; `nil` ignores gaps.
  ///   - body: Gets the owner and each event, in order.
  /// - Throws: The reason the call was refused.
  public func observe<E: Event, Owner: SubscriptionOwner>(
    _ type: E.Type, for owner: Owner, history: Bool = true,
    on scheduler: Scheduler = .immediate, queue: Queue = .reject(),
    onGap: ((Gap) -> Void)? = nil,
    _ body: @escaping (Owner, E, borrowing Delivery) throws -> Void
  ) throws(StreamError) {
    let subscription = try observe(
      type, history: history, on: scheduler, queue: queue, onGap: onGap
    ) { [weak owner] event, delivery in
      if let owner { try body(owner, event, delivery) }
    }
    owner.subscriptions.keep(subscription)
  }
}
