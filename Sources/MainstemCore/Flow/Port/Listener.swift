// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A station above the stream: its functions, which never change, and its state. Each function gets the state first, then
/// the stream's memory.
///
/// Any thread reads the state. So the memory that it points to stays with the stream's as long as a late thread may
/// look at it.
package struct Listener<Functions>: ~Copyable {
  package let functions: Functions
  private let address = Atomic<UInt>(0)

  package init(_ functions: Functions) { self.functions = functions }

  @inline(__always)
  package var state: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: address.load(ordering: .acquiring))
  }

  package func connect(_ state: UnsafeMutableRawPointer) {
    address.store(UInt(bitPattern: state), ordering: .releasing)
  }

  /// Returns the state that was connected; for one caller only.
  @discardableResult
  package func disconnect() -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: address.exchange(0, ordering: .acquiringAndReleasing))
  }
}
