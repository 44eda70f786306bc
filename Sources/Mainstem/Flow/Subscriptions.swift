// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The subscriptions of an owner: they end, at once, when it does.
public final class Subscriptions {
  private var kept: [Subscription] = []

  /// An empty collection.
  public init() {}

  /// Keeps a subscription as long as this collection lives.
  ///
  /// - Parameter subscription: What to keep.
  public func keep(_ subscription: Subscription) { kept.append(subscription) }

  /// Ends all of them.
  public func cancel() {
    let ended = kept
    kept = []
    for subscription in ended { subscription.cancel() }
  }
}

/// A view, a view model, a coordinator: what observes as long as it lives.
///
///     final class ListView: SubscriptionOwner {
///       let subscriptions = Subscriptions()
///     }
///     try context.observe(ResponseTodo.self, for: view) { view, todo, _ in view.show(todo) }
public protocol SubscriptionOwner: AnyObject {
  /// What it observes with. Nobody else may hold it, so that it ends with its owner.
  var subscriptions: Subscriptions { get }
}

extension Context {
  /// Looks at the events of a type until an owner ends, which it does not keep alive.
  ///
  /// - Parameters:
  ///   - type: The type of event.
  ///   - owner: Ends the subscription when it is released.
  ///   - body: Gets the owner and each event, in order.
  /// - Throws: Why it could not be observed.
  public func observe<E: Event, Owner: SubscriptionOwner>(
    _ type: E.Type, for owner: Owner,
    _ body: @escaping (Owner, E, borrowing Delivery) throws -> Void
  ) throws(StreamError) {
    let subscription = try observe(type) { [weak owner] event, delivery in
      if let owner { try body(owner, event, delivery) }
    }
    owner.subscriptions.keep(subscription)
  }
}
