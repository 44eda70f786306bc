// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Opening and closing: the memory of a stream serves one context after another.
extension Stream {
  /// An empty stream that belongs to `owner`; 0: to any thread.
  package static func open(
    owner: UInt, keepsTime: Bool, isTimed: Bool, defers: Bool, isVirtual: Bool, seed: UInt64,
    _ limits: Limits
  ) throws(Refusal) -> (Stream, Handle) {
    guard let stream = takeFree() ?? make() else { throw .noMemory }
    watchForks()
    let state = stream.state
    state.pointee.isTimed = isTimed
    state.pointee.loop.open(isVirtual: isVirtual, seed: seed)
    stream.resetCounts()
    stream.setOrder(owner: owner, keepsTime: keepsTime, limits)
    do throws(Refusal) {
      let handle = try stream.makeRoot()
      stream.openDelivery(defers: defers)
      stream.openOrder(defers: defers)
      return (stream, handle)
    } catch {
      stream.giveFree()
      throw error
    }
  }

  /// Forgets what an earlier context counted and was fed.
  private func resetCounts() {
    state.pointee.feeding.store(0, ordering: .relaxed)
    state.pointee.feed = Feed()
    state.pointee.failures.store(0, ordering: .relaxed)
    state.pointee.openRequests.store(0, ordering: .relaxed)
    state.pointee.denials.store(0, ordering: .relaxed)
    state.pointee.hasLimited.store(false, ordering: .relaxed)
    state.pointee.history.store(0, ordering: .relaxed)
    state.pointee.historyLost.store(0, ordering: .relaxed)
  }

  /// Makes the context's own scope, and the types with which the stream reports.
  private func makeRoot() throws(Refusal) -> Handle {
    guard let root = Memory.allocate(Scope.self) else { throw .noMemory }
    guard let (slot, handle) = state.pointee.slots.make(.root, stream: address, object: root) else {
      Memory.free(root)
      throw Refusal(.limit, "", "out of handles")
    }
    root.initialize(to: Scope(slot: slot, handle: handle, origin: 0, parent: nil))
    state.pointee.root = root
    makeTombstone(root)
    do throws(Refusal) {
      try addReportTypes()
    } catch {
      state.pointee.slots.end(slot)
      clear()
      throw error
    }
    return handle
  }

  /// Refuses what comes from here on, and takes the delivery lock for good. Waits for the deliverer.
  package func beginClose(_ resolved: ResolvedHandle) throws(Refusal) {
    try resolved.locked { () throws(Refusal) in
      closeOrder()
      beginLastDrain()
      while !lockDeliveryOrMark() { waitForDeliverer() }
    }
    deliverRest()
    deliverLastPosts()
  }

  /// Ends all handles, runs the release hooks, the last registered first, and frees everything.
  package func endClose() {
    let wakeHook = locked {
      var next = state.pointee.firstSubscription
      while let subscription = next {
        state.pointee.slots.end(subscription.pointee.slot)
        next = subscription.pointee.next
      }
      if let root = state.pointee.root {
        Scope.eachDownwards(root) { scope in
          endTimers(of: scope)
          state.pointee.slots.end(scope.pointee.slot)
        }
      }
      endAllRetained()
      state.pointee.lock.wakeAll()
      return state.pointee.loop.close()
    }
    while let subscription = state.pointee.lastSubscription {
      if let release = subscription.pointee.release {
        Frame.enter(self, nil) { _ in release(subscription.pointee.userData) }
      }
      if isForked { return }
      locked { unlinkWithScope(subscription) }
      // Its scheduler has stopped.
      if let queue = subscription.pointee.queue {
        queue.pointee.scheduler.pointee.purge(queue)
      }
      Subscription.freeParts(subscription)
      Memory.free(subscription)
    }
    wakeHook.end()
    locked { clear() }
    giveFree()
  }

  /// Frees what the context had. The table's chunks stay.
  private func clear() {
    var type: UInt32 = 1
    while Int(type) <= state.pointee.types.count {
      state.pointee.observerTable.find(type)?.pointee.clear()
      type &+= 1
    }
    state.pointee.schedulers.free()
    state.pointee.gapType = 0
    state.pointee.types.free()
    state.pointee.layers.free()
    state.pointee.origins.free()
    state.pointee.scopeNumbers.free()
    if let root = state.pointee.root {
      Scope.eachUpwards(root) { scope in
        Scope.unlink(scope)
        Scope.free(scope)
      }
    }
    state.pointee.root = nil
    state.pointee.firstServer = nil
    state.pointee.lastServer = nil
    state.pointee.slots.empty()
    state.pointee.slots = FreeSlots()
    state.pointee.spares.empty()
    state.pointee.serial = 0
    clearDelivery()
    state.pointee.reportsActivity = false
    state.pointee.counts = StreamState.Counts()
    state.pointee.firstError.sentence?.free()
    state.pointee.firstError = FirstError()
    state.pointee.firstHistory = nil
    state.pointee.firstCancelled = nil
    state.pointee.lastCancelled = nil
  }

  private static func make() -> Stream? {
    guard let state = Memory.allocateAligned(StreamState.self) else { return nil }
    guard let observerTable = ObserverTable() else {
      Memory.free(state)
      return nil
    }
    guard let lock = Lock() else {
      observerTable.free()
      Memory.free(state)
      return nil
    }
    guard let tombstone = Memory.allocateAligned(Subscription.self) else {
      lock.destroy()
      observerTable.free()
      Memory.free(state)
      return nil
    }
    guard let deliverer = Memory.allocateAligned(DelivererState.self) else {
      Memory.free(tombstone)
      lock.destroy()
      observerTable.free()
      Memory.free(state)
      return nil
    }
    deliverer.initialize(to: DelivererState())
    state.initialize(
      to: StreamState(
        observerTable: observerTable, lock: lock, tombstone: tombstone, deliverer: deliverer))
    return Stream(state)
  }

  /// Makes the row that stands for an observer that has ended.
  private func makeTombstone(_ root: Scope.Pointer) {
    let options = Subscription.Options({ _, _ in }, nil, nil, .nothing)
    state.pointee.tombstone.initialize(
      to: Subscription(
        options, queue: nil, through: nil, scope: root, slot: root.pointee.slot, serial: 0))
    state.pointee.tombstone.pointee.state.store(Subscription.cancelled, ordering: .relaxed)
  }

  /// Takes the memory of a closed context. Not a `FreeList`: the list belongs to the process, so C has its head, and
  /// nothing in it is ever freed.
  private static func takeFree() -> Stream? {
    mainstem_p_handles_lock()
    defer { mainstem_p_handles_unlock() }
    guard let free = mainstem_p_handles().pointee.free_streams else { return nil }
    let state = free.assumingMemoryBound(to: StreamState.self)
    mainstem_p_handles().pointee.free_streams = UnsafeMutableRawPointer(state.pointee.nextFree)
    return Stream(state)
  }

  private func giveFree() {
    mainstem_p_handles_lock()
    state.pointee.nextFree = mainstem_p_handles().pointee.free_streams?
      .assumingMemoryBound(to: StreamState.self)
    mainstem_p_handles().pointee.free_streams = UnsafeMutableRawPointer(state)
    mainstem_p_handles_unlock()
  }
}
