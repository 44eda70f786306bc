// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What one context may use: law 9. Set when it is opened, read by every thread.
package struct Limits {
  /// Subscriptions at a time.
  package var observers: UInt64 = .max
  /// Bytes of a payload; below 4 GiB, because an event says its size in 32 bits.
  package var payload: Int = 0xFFFF_FFFF

  package init() {}
}
