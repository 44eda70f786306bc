// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// An observer's registration on the stream. It ends when it is released or cancelled.
///
/// Keep it for as long as you want the callback: in a property, or with ``Subscriptions``.
public final class Subscription: Sendable {
  let handle: Handle
  /// What it observes; 0: everything.
  private let number: mainstem_event_type
  private let types: EventTypes
  private let isCancelled = Atomic(false)

  init(_ handle: OpaquePointer?, of number: mainstem_event_type, _ types: EventTypes) {
    self.handle = Handle(pointer: handle)
    (self.number, self.types) = (number, types)
  }

  deinit { cancel() }

  /// Reads the last position accepted when it was registered. It starts after that.
  ///
  /// - Returns: The position.
  /// - Throws: ``Status/stale`` if it has ended.
  public func from() throws(StreamError) -> UInt64 {
    var position: UInt64 = 0
    try StreamError.check(mainstem_subscription_from(handle.pointer, &position))
    return position
  }

  /// Ends the subscription. Never waits; may be called from any thread, also from its own callback.
  ///
  /// Afterwards no further call is decided. On the delivering thread that means no call at all. On
  /// another thread, the one call already decided may still begin or be running.
  public func cancel() {
    if isCancelled.exchange(true, ordering: .acquiringAndReleasing) { return }
    mainstem_cancel(handle.pointer)
  }

  /// Ends the subscription and waits until its running call has ended and its closure is released.
  ///
  /// - Throws: ``Status/busy`` inside a callback of the context.
  public func cancelAndWait() throws(StreamError) {
    try StreamError.check(mainstem_cancel_wait(handle.pointer))
    isCancelled.store(true, ordering: .releasing)
  }
}

extension Subscription: CustomStringConvertible {
  /// What it observes, and whether it has ended: `Subscription to Tick, ended`.
  public var description: String {
    var position: UInt64 = 0
    let isLive = mainstem_subscription_from(handle.pointer, &position) == 0
    let name = number == 0 ? "every event" : types.name(of: number)
    return "Subscription to \(name ?? "events")\(isLive ? "" : ", ended")"
  }
}

/// A handle of the C header: it names a slot and is never dereferenced, so any thread may hold it.
package struct Handle: @unchecked Sendable {
  package let pointer: OpaquePointer?

  package init(pointer: OpaquePointer?) { self.pointer = pointer }
}

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
