// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Stream {
  /// Marks the origins of what waits for the deliverer, and of the callbacks that this thread is in. Under both locks.
  ///
  /// - Returns: How many things were looked at.
  package func markOriginsOfQueued() -> Int {
    deliverer.pointee.own.each { markOrigin(of: $0) }
      &+ deliverer.pointee.arrived.each { markOrigin(of: $0) }
      &+ state.pointee.order.shared.each { markOrigin(of: $0) } &+ markOriginsOfFrames()
  }

  /// The callbacks that the deliverer is in are a scheduler's.
  private func markOriginsOfFrames() -> Int {
    var (next, count) = (Frame.innermost, 0)
    while let frame = next {
      if frame.pointee.stream.state == state {
        markOrigin(frame.pointee.origin)
        if let event = frame.pointee.event { markOrigin(event.pointee.origin) }
      }
      next = frame.pointee.previous
      count &+= 1
    }
    return count
  }

  /// Marks the origin of an event. Under the lock.
  package func markOrigin(of queued: QueuedEvent.Pointer) {
    markOrigin(queued.pointee.event.origin)
  }
}
