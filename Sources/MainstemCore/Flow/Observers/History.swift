// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
package import Synchronization

/// What is kept of one event type for late observers.
///
/// A row of the core's own, behind all observers, keeps each event: a type without a history pays
/// nothing. The ring is the deliverer's; how much to keep may be set by any thread, under the lock.
package struct History: ~Copyable {
  package let type: UInt32
  /// How many events; never 0.
  package let limit: Atomic<UInt32>
  /// Older events are dropped; 0: no limit.
  package let maxAgeMs: Atomic<UInt64>
  /// What new bounds drop, until the deliverer has done it. Under the lock.
  package var change = Change()
  package let ring: UnsafeMutablePointer<HistoryRing>
  /// The row that keeps. Under the lock, like the list.
  package var recorder: Subscription.Pointer?
  package var next: Pointer?

  package typealias Pointer = UnsafeMutablePointer<History>

  private init(type: UInt32, ring: UnsafeMutablePointer<HistoryRing>) {
    self.type = type
    self.ring = ring
    limit = Atomic(0)
    maxAgeMs = Atomic(0)
  }
}

extension History {
  package static var largestLimit: Int { 1 << 24 }

  /// An empty history; nil when there is no memory.
  package static func make(of type: UInt32) -> Pointer? {
    guard let history = Memory.allocate(History.self) else { return nil }
    guard let ring = Memory.allocate(HistoryRing.self) else {
      Memory.free(history)
      return nil
    }
    ring.initialize(to: HistoryRing())
    history.initialize(to: History(type: type, ring: ring))
    return history
  }

  /// Gives all memory back; tells how many events there were.
  package static func free(_ history: Pointer) -> Int {
    let count = history.pointee.ring.pointee.count
    history.pointee.ring.pointee.free()
    Memory.free(history.pointee.ring)
    Memory.free(history)
    return count
  }

  /// The place of the first event that a late observer still gets. For the deliverer.
  package func first(after position: UInt64, at now: UInt64) -> QueuedEvent.Pointer? {
    let count = ring.pointee.count
    let limit = Int(limit.load(ordering: .relaxed))
    var index = max(ring.pointee.index(after: position), count > limit ? count &- limit : 0)
    while index < count, isTooOld(ring.pointee[index], at: now) { index &+= 1 }
    return index < count ? ring.pointee[index] : nil
  }

  package func isTooOld(_ queued: QueuedEvent.Pointer, at now: UInt64) -> Bool {
    let (maxAge, stamp) = (maxAgeMs.load(ordering: .relaxed), queued.pointee.key)
    return maxAge != 0 && now > stamp && now &- stamp > maxAge
  }
}

/// Keeping. The deliverer, behind the last observer of an event.
extension History {
  /// Keeps a copy of an event, and lets go of what is too much or too old.
  ///
  /// What is kept is always the last events of the type without a hole: where memory is short, the
  /// oldest go first.
  ///
  /// - Returns: How many more, or fewer, are kept now, and how many were lost for want of memory.
  package func keep(
    _ event: UnsafePointer<mainstem_event>, at now: UInt64
  ) -> (change: Int, lost: UInt64) {
    let before = ring.pointee.count
    var spare = letGo(at: now)
    var lost: UInt64 = 0
    while true {
      if ring.pointee.reserve(), let queued = QueuedEvent.room(for: event, reusing: &spare) {
        QueuedEvent.copy(event, into: queued)
        queued.pointee.event.flags |= UInt32(MAINSTEM_EVENT_LATE)
        // An answer has been given: a late copy of it completes no request.
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

  /// Makes room for one event: the memory of the last that had to go.
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
}

extension QueuedEvent {
  /// Memory for a copy of an event: what is at hand, if it fits and is not far too large.
  fileprivate static func room(
    for event: UnsafePointer<mainstem_event>, reusing spare: inout Pointer?
  ) -> Pointer? {
    let size = Int(event.pointee.size)
    if let fitting = spare, fitting.pointee.capacity >= size,
      fitting.pointee.capacity <= size &* 2 &+ 64
    {
      spare = nil
      return fitting
    }
    return make(capacity: size)
  }
}
