// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Observers that are registered together: all or none.
///
/// It is a token: they join, or are undone. One that is dropped is counted, because what was reserved for them would be
/// lost, like their places in the budgets (decision 0030).
package struct Registration: ~Copyable {
  private(set) var first: Subscription.Pointer?
  private(set) var last: Subscription.Pointer?

  init() {}

  mutating func append(_ subscription: Subscription.Pointer) {
    if let last { last.pointee.link = subscription }
    first = first ?? subscription
    last = subscription
  }

  /// Ends it: its observers join, or are undone.
  ///
  /// - Returns: The first of them.
  mutating func end() -> Subscription.Pointer? {
    let ended = first
    first = nil
    last = nil
    return ended
  }

  deinit {
    if first != nil { mainstem_p_lost_token() }
  }
}
