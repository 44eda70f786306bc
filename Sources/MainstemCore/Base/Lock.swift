// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A mutex, with a condition to wait for. Never held while calling out.
package struct Lock {
  private let lock: OpaquePointer

  package init?() {
    guard let lock = mainstem_p_lock_create() else { return nil }
    self.lock = lock
  }

  package func acquire() { mainstem_p_lock_acquire(lock) }
  package func release() { mainstem_p_lock_release(lock) }

  /// Releases the lock until `wakeAll`, and takes it again; may wake without reason.
  package func wait() { mainstem_p_lock_wait(lock) }
  package func wakeAll() { mainstem_p_lock_wake_all(lock) }
  /// In the child of a fork: nobody holds the lock.
  package func renew() { mainstem_p_lock_renew(lock) }
  package func destroy() { mainstem_p_lock_destroy(lock) }
}
