// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The events that hosts keep beyond their callbacks. Under the stream's lock.
struct RetainedEvents {
  private(set) var first: QueuedEvent.Pointer?
  private(set) var count: UInt64 = 0

  mutating func add(_ queued: QueuedEvent.Pointer) {
    queued.pointee.next = first
    queued.pointee.other = nil
    first?.pointee.other = UnsafeMutableRawPointer(queued)
    first = queued
    count &+= 1
  }

  mutating func remove(_ queued: QueuedEvent.Pointer) {
    let previous = queued.pointee.other?.assumingMemoryBound(to: QueuedEvent.self)
    if let previous {
      previous.pointee.next = queued.pointee.next
    } else {
      first = queued.pointee.next
    }
    queued.pointee.next?.pointee.other = queued.pointee.other
    count &-= 1
  }

  /// Visits all, and returns how many they are.
  func each(_ visit: (QueuedEvent.Pointer) -> Void) -> Int {
    QueuedEvent.each(from: first, visit)
  }
}
