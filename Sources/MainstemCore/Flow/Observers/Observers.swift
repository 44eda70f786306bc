// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The observers of a stream, and what is kept for those that come late.
///
/// Under the stream's lock, except what every thread reads: the table, the counters, and whether anybody joins. A
/// subscription is listed from its registration until it is forgotten, and waits in `cancelled` until its rows are gone.
package struct Observers: ~Copyable {
  /// How many there are, without internal rows. First, for the reason given at `StreamState`.
  private var count: UInt64 = 0
  /// Counts registrations: of observers and of types.
  private var registered: UInt64 = 0
  /// Counts the tables of servers.
  private var tables: UInt32 = 0
  private var listed = List<Subscription, Subscription.InStream>()
  private var patterns = List<Subscription, Subscription.Alike>()
  private var cancelled = Chain<Subscription>()
  /// Memory of subscriptions that ended.
  private var spares = FreeList<Subscription>(limit: 64)
  /// The first of the types that have lost the first of their handlers, and were not looked at for that.
  var abandoned: TypeObservers.Pointer?
  /// Whether callbacks are timed.
  private(set) var isTimed = false
  var joiners = Joiners()
  var histories = Histories()
  /// How many calls failed.
  let failures = Atomic<UInt64>(0)
  private let table: ObserverTable
  /// A row that ended: never called.
  let tombstone: Subscription.Pointer

  private init(_ table: ObserverTable, _ tombstone: Subscription.Pointer) {
    self.table = table
    self.tombstone = tombstone
  }

  /// No observers; nil without memory.
  package static func make() -> Observers? {
    guard let table = ObserverTable() else { return nil }
    guard let tombstone = Memory.allocateAligned(Subscription.self) else {
      table.free()
      return nil
    }
    return Observers(table, tombstone)
  }
}

/// By type.
extension Observers {
  /// The observers of a type; nil if there can be none. Any thread.
  @inline(__always)
  package func find(_ type: UInt32) -> TypeObservers.Pointer? { table.find(type) }

  /// Makes room for the observers of a new type; nil without memory.
  func reserve(_ type: UInt32) -> TypeObservers.Pointer? { table.reserve(type) }
}

/// Registering.
extension Observers {
  /// Counts one more table of a server, and returns its number.
  package mutating func countTable() -> UInt32 {
    tables = tables == .max ? 1 : tables &+ 1
    return tables
  }

  /// The number of the next registration.
  @inline(__always)
  mutating func register() -> UInt64 {
    registered &+= 1
    return registered
  }

  /// Memory that a subscription left; nil if there is none.
  @inline(__always)
  mutating func takeSpare() -> Subscription.Pointer? { spares.take() }

  @inline(__always)
  mutating func giveSpare(_ subscription: Subscription.Pointer) { spares.give(subscription) }

  /// Enters a new subscription in the lists of the stream.
  @inline(__always)
  mutating func add(_ subscription: Subscription.Pointer) {
    listed.append(subscription)
    if !subscription.pointee.call.isInner { count &+= 1 }
    if subscription.pointee.filter.pattern != nil { patterns.append(subscription) }
  }

  @inline(__always)
  mutating func remove(_ subscription: Subscription.Pointer) {
    listed.remove(subscription)
    if !subscription.pointee.call.isInner { count &-= 1 }
    if subscription.pointee.filter.pattern != nil { patterns.remove(subscription) }
  }

  @inline(__always)
  func hasRoom(_ most: UInt64) -> Bool { count < most }

  /// The last one registered.
  var last: Subscription.Pointer? { listed.last }

  func each(_ visit: (Subscription.Pointer) -> Void) { listed.each(visit) }

  /// Visits those of patterns until `visit` returns false.
  func allPatterns(_ visit: (Subscription.Pointer) -> Bool) -> Bool { patterns.all(visit) }
}

/// Ending.
extension Observers {
  mutating func addCancelled(_ subscription: Subscription.Pointer) {
    cancelled.append(subscription)
  }

