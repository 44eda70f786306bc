// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Promising: a queue that refuses when it is full has a queue entry for everything it let in.
extension Scheduler {
  /// The result of asking for room for one more event.
  package enum Promise {
    case place(QueueEntry.Pointer)
    case full
    case noMemory
  }

  /// Promises room to an event that is about to be accepted.
  package mutating func promise(
    _ size: Int, in queue: SubscriptionQueue.Pointer, isPost: Bool
  ) -> Promise {
    guard queue.pointee.fits(size) else { return .full }
    guard let place = spares.take() ?? Memory.allocate(QueueEntry.self) else { return .noMemory }
    place.initialize(to: QueueEntry(promisedBy: queue, size, isPosted: isPost))
    queue.pointee.promise(place)
    return .place(place)
  }

  /// Takes a promised entry back: its event will not come.
  package mutating func takeBack(_ place: QueueEntry.Pointer) {
    if let queue = place.pointee.promisedBy {
      queue.pointee.redeem(place)
      if queue.pointee.isLeftOver { Memory.free(queue) }
    }
    spares.give(place)
    wakeSleepers()
  }

}

extension SubscriptionQueue {
  /// Ends the queue of a subscription that has ended.
  package static func end(_ queue: Pointer) {
    let lock = queue.pointee.scheduler.pointee.lock
    lock.acquire()
    let isFree = queue.pointee.end()
    lock.release()
    if isFree { Memory.free(queue) }
  }

  /// Drops what waits in a queue. Nobody delivers on its scheduler, and nobody will.
  package static func empty(_ queue: Pointer) { queue.pointee.scheduler.pointee.purge(queue) }
}
