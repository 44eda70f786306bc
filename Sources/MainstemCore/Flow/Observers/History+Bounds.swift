// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// New bounds of a history. What they drop is gone, even if the bounds grow again before the deliverer, who owns the
/// events, applies them.
extension History {
  /// How much a host wants kept.
  struct Options {
    fileprivate let limit: UInt32
    fileprivate let maxAgeMs: UInt64

    init(_ limit: UInt32, _ maxAgeMs: UInt64) {
      self.limit = limit
      self.maxAgeMs = maxAgeMs
    }
  }

  /// What the deliverer has yet to do to the events.
  struct Change {
    /// How many events stay at most.
    fileprivate var most = UInt32.max
    /// Events kept before this time are dropped.
    fileprivate var oldest: UInt64 = 0
    /// The time that events kept without one get; 0: they need none.
    fileprivate var stamp: UInt64 = 0
    fileprivate var isNothing = true

    init() {}
  }

  /// Sets the first bounds.
  func bound(_ options: Options) {
    limit.store(options.limit, ordering: .relaxed)
    maxAgeMs.store(options.maxAgeMs, ordering: .relaxed)
  }

  /// Sets new bounds. Under the lock; the events follow with `applyBounds`.
  mutating func rebound(_ options: Options, at now: UInt64) {
    change.isNothing = false
    change.most = min(change.most, options.limit)
    // By the old bounds, then by the new ones.
    noteAge(at: now)
    if options.maxAgeMs != 0, maxAgeMs.load(ordering: .relaxed) == 0 { change.stamp = now }
    bound(options)
    noteAge(at: now)
  }

  private mutating func noteAge(at now: UInt64) {
    let maxAge = maxAgeMs.load(ordering: .relaxed)
    if maxAge != 0, now > maxAge { change.oldest = max(change.oldest, now &- maxAge) }
  }

  /// Takes the pending change; nil if there is none. Under the lock.
  mutating func takeChange() -> Change? {
    guard !change.isNothing else { return nil }
    defer { change = Change() }
    return change
  }

  /// Drops the events that a change makes too many or too old. For the deliverer.
  ///
  /// - Returns: How many events were dropped.
  func apply(_ change: Change) -> Int {
    if change.stamp != 0 {
      each { queued in
        if queued.pointee.key == 0 { queued.pointee.key = change.stamp }
      }
    }
    return drop(toMost: change.most, since: change.oldest)
  }
}