  /// The next cancelled one whose rows are not gone.
  mutating func takeCancelled() -> Subscription.Pointer? { cancelled.takeFirst() }
}

/// For the stream.
extension Observers {
  /// Begins a context.
  package mutating func open(_ root: Scope.Pointer, isTimed: Bool) {
    self.isTimed = isTimed
    failures.store(0, ordering: .relaxed)
    histories.resetCounts()
    tombstone.initialize(to: .unlisted(Subscription.Options({ _, _ in }, nil, nil, .nothing), root))
    tombstone.pointee.state.store(Subscription.cancelled, ordering: .relaxed)
  }

  /// Forgets a context whose subscriptions have ended. The table's chunks stay.
  mutating func clear(types: Int) {
    var type: UInt32 = 1
    while Int(type) <= types {
      find(type)?.pointee.clear()
      type &+= 1
    }
    spares.empty()
    histories.clear()
    cancelled = Chain()
    abandoned = nil
    (count, registered, tables) = (0, 0, 0)
  }

  package func readStats(into stats: UnsafeMutablePointer<mainstem_context_stats>) {
    stats.pointee.failures = failures.load(ordering: .relaxed)
    stats.pointee.subscriptions = count
    histories.readStats(into: stats)
  }
}

/// The observers of a stream's types, by type number, in chunks that double in size and never move: a lookup needs no
/// lock, and stays safe if the context is closed meanwhile.
///
/// A chunk is stored as the address that number 0 would have, so that the number is the index.
package struct ObserverTable {
  /// Indexed by the highest bit of a type number + 15. The first four stay empty, so type 0 has none.
  private static var chunkCount: Int { 36 }
  /// Twice as many words: behind the addresses used for lookup are those of the chunks themselves, so that leak
  /// checkers find them.
  private let chunks: UnsafeMutablePointer<Atomic<UInt>>
  /// The distance between two types: three cache lines, the first for what a send reads.
  private static var stride: Int { 192 }

  init?() {
    guard MemoryLayout<TypeObservers>.size <= Self.stride,
      let chunks = Memory.allocate(Atomic<UInt>.self, count: 2 &* Self.chunkCount)
    else { return nil }
    var index = 0
    while index < 2 &* Self.chunkCount {
      (chunks + index).initialize(to: Atomic(0))
      index &+= 1
    }
    self.chunks = chunks
  }

  /// The observers of a type number; nil if there can be none.
  @inline(__always)
  func find(_ type: UInt32) -> TypeObservers.Pointer? {
    let number = Self.number(of: type)
    let start = chunks[Self.chunk(of: number)].load(ordering: .acquiring)
    guard let observerTable = UnsafeMutableRawPointer(bitPattern: start) else { return nil }
    return (observerTable + number &* Self.stride).assumingMemoryBound(to: TypeObservers.self)
  }

  /// Makes the chunk that contains a type number. Under the lock.
  func reserve(_ type: UInt32) -> TypeObservers.Pointer? {
    if let observers = find(type) { return observers }
    let chunk = Self.chunk(of: Self.number(of: type))
    let size = 1 << chunk
    guard let observerTable = Memory.allocateAligned(UInt8.self, count: size &* Self.stride) else {
      return nil
    }
    var index = 0
    while index < size {
      let observers = UnsafeMutableRawPointer(observerTable + index &* Self.stride)
      observers.bindMemory(to: TypeObservers.self, capacity: 1).initialize(to: TypeObservers())
      index &+= 1
    }
    let start = UInt(bitPattern: observerTable) &- UInt(size &* Self.stride)
    chunks[Self.chunkCount &+ chunk].store(UInt(bitPattern: observerTable), ordering: .relaxed)
    chunks[chunk].store(start, ordering: .releasing)
    return find(type)
  }

  /// Frees a table that was never used: it has no chunks.
  func free() { Memory.free(chunks) }

  /// 16 types in the first chunk, 32 in the second, and so on.
  @inline(__always)
  private static func number(of type: UInt32) -> Int { Int(type) &+ 15 }

  @inline(__always)
  private static func chunk(of number: Int) -> Int { 63 ^ number.leadingZeroBitCount }
}

