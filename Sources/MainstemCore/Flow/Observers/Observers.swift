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
