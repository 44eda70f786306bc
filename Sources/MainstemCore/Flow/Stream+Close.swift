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
    state.pointee.keepsTime = keepsTime
    state.pointee.limits = limits
    state.pointee.loop.open(isVirtual: isVirtual, seed: seed)
    stream.resetCounts()
    state.pointee.owner.store(owner, ordering: .relaxed)
    stream.allowQuickSends()
    do throws(Refusal) {
      let handle = try stream.makeRoot(isTimed: isTimed)
      stream.begin(defers)
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
    state.pointee.deliveries.store(0, ordering: .relaxed)
    state.pointee.scheduledCalls.store(0, ordering: .relaxed)
    state.pointee.openRequests.store(0, ordering: .relaxed)
    state.pointee.denials.store(0, ordering: .relaxed)
    state.pointee.rejections.store(0, ordering: .relaxed)
    state.pointee.cuts.store(0, ordering: .relaxed)
    state.pointee.hasLimited.store(false, ordering: .relaxed)
  }

  /// Makes the context's own scope, and the types with which the stream reports.
  private func makeRoot(isTimed: Bool) throws(Refusal) -> Handle {
    guard let root = Memory.allocate(Scope.self) else { throw .noMemory }
    guard let (slot, handle) = state.pointee.slots.make(.root, stream: address, object: root) else {
      Memory.free(root)
      throw Refusal(.limit, "", "out of handles")
    }
    root.initialize(to: Scope(slot: slot, handle: handle, origin: 0, parent: nil))
    state.pointee.root = root
    state.pointee.observers.open(root, isTimed: isTimed)
    do throws(Refusal) {
      try addReportTypes()
    } catch {
      state.pointee.slots.end(slot)
      endObservers()
      clear()
      throw error
    }
    return handle
  }

  /// Opens the state word: from here on events are accepted.
  private func begin(_ defers: Bool) {
    // The count goes on, so that no word of an earlier context ever matches again.
    let count = StateWord(bits: state.pointee.word.load(ordering: .relaxed)).count &+ 1
    state.pointee.base = count
    deliverer.pointee.allowance = defers ? .nothing : .all
    state.pointee.isDeferredNoted = false
    let word = StateWord(count: count, isDeferred: defers)
    state.pointee.word.store(word.bits, ordering: .releasing)
  }

  /// Refuses what comes from here on, and takes the delivery lock for good. Waits for the deliverer.
  package func beginClose(_ resolved: ResolvedHandle) throws(Refusal) {
    try resolved.locked { () throws(Refusal) in
      set(StateWord.closed)
      beginLastDrain()
      while !lockDeliveryOrMark() { waitForDeliverer() }
    }
    locked { deliverer.pointee.arrived.append(&state.pointee.shared) }
    deliverer.pointee.allowance = .all
    deliverLastPosts()
  }

  /// Ends all handles, runs the release hooks, the last registered first, and frees everything.
  package func endClose() {
    let wakeHook = locked {
      endSubscriptionHandles()
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
    endObservers()
    if isForked { return }
    wakeHook.end()
    locked { clear() }
    giveFree()
  }

  /// Frees what the context had. The table's chunks stay.
  private func clear() {
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
    deliverer.pointee.cascadeLog.free()
    state.pointee.reportsActivity = false
    state.pointee.counts = StreamState.Counts()
    state.pointee.firstError.sentence?.free()
    state.pointee.firstError = FirstError()
    state.pointee.attention.store(0, ordering: .relaxed)
  }

  private static func make() -> Stream? {
    guard let state = Memory.allocateAligned(StreamState.self) else { return nil }
    guard let lock = Lock() else {
      Memory.free(state)
      return nil
    }
    guard let deliverer = Memory.allocateAligned(DelivererState.self) else {
      lock.destroy()
      Memory.free(state)
      return nil
    }
    guard let observers = Observers.make() else {
      Memory.free(deliverer)
      lock.destroy()
      Memory.free(state)
      return nil
    }
    deliverer.initialize(to: DelivererState())
    state.initialize(
      to: StreamState(observers: observers, lock: lock, deliverer: deliverer))
    return Stream(state)
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
