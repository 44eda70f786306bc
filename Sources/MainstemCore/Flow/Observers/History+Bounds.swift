// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// New bounds of a history: what they drop is gone, also when they grow again before the deliverer of the
/// delivery lock, who owns the ring, comes to it.
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

  /// What the deliverer has still to do to the ring.
  package struct Change {
    /// How many events stay at most.
    fileprivate var most = UInt32.max
    /// What was kept before this time goes.
    fileprivate var oldest: UInt64 = 0
    /// When events kept without a time count as kept; 0: they need none.
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
    // By the bounds so far, and by the new ones.
    noteAge(at: now)
    if options.maxAgeMs != 0, maxAgeMs.load(ordering: .relaxed) == 0 { change.stamp = now }
    bound(options)
    noteAge(at: now)
  }

  private mutating func noteAge(at now: UInt64) {
    let maxAge = maxAgeMs.load(ordering: .relaxed)
    if maxAge != 0, now > maxAge { change.oldest = max(change.oldest, now &- maxAge) }
  }

  /// Takes the change off; nil when there is none. Under the lock.
  fileprivate mutating func takeChange() -> Change? {
    guard !change.isNothing else { return nil }
    defer { change = Change() }
    return change
  }

  /// Drops what is too much or too old for a change; how many events that were. For the deliverer.
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
  /// Lets the ring of a history follow its new bounds: here if nobody delivers, else the deliverer will.
  /// Under the lock, which it releases.
  package func applyBoundsAndUnlock() {
    state.pointee.attention.bitwiseOr(StreamState.Attention.bounds, ordering: .relaxed)
    let isDeliverer = lockDeliveryOrMark()
    let last = position
    state.pointee.lock.release()
    if isDeliverer { settle(after: last) }
  }

  /// Lets all rings follow the bounds that were set. For the deliverer, while no late event is delivered.
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

  /// The next history with new bounds; nil when all have been seen to. Under the lock.
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
