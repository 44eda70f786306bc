// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Opening and closing: the memory of a stream serves one context after another.
extension Stream {
  /// An empty stream.
  ///
  /// - Parameters:
  ///   - port: The stations above. They never change.
  ///   - requests: The state of the station of requests.
  package static func open(
    _ threads: Threads, keepsTime: Bool, isTimed: Bool, defers: Bool, isVirtual: Bool, seed: UInt64,
    _ limits: Limits, _ port: consuming Port, _ requests: UnsafeMutableRawPointer
  ) throws(Refusal) -> Handle {
    var found = takeFree()
    if found == nil { found = make(port) }
    guard let stream = found else { throw .noMemory }
    watchForks()
    let state = stream.state
    state.pointee.loop.open(isVirtual: isVirtual, seed: seed)
    stream.resetCounts()
    stream.openPort(requests)
    stream.setOwner(threads)
    stream.openAdmission(keepsTime: keepsTime, limits)
    do throws(Refusal) {
      let handle = try stream.makeRoot(isTimed: isTimed)
      stream.openDelivery(defers: defers)
      stream.openOrder(defers: defers)
      return handle
    } catch {
      stream.giveFree()
      throw error
    }
  }

  /// Forgets what an earlier context counted.
  private func resetCounts() {
    state.pointee.openRequests.store(0, ordering: .relaxed)
  }

  /// Makes the context's own scope, and the types with which the stream reports.
  private func makeRoot(isTimed: Bool) throws(Refusal) -> Handle {
    let root = try addRoot()
    state.pointee.observers.open(root, isTimed: isTimed)
    do throws(Refusal) {
      try addReportTypes()
    } catch {
      endScopes()
      endObservers()
      clear()
      throw error
    }
    return root.pointee.handle
  }

  /// Refuses what comes from here on, and takes the delivery lock for good. Waits for the deliverer.
  package func beginClose(_ resolved: ResolvedHandle) throws(Refusal) {
    let duty = try resolved.locked { () throws(Refusal) in
      closeOrder()
      beginLastDrain()
      return lockDelivery()
    }
    deliverRest(keeping: duty)
    deliverLastPosts()
  }

  /// Ends all handles, runs the release hooks, the last registered first, and frees everything.
  package func endClose() {
    let wakeHook = locked {
      endSubscriptionHandles()
      endScopes()
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
    state.pointee.types.free()
    state.pointee.layers.free()
    values.pointee.clear()
    state.pointee.scopes.close()
    state.pointee.slots.empty()
    state.pointee.slots = FreeSlots()
    clearDelivery()
    state.pointee.reports.clear()
  }

  private static func make(_ port: consuming Port) -> Stream? {
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
    guard let values = Memory.allocate(Values.self), let observers = Observers.make() else {
      Memory.free(deliverer)
      lock.destroy()
      Memory.free(state)
      return nil
    }
    deliverer.initialize(to: DelivererState())
    values.initialize(to: Values())
    state.initialize(
      to: StreamState(
        observers: observers, lock: lock, deliverer: deliverer, values: values, port: port))
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
