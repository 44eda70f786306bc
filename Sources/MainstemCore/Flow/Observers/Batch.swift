// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Observers that are registered together: all or none.
package struct Batch {
  package internal(set) var first: Subscription.Pointer?
  var last: Subscription.Pointer?

  package init() {}
}
