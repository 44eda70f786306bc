// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What one context may use: law 9. Set when the context is opened; every thread reads it.
package struct Limits {
  /// Subscriptions at a time.
  package var observers: UInt64 = .max
  /// Bytes of a payload; below 4 GiB, because an event stores its size in 32 bits.
  package var payload: Int = 0xFFFF_FFFF

  /// Causes back to the outside event: few enough that a chain that feeds itself ends before the program seems to hang.
  package var cascade: UInt64 = 65_536
  /// What waits in the stream.
  package var waiting = Room(events: 1_048_576, bytes: 268_435_456)
  /// What other threads have posted and the owner has not taken in yet.
  package var posts = Room(events: 1_048_576, bytes: 268_435_456)

  package init() {}
}

extension Limits {
  /// A bound in events and in bytes of payload.
  package struct Room {
    package var events: Int
    package var bytes: Int

    /// Whether one more event fits. An event that is alone may have any size.
    package func fits(_ size: Int, beside count: Int, _ bytes: Int) -> Bool {
      count < events && (bytes == 0 || bytes &+ size <= self.bytes)
    }
  }
}
