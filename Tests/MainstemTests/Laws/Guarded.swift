// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A value that several threads use, behind a lock that the thread sanitizer understands.
final class Guarded<Value: Sendable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var guarded: Value

  init(_ value: Value) {
    guarded = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  var value: Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return guarded
  }

  func change(_ body: (inout Value) -> Void) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    body(&guarded)
  }
}
