// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What is kept of one event type for late observers: its last events.
///
/// An internal row, behind all observers, keeps each event: a type without a history pays nothing. The events belong to
/// the deliverer; any thread may set how much to keep, under the lock.
package struct History: ~Copyable {
  let type: UInt32
  /// How many events; never 0.
  let limit: Atomic<UInt32>
  /// The age beyond which events are dropped; 0: no limit.
  let maxAgeMs: Atomic<UInt64>
  /// What new bounds drop, until the deliverer has applied them. Under the lock.
  var change = Change()
  /// The recorder: the row that keeps events. Under the lock, like the list.
  var recorder: Subscription.Pointer?
  private var links = Links<History>()
  /// The events. In memory of their own, for the reason given at `StreamState`.
  private let ring: UnsafeMutablePointer<Ring>

  typealias Pointer = UnsafeMutablePointer<History>

  private init(type: UInt32, ring: UnsafeMutablePointer<Ring>) {
    self.type = type
    self.ring = ring
    limit = Atomic(0)
    maxAgeMs = Atomic(0)
  }
}

extension History: Listed {
  enum InStream: ListName { static var number: Int { 0 } }

  package static func links(of node: UnsafeMutablePointer<History>, in list: Int) -> Links<History>
  {
    node.pointee.links
  }

  package static func set(
    _ links: Links<History>, of node: UnsafeMutablePointer<History>, in list: Int
  ) {
    node.pointee.links = links
  }
}

extension History {
  static var largestLimit: Int { 1 << 24 }

  /// An empty history; nil without memory.
  static func make(of type: UInt32) -> Pointer? {
    guard let history = Memory.allocate(History.self) else { return nil }
    guard let ring = Memory.allocate(Ring.self) else {
      Memory.free(history)
      return nil
    }
    ring.initialize(to: Ring())
    history.initialize(to: History(type: type, ring: ring))
    return history
  }

  /// Frees all memory.
  ///
  /// - Returns: How many events there were.
  static func free(_ history: Pointer) -> Int {
    let ring = history.pointee.ring
    let count = ring.pointee.count
    ring.pointee.free()
    Memory.free(ring)
    Memory.free(history)
    return count
  }
}

/// Reading. For the deliverer.
extension History {
  /// The first event after a position that a late observer still gets.
  func first(after position: UInt64, at now: UInt64) -> QueuedEvent.Pointer? {
    let count = ring.pointee.count
    let limit = Int(limit.load(ordering: .relaxed))
    var index = max(ring.pointee.index(after: position), count > limit ? count &- limit : 0)
    while index < count, isTooOld(ring.pointee[index], at: now) { index &+= 1 }
    return index < count ? ring.pointee[index] : nil
  }

  /// Visits all events, the oldest first.
  ///
  /// - Returns: How many there are.
  @discardableResult
  func each(_ visit: (QueuedEvent.Pointer) -> Void) -> Int {
    var index = 0
    while index < ring.pointee.count {
      visit(ring.pointee[index])
      index &+= 1
    }
    return index
  }

  /// Like `first`, of what an observer looks at.
  func first(
    after position: UInt64, at now: UInt64, for subscription: Subscription.Pointer
  ) -> QueuedEvent.Pointer? {
    var queued = first(after: position, at: now)
    while let kept = queued, !subscription.pointee.looks(at: kept.pointee.event.origin) {
      queued = first(after: kept.pointee.event.position, at: now)
    }
    return queued
  }

  private func isTooOld(_ queued: QueuedEvent.Pointer, at now: UInt64) -> Bool {
    let (maxAge, stamp) = (maxAgeMs.load(ordering: .relaxed), queued.pointee.key)
    return maxAge != 0 && now > stamp && now &- stamp > maxAge
  }
}

/// Keeping. For the deliverer, behind the last observer of an event.
extension History {
  /// Keeps a copy of an event, and drops events that are too many or too old.
  ///
  /// The kept events are always the last of the type, without a hole: if memory is short, the oldest go first.
  ///
  /// - Returns: By how much the number of kept events changed, and how many were lost for lack of memory.
  @_optimize(speed)
  func keep(
    _ event: UnsafePointer<mainstem_event>, at now: UInt64
  ) -> (change: Int, lost: UInt64) {
    let before = ring.pointee.count
    var spare = letGo(at: now)
    var lost: UInt64 = 0
    while true {
      if ring.pointee.reserve(), let queued = QueuedEvent.make(copying: event, reusing: &spare) {
        queued.pointee.event.flags |= UInt32(MAINSTEM_EVENT_LATE)
        // The answer has been given: a late copy completes no request.
        queued.pointee.event.reply = 0
        queued.pointee.key = now
        ring.pointee.append(queued)
        break
      }
      lost &+= 1
      guard let oldest = ring.pointee.takeFirst() else { break }
      QueuedEvent.free(spare)
      spare = oldest
    }
    QueuedEvent.free(spare)
    return (ring.pointee.count &- before, lost)
  }

