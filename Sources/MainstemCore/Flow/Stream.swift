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
  package let failures = Atomic<UInt64>(0)
  /// Whether a scope with limited rights was ever made.
  package let hasLimited = Atomic<Bool>(false)
  /// Calls that were refused because a scope has no right to them.
  package let denials = Atomic<UInt64>(0)
  /// Tracked requests that are not settled.
  package let openRequests = Atomic<UInt64>(0)
  /// The address of the `Tap`; 0: nothing is recorded.
  package let tap = Atomic<UInt>(0)
  /// Events kept for late observers, and how many were lost for lack of memory.
  package let history = Atomic<UInt64>(0)
  package let historyLost = Atomic<UInt64>(0)
  /// Whether callbacks are timed.
  package var isTimed = false
  /// The source that feeds the stream, and what it feeds: see `Feed.Kind`.
  package var feed = Feed()
  package let feeding = Atomic<UInt32>(0)
  /// See `Stream.feedTap`. Never freed: a thread that is late may look at it.
  package var feedTap: Tap.Pointer?
  /// The position before the first one that is fed.
  package var fedFrom: UInt64 = 0
  /// The time of the last event that was fed, or that followed from one.
  package let fedTime = Atomic<Int64>(0)
  /// Whether it kept times before it was fed.
  package var keptTime = false
  /// How many observers wait for their turn to join and have a queue that refuses: a send asks them.
  package let joiners = Atomic<UInt32>(0)
  /// How many sends of callbacks were not accepted while it was fed.
  package let unaccepted = Atomic<UInt64>(0)
  package let observerTable: ObserverTable
  package let lock: Lock

  package let deliverer: UnsafeMutablePointer<DelivererState>

  // Under the lock.
  package var firstCancelled: Subscription.Pointer?
  package var lastCancelled: Subscription.Pointer?
  package var types = EventTypes()
  package var layers = Layers()
  package var origins = Origins()
  package var scopeNumbers = ScopeNumbers()
  package var slots = FreeSlots()
  /// Memory of subscriptions that ended.
  package var spares = FreeList<Subscription>(limit: 64)
  package var serial: UInt64 = 0
  /// Whether the activity of every request type is reported, including types to come.
  package var reportsActivity = false
  /// Counts the ends of scopes, so that what was lost with one can be identified.
  package var scopeEnds: UInt32 = 0
  /// The last of these ends in which a type lost the first of its handlers.
  package var lastAbandoned: UInt32 = 0
  package var firstSubscription: Subscription.Pointer?
  package var lastSubscription: Subscription.Pointer?
  package var firstPattern: Subscription.Pointer?
  package var lastPattern: Subscription.Pointer?
  package var firstJoiner: Subscription.Pointer?
  package var lastJoiner: Subscription.Pointer?
  package var firstRetained: QueuedEvent.Pointer?
  package var firstHistory: History.Pointer?
  package var root: Scope.Pointer?
  package var firstServer: Scope.Pointer?
  package var lastServer: Scope.Pointer?
  package var loop = Loop()
  package var counts = Counts()
  package var firstError = FirstError()
  package var reports = ReportTypes()
  /// The type of gaps; 0 until there is a scheduled observer.
  package var gapType: UInt32 = 0
  package var schedulers = Schedulers()
  /// A row that ended: never called.
  package let tombstone: Subscription.Pointer
  package var upcalls = Upcalls()
  /// The memory of an earlier tap, for reuse: another thread may still look at it.
  package var formerTap: UnsafeMutableRawPointer?
  /// The next in the list of memory that waits for another context.
  package var nextFree: UnsafeMutablePointer<StreamState>?

  package init(
    observerTable: ObserverTable, lock: Lock, tombstone: Subscription.Pointer,
    deliverer: UnsafeMutablePointer<DelivererState>
  ) {
    self.deliverer = deliverer
    self.observerTable = observerTable
    self.lock = lock
    self.tombstone = tombstone
  }

  /// Live handles by kind.
  package struct Counts {
    package var scopes: UInt32 = 0
    package var subscriptions: UInt64 = 0
    package var retained: UInt64 = 0
  }
}

/// The first failed call, kept for `first_error`.
package struct FirstError {
  package var status: Int32 = 0
  package var sentence: Name?
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

  package func locked<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    state.pointee.lock.acquire()
    defer { state.pointee.lock.release() }
    return try body()
  }
}
