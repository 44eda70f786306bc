// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Origins whose scopes have ended: they are forgotten when nothing names them any longer.
extension Stream {
  /// Frees a scope that has ended and has no subscription left. Under the lock.
  package func free(_ scope: Scope.Pointer) {
    state.pointee.origins.endScope(scope.pointee.origin)
    Scope.free(scope)
    askForSweep()
  }

  /// Ends an origin that no further event of the source will have. Under the lock.
  package func endFed(_ origin: UInt32) {
    state.pointee.origins.end(origin)
    askForSweep()
  }

  private func askForSweep() {
    guard state.pointee.origins.wantsSweep else { return }
    ask(for: Attention.origins)
  }

  /// Forgets the origins that nothing names any longer, if enough of them have ended. For the deliverer, between two
  /// events.
  @inline(__always)
  package func sweepOriginsIfAsked() {
    if isAsked(for: Attention.origins) { sweepOrigins() }
  }

  @inline(never)
  private func sweepOrigins() {
    let tells = locked { () -> Bool in
      endAsking(for: Attention.origins)
      var tells = false
      guard let posts = markOriginsOfPosts(&tells) else {
        state.pointee.origins.postpone(after: 0)
        return tells
      }
      let cost = posts &+ markOrigins()
      let others = state.pointee.schedulers.look()
      let (tap, feed) = (tap, state.pointee.feed)
      state.pointee.origins.sweep(others, after: cost) { origin in
        if let source = feed.source { feed.forget?(source, origin) }
        if let tap { tap.pointee.forget(tap.pointee.state, origin) }
      }
      return tells
    }
    if tells { signal() }
  }

  /// Marks the origins named by anything that waits or is kept. Under the lock.
  ///
  /// - Returns: How many things were looked at.
  private func markOrigins() -> Int {
    var cost = 0
    eachFirstWaiting { cost &+= mark($0) }
    cost &+= markRetained() &+ markHistory() &+ markScheduled() &+ markFrames()
    cost &+= state.pointee.upcalls.markOrigins?(UnsafeMutableRawPointer(state)) ?? 0
    if let source = state.pointee.feed.source {
      cost &+= state.pointee.feed.markOrigins?(source) ?? 0
    }
    return cost
  }

  /// Marks the origin of an event. Under the lock.
  package func markOrigin(of queued: QueuedEvent.Pointer) {
    state.pointee.origins.mark(queued.pointee.event.origin)
  }

  /// Marks the origins of a chain of events.
  package func mark(_ first: QueuedEvent.Pointer?) -> Int {
    var (next, count) = (first, 0)
    while let queued = next {
      markOrigin(of: queued)
      next = queued.pointee.next
      count &+= 1
    }
    return count
  }

  private func markRetained() -> Int {
    var next = state.pointee.firstRetained
    while let queued = next {
      state.pointee.origins.mark(UInt32(truncatingIfNeeded: queued.pointee.event.through))
      next = queued.pointee.next
    }
    return mark(state.pointee.firstRetained)
  }

  private func markHistory() -> Int {
    var (next, count) = (state.pointee.firstHistory, 0)
    while let history = next {
      count &+= history.pointee.each { markOrigin(of: $0) }
      next = history.pointee.next
    }
    return count
  }

  /// Marks the origins of what waits on schedulers, including what nobody has asked for yet.
  private func markScheduled() -> Int {
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
    var next = state.pointee.firstSubscription
    while let subscription = next {
      count &+= 1
      if let queue = subscription.pointee.queue { count &+= mark(queue) }
      next = subscription.pointee.next
    }
    return count
  }

  private func mark(_ queue: SubscriptionQueue.Pointer) -> Int {
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

  /// Marks the origins of the callbacks that this thread is in, which are a scheduler's.
  private func markFrames() -> Int {
    var (next, count) = (Frame.innermost, 0)
    while let frame = next {
      if frame.pointee.stream.state == state {
        state.pointee.origins.mark(frame.pointee.origin)
        if let event = frame.pointee.event { state.pointee.origins.mark(event.pointee.origin) }
      }
      next = frame.pointee.previous
      count &+= 1
    }
    return count
  }
}

extension Schedulers {
  /// Visits all schedulers, including that of the mailboxes.
  fileprivate func each(_ visit: (Scheduler.Pointer) -> Void) {
    var number: UInt32 = 1
    while number <= count {
      if let scheduler = self[number] { visit(scheduler) }
      number &+= 1
    }
    if let mailboxes { visit(mailboxes) }
  }

  /// What is known about the callbacks that run on schedulers, compared with the last look.
  fileprivate func look() -> Origins.Others {
    var found = Origins.Others.none
    each { scheduler in
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

extension Scheduler {
  /// Whether callbacks run, and whether they began after the last look.
  fileprivate mutating func look() -> Origins.Others {
    defer { seen = batches }
    guard isDelivering else { return .none }
    return batches == seen ? .go : .began
  }
}
