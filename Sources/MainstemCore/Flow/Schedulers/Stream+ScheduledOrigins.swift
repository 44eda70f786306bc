// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Which origins schedulers name, before the others are forgotten. Under the lock.
extension Stream {
  /// Marks the origins of what waits on schedulers.
  package func markScheduledOrigins() -> Int {
    var count = 0
    state.pointee.schedulers.each { scheduler in
      scheduler.pointee.lock.acquire()
      var next = scheduler.pointee.entries.first
      while let node = next {
        node.pointee.queued.map { markOrigin(of: $0) }
        next = node.pointee.next
        count &+= 1
      }
      scheduler.pointee.lock.release()
    }
    return count
  }

  /// Marks the origins of what waits for one observer.
  package func markOrigins(of queue: SubscriptionQueue.Pointer) -> Int {
    let scheduler = queue.pointee.scheduler
    scheduler.pointee.lock.acquire()
    defer { scheduler.pointee.lock.release() }
    var (next, count) = (queue.pointee.first, 0)
    while let node = next {
      node.pointee.queued.map { markOrigin(of: $0) }
      next = node.pointee.nextOfSubscription
      count &+= 1
    }
    return count
  }

  /// What is known about the callbacks that run on schedulers, compared with the last look.
  package func lookAtSchedulers() -> Schedulers.Callbacks {
    var found = Schedulers.Callbacks.none
    state.pointee.schedulers.each { scheduler in
      scheduler.pointee.lock.acquire()
      switch scheduler.pointee.look() {
      case .none: break
      case .began: if case .none = found { found = .began }
      case .go: found = .go
      }
      scheduler.pointee.lock.release()
    }
    return found
  }
}
