// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Observers that are registered together: all or none.
package struct Registration {
  private(set) var first: Subscription.Pointer?
  private var last: Subscription.Pointer?

  init() {}

  mutating func append(_ subscription: Subscription.Pointer) {
    if let last { last.pointee.link = subscription }
    first = first ?? subscription
    last = subscription
  }
}
