// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Room in queues that refuse: promised before an event is accepted.
extension Stream {
  /// Takes the lock with room for an event that may have to wait, and its handle still live; without the
  /// lock when it fails.
  ///
  /// - Parameter isPost: Whether it waits in the inbox.
  package func lockWithRoom(
    for draft: Draft, _ kept: KeptEvent.Pointer, _ slot: Slot.Pointer, _ key: UInt64,
    isPost: Bool = false
  ) throws(Refusal) {
    state.pointee.lock.acquire()
    do throws(Refusal) {
      repeat {
        guard slot.pointee.state.load(ordering: .acquiring) == key, !isClosed else { throw .closed }
        if isPost {
          try demandRoomInInbox(for: draft.size)
        } else {
          try demandRoomToWait(for: draft.size)
        }
      } while try !isPromised(room: draft, kept, waits: true)
    } catch {
      state.pointee.lock.release()
      throw error
    }
  }

  /// Whether every queue that refuses has promised room to an event. Under the lock.
  ///
  /// - Parameter waits: Whether the caller may wait for room where that is the queue's policy.
  /// - Returns: False after a wait: all has to be looked at again.
  package func isPromised(
    room draft: Draft, _ kept: KeptEvent.Pointer, waits: Bool
  ) throws(Refusal) -> Bool {
    guard let lane = state.pointee.lanes.find(draft.type),
      lane.pointee.refusers.load(ordering: .relaxed) > 0
    else {
      return true
    }
    guard let full = promiseRoom(lane, draft.size) else {
      kept.pointee.isPromised = true
      return true
    }
    guard waits, full.pointee.bounds.policy == .block, Frame.of(self) == nil, !isOurs(full) else {
      state.pointee.rejections.wrappingAdd(1, ordering: .relaxed)
      throw Refusal(.full, "", "the queue of a scheduled observer is at its bound")
    }
    waitForRoom(draft.size, in: full)
    return false
  }

  /// As `isPromised`, for one who asks that again where there is no room. Under the lock.
  package func promisesRoom(to draft: Draft, _ kept: KeptEvent.Pointer) -> Bool {
    guard let lane = state.pointee.lanes.find(draft.type), promiseRoom(lane, draft.size) == nil
    else { return false }
    kept.pointee.isPromised = true
    return true
  }

  /// Takes the promise back to an event that is not accepted after all. Under the lock.
  package func breakPromise(to kept: KeptEvent.Pointer?, _ draft: Draft) {
    guard let kept, kept.pointee.isPromised, let lane = state.pointee.lanes.find(draft.type),
      let rows = lane.pointee.rows
    else { return }
    redeemRoom(rows, Int(lane.pointee.count), draft.size)
  }

  /// Whether room is made by nobody but the calling thread.
  private func isOurs(_ backlog: Backlog.Pointer) -> Bool {
    isHostRun(backlog.pointee.scheduler) && isOwned && isMine
  }

  /// Gives the stream's lock up until there may be room.
  private func waitForRoom(_ size: Int, in backlog: Backlog.Pointer) {
    let scheduler = backlog.pointee.scheduler
    scheduler.pointee.lock.acquire()
    if backlog.pointee.fits(size) { return scheduler.pointee.lock.release() }
    scheduler.pointee.blocked &+= 1
    state.pointee.lock.release()
    Scheduler.sleep(scheduler)
    scheduler.pointee.blocked &-= 1
    scheduler.pointee.wakeSleepers()
    scheduler.pointee.lock.release()
    state.pointee.lock.acquire()
  }

  /// Promises room in every queue of a lane that refuses what is too much.
  ///
  /// - Returns: The one that is full; nil when all have room.
  private func promiseRoom(_ lane: Lane.Pointer, _ size: Int) -> Backlog.Pointer? {
    guard let rows = lane.pointee.rows else { return nil }
    var index = 0
    while index < Int(lane.pointee.count) {
      if let backlog = Stream.refuser(rows[index]), !promise(size, backlog) {
        redeemRoom(rows, index, size)
        return backlog
      }
      index &+= 1
    }
    return nil
  }

  /// Takes the promises of the first rows back.
  private func redeemRoom(
    _ rows: UnsafeMutablePointer<Subscription.Pointer>, _ count: Int, _ size: Int
  ) {
    var index = 0
    while index < count {
      if let backlog = Stream.refuser(rows[index]) {
        let scheduler = backlog.pointee.scheduler
        scheduler.pointee.lock.acquire()
        backlog.pointee.redeem(size)
        scheduler.pointee.lock.release()
      }
      index &+= 1
    }
  }

  private func promise(_ size: Int, _ backlog: Backlog.Pointer) -> Bool {
    let scheduler = backlog.pointee.scheduler
    scheduler.pointee.lock.acquire()
    defer { scheduler.pointee.lock.release() }
    return backlog.pointee.promise(size)
  }

  /// The backlog of a live row that refuses what is too much.
  private static func refuser(_ row: Subscription.Pointer) -> Backlog.Pointer? {
    guard let backlog = row.pointee.backlog, backlog.pointee.bounds.policy.refuses,
      !Subscription.isCancelled(row)
    else { return nil }
    return backlog
  }
}
