// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// An observer's time on the stream. It ends when the subscription is released, or cancelled.
///
/// Keep it as long as the callback is wanted: in a property, or with ``Subscriptions``.
public final class Subscription: Sendable {
  let handle: Handle
  private let isCancelled = Atomic(false)

  init(_ handle: OpaquePointer?) { self.handle = Handle(pointer: handle) }

  deinit { cancel() }

  /// The last position accepted when it began: it gets what comes after that.
  ///
  /// - Returns: The position.
  /// - Throws: ``Status/stale`` when it has ended.
  public func from() throws(StreamError) -> UInt64 {
    var position: UInt64 = 0
    try StreamError.check(mainstem_subscription_from(handle.pointer, &position))
    return position
  }

  /// Ends it. Never waits, and may be called from anywhere, its own callback included.
  ///
  /// Afterwards no further call begins; on a context's own thread none is running either.
  public func cancel() {
    if isCancelled.exchange(true, ordering: .acquiringAndReleasing) { return }
    mainstem_cancel(handle.pointer)
  }

  /// Ends it, and returns when its running call has ended and its closure is released.
  ///
  /// - Throws: ``Status/busy`` inside a callback of the context.
  public func cancelAndWait() throws(StreamError) {
    try StreamError.check(mainstem_cancel_wait(handle.pointer))
    isCancelled.store(true, ordering: .releasing)
  }
}

/// A handle of the C header names a slot and is never dereferenced, so it may go anywhere.
struct Handle: @unchecked Sendable {
  let pointer: OpaquePointer?
}
