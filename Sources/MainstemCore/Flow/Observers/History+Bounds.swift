// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// New bounds of a history. What they drop is gone, even if the bounds grow again before the deliverer, who owns the
/// ring, applies them.
extension History {
  /// How much a host wants kept.
  package struct Options {
    fileprivate let limit: UInt32
    fileprivate let maxAgeMs: UInt64

    package init(_ limit: UInt32, _ maxAgeMs: UInt64) {
      self.limit = limit
      self.maxAgeMs = maxAgeMs
    }
  }

  /// What the deliverer has yet to do to the ring.
  package struct Change {
    /// How many events stay at most.
    fileprivate var most = UInt32.max
    /// Events kept before this time are dropped.
    fileprivate var oldest: UInt64 = 0
    /// The time that events kept without one get; 0: they need none.
    fileprivate var stamp: UInt64 = 0
    fileprivate var isNothing = true

    package init() {}
  }

  /// Sets the first bounds.
  package func bound(_ options: Options) {
    limit.store(options.limit, ordering: .relaxed)
    maxAgeMs.store(options.maxAgeMs, ordering: .relaxed)
  }

  /// Sets new bounds. Under the lock; the ring follows with `applyBounds`.
  package mutating func rebound(_ options: Options, at now: UInt64) {
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
  fileprivate mutating func takeChange() -> Change? {
    guard !change.isNothing else { return nil }
    defer { change = Change() }
    return change
  }

  /// Drops the events that a change makes too many or too old. For the deliverer.
  ///
  /// - Returns: How many events were dropped.
  fileprivate func apply(_ change: Change) -> Int {
    if change.stamp != 0 { stampAll(change.stamp) }
    var dropped = 0
    while ring.pointee.count > 0,
      ring.pointee.count > Int(change.most) || ring.pointee[0].pointee.key < change.oldest,
      let first = ring.pointee.takeFirst()
    {
      QueuedEvent.free(first)
      dropped &+= 1
    }
    ring.pointee.narrow()
    return dropped
  }

  private func stampAll(_ stamp: UInt64) {
    var index = 0
    while index < ring.pointee.count {
      let queued = ring.pointee[index]
      if queued.pointee.key == 0 { queued.pointee.key = stamp }
      index &+= 1
    }
  }
}

extension Stream {
  /// Applies a history's new bounds to its ring: here if nobody delivers, otherwise the deliverer does. Under the lock,
  /// which it releases.
  package func applyBoundsAndUnlock() {
    state.pointee.attention.bitwiseOr(StreamState.Attention.bounds, ordering: .relaxed)
    let isDeliverer = lockDeliveryOrMark()
    let last = position
    state.pointee.lock.release()
    if isDeliverer { settle(after: last) }
  }

  /// Applies all new bounds to their rings. For the deliverer, while no late event is being delivered.
  @inline(__always)
  package func applyBounds() {
    if state.pointee.attention.load(ordering: .relaxed) & StreamState.Attention.bounds != 0 {
      applyAllBounds()
    }
  }

  @inline(never)
  private func applyAllBounds() {
    while let (history, change) = locked({ takeChange() }) {
      count(queued: 0 &- history.pointee.apply(change), lost: 0)
    }
  }

  /// The next history with new bounds; nil if none is left. Under the lock.
  private func takeChange() -> (History.Pointer, History.Change)? {
    state.pointee.attention.bitwiseAnd(~StreamState.Attention.bounds, ordering: .relaxed)
    var next = state.pointee.firstHistory
    while let history = next {
      if let change = history.pointee.takeChange() { return (history, change) }
      next = history.pointee.next
    }
    return nil
  }
}
