// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The last events of one type, oldest first, each in memory of its own. Used by the deliverer only.
package struct HistoryRing {
  private var places: UnsafeMutablePointer<QueuedEvent.Pointer>?
  /// A power of two, or 0.
  private var capacity = 0
  private var start = 0
  package private(set) var count = 0

  package init() {}

  /// The event at an index, counted from the oldest.
  package subscript(index: Int) -> QueuedEvent.Pointer {
    places![(start &+ index) & (capacity &- 1)]
  }

  /// The index of the first event after a position; `count` if there is none.
  package func index(after position: UInt64) -> Int {
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
  package mutating func reserve() -> Bool {
    guard count == capacity else { return true }
    let wider = capacity == 0 ? 4 : capacity &* 2
    return move(toPlaces: wider)
  }

  /// Shrinks the ring if most of it is empty. Without memory to move to, it stays as it is.
  package mutating func narrow() {
    var enough = 4
    while enough < count { enough &*= 2 }
    if capacity / 4 >= enough { _ = move(toPlaces: enough) }
  }

  private mutating func move(toPlaces number: Int) -> Bool {
    guard let fresh = Memory.allocate(QueuedEvent.Pointer.self, count: number) else { return false }
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
  package mutating func append(_ queued: QueuedEvent.Pointer) {
    places?[(start &+ count) & (capacity &- 1)] = queued
    count &+= 1
  }

  package mutating func takeFirst() -> QueuedEvent.Pointer? {
    guard count > 0 else { return nil }
    let oldest = self[0]
    start = (start &+ 1) & (capacity &- 1)
    count &-= 1
    return oldest
  }

  package mutating func free() {
    while let queued = takeFirst() { QueuedEvent.free(queued) }
    Memory.free(places)
    self = HistoryRing()
  }
}
