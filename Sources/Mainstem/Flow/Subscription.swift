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
