// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Room in queues that refuse: promised before an event is accepted.
///
/// A promise is an entry in one queue, kept with the event. The hand-over puts the event into it. When the event ends,
/// for whatever reason, the entries that are left go back.
extension Stream {
  /// Whether every queue that refuses has promised room to an event. Outside callbacks, waits for room if that is the
  /// queue's policy. Under the lock.
  ///
  /// - Returns: False after a wait: everything must be checked again.
  package func isPromised(
    room draft: Draft, _ queued: QueuedEvent.Pointer, isPost: Bool = false
  ) throws(Refusal) -> Bool {
    switch promiseRoom(to: draft, queued, isPost: isPost) {
    case .none: return true
    case .noMemory: throw .noMemory
    case .full(let queue):
      guard queue.pointee.bounds.policy == .block, Frame.of(self) == nil,
        !isForUs(toMakeRoomFor: draft.weight, in: queue)
      else {
        countRejection()
        throw .lacking(.queue)
      }
      waitForRoom(draft.weight, in: queue)
      return false
    }
  }

  /// Like `isPromised`, for a caller that asks again with `isPromised` if there is no room. Under the lock.
  package func promisesRoom(to draft: Draft, _ queued: QueuedEvent.Pointer) -> Bool {
    if case .none = promiseRoom(to: draft, queued, isPost: false) { true } else { false }
  }

  /// Whether only the calling thread can make room: it delivers from the scheduler itself, or nothing waits in the
  /// queue and the room is promised to events that this thread has yet to hand over.
  private func isForUs(toMakeRoomFor size: Int, in queue: SubscriptionQueue.Pointer) -> Bool {
    guard isOwned || isGuarded, isMine else { return false }
    let scheduler = queue.pointee.scheduler
    if isHostRun(scheduler) { return true }
    scheduler.pointee.lock.acquire()
    defer { scheduler.pointee.lock.release() }
    // The scheduler may have made room since we looked.
    return queue.pointee.events == 0 && !queue.pointee.fits(size)
  }

  /// Releases the stream's lock until there may be room.
  private func waitForRoom(_ size: Int, in queue: SubscriptionQueue.Pointer) {
    let scheduler = queue.pointee.scheduler
    scheduler.pointee.lock.acquire()
    if queue.pointee.fits(size) { return scheduler.pointee.lock.release() }
    Scheduler.sleepForRoom(scheduler, releasing: state.pointee.lock)
    scheduler.pointee.lock.release()
    state.pointee.lock.acquire()
  }
}

extension Observers {
  /// Whether queues are asked for room before an event of a type is accepted.
  package func asksForRoom(_ type: UInt32) -> Bool {
    guard let observers = find(type) else { return false }
    return asksForRoom(observers)
  }
}

/// Promising. Under the lock.
extension Stream {
  /// Why no room was promised.
  private enum Shortage {
    case none
    case full(SubscriptionQueue.Pointer)
    case noMemory
  }

  /// Asks every queue that refuses: those of the type's observers, and of the observers that will have joined by the
  /// time the event has its turn. Either all promise room, or none. A fed stream asks no queue: it refuses what was
  /// refused in the recorded session.
  private func promiseRoom(
    to draft: Draft, _ queued: QueuedEvent.Pointer, isPost: Bool
  ) -> Shortage {
    guard let observers = state.pointee.observers.find(draft.type),
      state.pointee.observers.asksForRoom(observers),
      !isFed
    else {
      return .none
    }
    var last: QueueEntry.Pointer?
    var shortage = Shortage.none
    eachRefuser(draft, observers) { row, queue in
      shortage = promiseRoom(to: draft, queued, row, queue, &last, isPost)
      if case .none = shortage { return true }
      return false
    }
    return shortage
  }

  /// Asks one queue, if its observer will get the event. If it has no room, the others get theirs back.
  private func promiseRoom(
    to draft: Draft, _ queued: QueuedEvent.Pointer, _ row: Subscription.Pointer,
    _ queue: SubscriptionQueue.Pointer, _ last: inout QueueEntry.Pointer?, _ isPost: Bool
  ) -> Shortage {
    let scheduler = queue.pointee.scheduler
    scheduler.pointee.lock.acquire()
    let isWanted = row.pointee.wantsMore(
      than: UInt64(queue.pointee.promisedBefore(isPost: isPost)))
    let promise =
      isWanted ? scheduler.pointee.promise(draft.weight, in: queue, isPost: isPost) : nil
    scheduler.pointee.lock.release()
    switch promise {
    case nil: return .none
    case .place(let place):
      if let last {
        last.pointee.next = place
      } else {
        queued.pointee.promises = UnsafeMutableRawPointer(place)
      }
      last = place
      return .none
    case .full, .noMemory:
      giveBackRoom(of: queued)
      if case .full = promise { return .full(queue) }
      return .noMemory
    }
  }
}

/// Using what was promised. For the deliverer, or whoever else has the event.
extension Stream {
  /// The entry in a queue that was promised to an event; nil if there is none.
  package func takeRoom(
    of queued: QueuedEvent.Pointer, in queue: SubscriptionQueue.Pointer
  ) -> QueueEntry.Pointer? {
    var before: QueueEntry.Pointer?
    var next = Stream.firstPlace(of: queued)
    while let place = next {
      next = place.pointee.next
      guard place.pointee.promisedBy == queue else {
        before = place
        continue
      }
      if let before {
        before.pointee.next = next
      } else {
        queued.pointee.promises = next.map { UnsafeMutableRawPointer($0) }
      }
      return place
    }
    return nil
  }

  /// An event leaves the inbox: events accepted from now on come behind it. Under the lock.
  package func takeInRoom(of queued: QueuedEvent.Pointer) {
    var next = Stream.firstPlace(of: queued)
    while let place = next, let queue = place.pointee.promisedBy {
      next = place.pointee.next
      let lock = queue.pointee.scheduler.pointee.lock
      lock.acquire()
      queue.pointee.takeIn(place)
      lock.release()
    }
  }

  /// Gives back what is left of the room promised to an event.
  @inline(__always)
  package func giveBackRoom(of queued: QueuedEvent.Pointer) {
    if queued.pointee.promises != nil { giveBackPlaces(of: queued) }
  }

  @inline(never)
  private func giveBackPlaces(of queued: QueuedEvent.Pointer) {
    while let place = Stream.firstPlace(of: queued), let queue = place.pointee.promisedBy {
      queued.pointee.promises = place.pointee.next.map { UnsafeMutableRawPointer($0) }
      let scheduler = queue.pointee.scheduler
      scheduler.pointee.lock.acquire()
      scheduler.pointee.takeBack(place)
      scheduler.pointee.lock.release()
    }
  }

  /// Frees an event that is not accepted after all.
  package func giveUp(_ queued: QueuedEvent.Pointer?) {
    guard let queued else { return }
    giveBackRoom(of: queued)
    QueuedEvent.free(queued)
  }

  private static func firstPlace(of queued: QueuedEvent.Pointer) -> QueueEntry.Pointer? {
    queued.pointee.promises?.assumingMemoryBound(to: QueueEntry.self)
  }
}

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