/// Observers that wait for their turn to join and whose queue refuses: a send asks them.
///
/// Under the stream's lock; any thread may ask whether there are any. They have their turn in the order of the list.
struct Joiners: ~Copyable {
  private var waiting = List<Subscription, Subscription.Joining>()
  private let count = Atomic<UInt32>(0)

  @inline(__always)
  var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

  /// Adds an observer, if its queue refuses.
  mutating func add(_ subscription: Subscription.Pointer) {
    guard subscription.pointee.refuses else { return }
    waiting.append(subscription)
    count.wrappingAdd(1, ordering: .relaxed)
  }

  /// Removes the observer whose turn has come, if it is listed.
  mutating func remove(_ subscription: Subscription.Pointer) {
    guard waiting.first == subscription else { return }
    waiting.remove(subscription)
    count.wrappingSubtract(1, ordering: .relaxed)
  }

  /// Visits them, until `visit` returns false.
  func all(_ visit: (Subscription.Pointer) -> Bool) -> Bool { waiting.all(visit) }
}

/// All subscriptions. Under the lock.
extension Stream {
  /// Removes a subscription from all lists; its scope is freed if this was the last of a scope that has ended.
  @inline(__always)
  func unlink(_ subscription: Subscription.Pointer) {
    state.pointee.observers.remove(subscription)
    leaveScope(subscription)
  }

  /// Marks the origins of what is kept for observers: of histories, and of what waits in queues, including what nobody
  /// has asked for yet. For the deliverer.
  ///
  /// - Returns: The number of steps.
  package func markOriginsOfKept() -> Int {
    var steps = state.pointee.observers.eachKept { markOrigin(of: $0) }
    state.pointee.observers.each { subscription in
      steps &+= 1
      if subscription.pointee.call.isOfOneOrigin { markOrigin(subscription.pointee.origin) }
      if let queue = subscription.pointee.queue { steps &+= markOrigins(of: queue) }
    }
    return steps
  }

  /// Mutes the handlers that are not called now, and lets the others be called again. For the deliverer.
  package func muteHandlers() {
    let (mutesHere, mutesElsewhere) = (
      mutesHandlers(at: Schedulers.immediate), mutesHandlers(at: Schedulers.host)
    )
    state.pointee.observers.each { subscription in
      guard subscription.pointee.call.isHandler else { return }
      if subscription.pointee.call.isScheduled ? mutesElsewhere : mutesHere {
        subscription.pointee.state.bitwiseOr(Subscription.muted, ordering: .relaxed)
      } else {
        subscription.pointee.state.bitwiseAnd(~Subscription.muted, ordering: .relaxed)
      }
    }
  }
}

extension Observers {
  /// Enters a new subscription in all lists: those of the stream and that of its scope.
  @inline(__always)
  mutating func link(_ subscription: Subscription.Pointer) {
    add(subscription)
    Scope.add(subscription, to: subscription.pointee.scope)
  }
}

/// Closing.
extension Stream {
  /// Ends the handles of all subscriptions. Under the lock.
  package func endSubscriptionHandles() {
    state.pointee.observers.each { state.pointee.slots.end($0.pointee.slot) }
  }

  /// Calls the hooks, the last registered first, and frees all observers. No lock held; nobody delivers any longer.
  package func endObservers() {
    while let subscription = state.pointee.observers.last {
      callHook(of: subscription)
      if isForked { return }
      locked {
        if let show = Show.of(subscription) { endShow(show, of: subscription.pointee.scope) }
        unlink(subscription)
      }
      // Its scheduler has stopped.
      if let queue = subscription.pointee.queue {
        SubscriptionQueue.empty(queue)
      }
      Subscription.freeParts(subscription)
      Memory.free(subscription)
    }
    locked { state.pointee.observers.clear(types: state.pointee.types.count) }
  }
}