  /// Makes room for one event, and returns the memory of the last one dropped.
  private func letGo(at now: UInt64) -> QueuedEvent.Pointer? {
    var spare: QueuedEvent.Pointer?
    let limit = Int(limit.load(ordering: .relaxed))
    while ring.pointee.count > 0,
      ring.pointee.count >= limit || isTooOld(ring.pointee[0], at: now)
    {
      QueuedEvent.free(spare)
      spare = ring.pointee.takeFirst()
    }
    return spare
  }

  /// Drops events until at most `most` are left, and none that was kept before the time `oldest`.
  ///
  /// - Returns: How many events were dropped.
  func drop(toMost most: UInt32, since oldest: UInt64) -> Int {
    var dropped = 0
    while ring.pointee.count > 0,
      ring.pointee.count > Int(most) || ring.pointee[0].pointee.key < oldest,
      let first = ring.pointee.takeFirst()
    {
      QueuedEvent.free(first)
      dropped &+= 1
    }
    ring.pointee.narrow()
    return dropped
  }
}

extension History {
  /// The events, oldest first, each in memory of its own.
  private struct Ring {
    private var places: UnsafeMutablePointer<QueuedEvent.Pointer>?
    /// A power of two, or 0.
    private var capacity = 0
    private var start = 0
    private(set) var count = 0

    /// The event at an index, counted from the oldest.
    subscript(index: Int) -> QueuedEvent.Pointer {
      places![(start &+ index) & (capacity &- 1)]
    }

    /// The index of the first event after a position; `count` if there is none.
    func index(after position: UInt64) -> Int {
      var (low, high) = (0, count)
      while low < high {
        let middle = (low &+ high) / 2
        if self[middle].pointee.event.position > position {
          high = middle
        } else {
          low = middle &+ 1
        }
      }
      return low
    }

    /// Makes room for one more; false without memory.
    mutating func reserve() -> Bool {
      guard count == capacity else { return true }
      let wider = capacity == 0 ? 4 : capacity &* 2
      return move(toPlaces: wider)
    }

    /// Shrinks the ring if most of it is empty. Without memory to move to, it stays as it is.
    mutating func narrow() {
      var enough = 4
      while enough < count { enough &*= 2 }
      if capacity / 4 >= enough { _ = move(toPlaces: enough) }
    }

    private mutating func move(toPlaces number: Int) -> Bool {
      guard let fresh = Memory.allocate(QueuedEvent.Pointer.self, count: number) else {
        return false
      }
      var index = 0
      while index < count {
        (fresh + index).initialize(to: self[index])
        index &+= 1
      }
      Memory.free(places)
      (places, capacity, start) = (fresh, number, 0)
      return true
    }

    /// Appends an event, after `reserve` or after one was taken.
    mutating func append(_ queued: QueuedEvent.Pointer) {
      places?[(start &+ count) & (capacity &- 1)] = queued
      count &+= 1
    }

    mutating func takeFirst() -> QueuedEvent.Pointer? {
      guard count > 0 else { return nil }
      let oldest = self[0]
      start = (start &+ 1) & (capacity &- 1)
      count &-= 1
      return oldest
    }

    mutating func free() {
      while let queued = takeFirst() { QueuedEvent.free(queued) }
      Memory.free(places)
      self = Ring()
    }
  }
}

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

/// The histories of a stream, at most one of a type. Under the stream's lock; any thread reads the counters, and the
/// deliverer writes them.
struct Histories: ~Copyable {
  private var listed = List<History, History.InStream>()
  /// How many events are kept, and how many were lost for lack of memory.
  private let kept = Atomic<UInt64>(0)
  private let lost = Atomic<UInt64>(0)

  @inline(__always)
  var isEmpty: Bool { listed.isEmpty }

  mutating func add(_ history: History.Pointer) { listed.append(history) }

  mutating func remove(_ history: History.Pointer) { listed.remove(history) }

  /// Forgets all. Their memory is freed by the hooks of their recorders.
  mutating func clear() { listed = List() }

  func each(_ visit: (History.Pointer) -> Void) { listed.each(visit) }

  /// The first that satisfies a condition.
  func first(where isWanted: (History.Pointer) -> Bool) -> History.Pointer? {
    var found: History.Pointer?
    _ = listed.all { history in
      if isWanted(history) { found = history }
      return found == nil
    }
    return found
  }
}

/// Counting.
extension Histories {
  /// Counts kept and lost events. Only the deliverer does, so the load and the store need not be one atomic step.
  func count(kept change: Int, lost more: UInt64) {
    if change != 0 {
      let total = kept.load(ordering: .relaxed)
      kept.store(total &+ UInt64(bitPattern: Int64(change)), ordering: .relaxed)
    }
    if more != 0 { lost.store(lost.load(ordering: .relaxed) &+ more, ordering: .relaxed) }
  }

  func resetCounts() {
    kept.store(0, ordering: .relaxed)
    lost.store(0, ordering: .relaxed)
  }

  func readStats(into stats: UnsafeMutablePointer<mainstem_context_stats>) {
    stats.pointee.history = kept.load(ordering: .relaxed)
    stats.pointee.history_lost = lost.load(ordering: .relaxed)
  }
}
