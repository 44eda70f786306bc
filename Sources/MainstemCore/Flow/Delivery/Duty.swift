// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a step under the stream's lock leaves to do.
///
/// A step that takes the delivery lock must not deliver: the host is never called under the stream's lock. It returns
/// its duty in place of that, and its caller fulfills it after it has released the lock.
package enum Duty {
  /// Nothing: another thread delivers and looks after it, or nothing waits.
  case nothing
  /// This thread has the delivery lock, and everything up to the position was delivered.
  case finishWork(after: UInt64)
}

extension Stream {
  /// Takes the delivery lock if it is free: then its work is left to do. Otherwise the deliverer looks. Under the
  /// lock.
  package func claimDelivery() -> Duty {
    lockDeliveryOrMark() ? .finishWork(after: position) : .nothing
  }

  /// Does what a step under the lock has left to do. The lock is released.
  @inline(__always)
  package func fulfill(_ duty: Duty) {
    guard case .finishWork(let position) = duty else { return }
    finishWork(after: position)
  }
}
