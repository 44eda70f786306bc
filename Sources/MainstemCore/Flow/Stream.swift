// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
package import Synchronization

/// The memory of one stream. It is never freed, only reused for another context, so that a stale handle can be followed
/// at any time.
///
/// There are three owners. Atomics are for every thread. What the *deliverer* owns is used by the thread that holds the
/// delivery lock. The rest is used under the lock. What two owners change in place is kept in two structs, and no
/// atomic comes first: the thread sanitizer takes an in-place change of any field for a write to the struct's first
/// field.
package struct StreamState: ~Copyable {
  package var delivery = Delivery()
  package var order = Order()
  package var ownership = Ownership()
  package var admissions = Admissions()
  /// Tracked requests that are not settled.
  package let openRequests = Atomic<UInt64>(0)
  package let lock: Lock

  package let deliverer: UnsafeMutablePointer<DelivererState>
  let values: UnsafeMutablePointer<Values>

  // Under the lock.
  package var observers: Observers
  package var types = EventTypes()
  package var layers = Layers()
  package var scopes = Scopes()
  /// Servers that have shown nothing yet, in the order in which they were added.
  var unshown = List<Show, Show.Unshown>()
  /// The row that pays; nil: no server shows.
  var payer: Subscription.Pointer?
  /// State's: the first of the two-way rows whose functions run, on any thread.
  var showing: UnsafeMutableRawPointer?
  package var slots = FreeSlots()
  package var loop = Loop()
  package var reports = Reports()
  package var schedulers = Schedulers()
  package var port: Port
  /// The next in the list of memory that waits for another context.
  package var nextFree: UnsafeMutablePointer<StreamState>?

  package init(
    observers: consuming Observers, lock: Lock, deliverer: UnsafeMutablePointer<DelivererState>,
    values: UnsafeMutablePointer<Values>, port: consuming Port
  ) {
    self.values = values
    self.port = port
    self.deliverer = deliverer
    self.observers = observers
    self.lock = lock
  }
}

/// One stream: events in one order, delivered by one thread at a time.
package struct Stream {
  package let state: UnsafeMutablePointer<StreamState>

  package init(_ state: UnsafeMutablePointer<StreamState>) { self.state = state }

  /// The stream of the memory that a C function gets.
  package init(of state: UnsafeMutableRawPointer) {
    self.state = state.assumingMemoryBound(to: StreamState.self)
  }

  package init?(address: UInt) {
    guard let state = UnsafeMutablePointer<StreamState>(bitPattern: address) else { return nil }
    self.state = state
  }

  /// The stream of a slot, if it is a context's.
  @inline(__always)
  package init?(ofContext slot: Slot.Pointer) {
    guard let address = slot.pointee.streamOfContext else { return nil }
    state = UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Whether this library has short ways. Without them everything takes the full way: tests compare the two.
  @inline(__always)
  package static var hasShortWays: Bool {
    #if MAINSTEM_NO_SHORT_WAYS
      false
    #else
      true
    #endif
  }

  @inline(__always)
  package var deliverer: UnsafeMutablePointer<DelivererState> { state.pointee.deliverer }

  package var address: UInt { UInt(bitPattern: state) }

  package func locked<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    state.pointee.lock.acquire()
    defer { state.pointee.lock.release() }
    return try body()
  }
}

/// What the rooms keep for the deliverer alone: it needs no lock. Apart from `StreamState`, see there.
package struct DelivererState: ~Copyable {
  /// What its own callbacks sent.
  package var own = EventQueue()
  /// What it has taken over from `shared`.
  package var arrived = EventQueue()
  /// Where events near the limit of a cascade came from.
  package var cascadeLog = CascadeLog()
  /// The event being delivered, if it has memory of its own.
  package var current: QueuedEvent.Pointer?
  /// Counts the attempts of an event's callbacks that may be refused.
  package var attempts = CallbackCount()
  /// Numbers what its callbacks register that looks.
  package var looks = Looks()
  /// Counts those of first shows that no event has caused.
  package var attemptsToShow: UInt64 = 0
  /// Whose show functions are owed.
  package var shows = OwedShows()
  /// What may be delivered now.
  package var allowance = Allowance.all

  package init() {}
}

/// Registering event types. A new type takes along the observers whose pattern it matches.
extension Stream {
  /// The number of a type, new or known. Under the lock.
  package func addType(
    _ name: Bytes, _ bits: UInt64, response: Bytes?
  ) throws(Refusal) -> UInt32 {
    let contract = try Contract(checking: bits, for: name, layers: state.pointee.layers.count)
    try demandAnswerable(name, contract, response: response)
    let known = state.pointee.types.find(name)
    if known != 0 {
      try state.pointee.types.confirm(known, contract, response: response, inReplay: isFed)
      return known
    }
    // The end of a scope that has a value is told.
    if contract.isValue { try addEndType() }
    let type = UInt32(truncatingIfNeeded: state.pointee.types.count &+ 1)
    try openObservers(of: type, contract) { () throws(Refusal) in
      _ = try state.pointee.types.add(name, contract, response: response)
    }
    return type
  }

  /// Refuses a value that has a response, or is one.
  private func demandAnswerable(
    _ name: Bytes, _ contract: Contract, response: Bytes?
  ) throws(Refusal) {
    let isValue = contract.isValue
    if let response, isValue || state.pointee.types.role(of: response) == .value {
      throw Refusal(
        .invalid, "response", "makes a value a request or a response: use another type",
        .name(response))
    }
    if isValue, state.pointee.types.isResponse(name) {
      throw Refusal(
        .invalid, "contract", "is a value, but a type names it as its response", .name(name))
    }
  }

  /// A type's contract; no bits if there is none.
  package func contract(of type: UInt32) -> Contract {
    state.pointee.observers.find(type)?.pointee.contract ?? Contract(bits: 0)
  }
}

extension ResolvedHandle {
  /// The number of a type that a host registers, new or known.
  @inline(never)
  package func addType(
    _ name: Bytes, _ contract: UInt64, response: Bytes?
  ) throws(Refusal) -> UInt32 {
    try demandRegistration(of: name, contract, response: response)
    return try locked { () throws(Refusal) in
      if name.hasPrefix("Mainstem"), stream.state.pointee.types.find(name) == 0 {
        throw Refusal(
          .invalid, "name", "is a name reserved for the library: choose one without Mainstem",
          .name(name))
      }
      return try stream.addType(name, contract, response: response)
    }
  }
}

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
      stream.state.pointee.order.open(defers: defers)
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

/// A fork inside a callback: in the child, none of the parent's streams goes on.
///
/// The remaining thread returns into the code that delivers. Each next step of that code first checks whether this is
/// the child. There it calls nobody, writes nothing, and waits for no thread, because there is no other.
extension Stream {
  /// Makes sure that a child learns that it is one.
  static func watchForks() {
    mainstem_p_on_child { frames in
      var frame = frames?.assumingMemoryBound(to: Frame.self)
      while let current = frame {
        current.pointee.stream.endInChild()
        frame = current.pointee.previous
      }
    }
  }

  /// In the child: the thread that held the delivery lock, or a lock, does not exist here.
  private func endInChild() {
    state.pointee.lock.renew()
    state.pointee.loop.wake.forget()
    forbidQuickSends()
    state.pointee.delivery.abandon()
    state.pointee.order.abandon()
  }
}

extension Refusal {
  package static var forked: Refusal {
    Refusal(
      .forked, "",
      "the context was made before fork, in the parent process: create one in the child")
  }
}
