// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The machine's clock, or a virtual one, which stands still until it is advanced. Every thread may ask.
struct Clock: ~Copyable {
  private(set) var isVirtual = false
  private let virtual = Atomic<Int64>(0)

  mutating func open(isVirtual: Bool) {
    self.isVirtual = isVirtual
    virtual.store(0, ordering: .relaxed)
  }

  /// Nanoseconds since some time.
  var now: Int64 { isVirtual ? virtual.load(ordering: .relaxed) : mainstem_p_monotonic() }

  /// Nanoseconds since 1970, or of the virtual clock.
  var time: Int64 { isVirtual ? virtual.load(ordering: .relaxed) : mainstem_p_now() }

  /// Advances a virtual clock; never back. Under the stream's lock.
  func advance(to time: Int64) {
    if time > now { virtual.store(time, ordering: .relaxed) }
  }
}
