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
  /// How many calls wait for the deliverer. Under the lock.
  package var waiters = 0

  /// See `StateWord`.
  package let word = Atomic<UInt64>(StateWord.closed)
  /// What the deliverer looks at between two calls: see `Attention`.
  package let attention = Atomic<UInt32>(0)
  /// The thread that the stream belongs to; 0: any thread.
  package let owner = Atomic<UInt>(0)
  /// The owner, if the stream does nothing with an event but deliver it, and no other thread has left something for the
  /// owner to do; otherwise `noThread`.
  package let quickOwner = Atomic<UInt>(StreamState.noThread)
  package let deliveries = Atomic<UInt64>(0)
  package let failures = Atomic<UInt64>(0)
  /// Events that were refused because there was no room or the cascade was too long.
  package let rejections = Atomic<UInt64>(0)
  /// How many of the rejections cut a cascade.
  package let cuts = Atomic<UInt64>(0)
  /// Whether a scope with limited rights was ever made.
  package let hasLimited = Atomic<Bool>(false)
  /// Calls that were refused because a scope has no right to them.
  package let denials = Atomic<UInt64>(0)
  /// Calls on schedulers, which the deliverer cannot count.
  package let scheduledCalls = Atomic<UInt64>(0)
  /// Tracked requests that are not settled.
  package let openRequests = Atomic<UInt64>(0)
  /// Events kept for late observers, and how many were lost for lack of memory.
  package let history = Atomic<UInt64>(0)
  package let historyLost = Atomic<UInt64>(0)
  /// The word's count before this context began.
  package var base: UInt64 = 0
  package var keepsTime = false
  /// Whether callbacks are timed.
  package var isTimed = false
  package var limits = Limits()
  /// How many observers wait for their turn to join and have a queue that refuses: a send asks them.
  package let joiners = Atomic<UInt32>(0)
  package let observerTable: ObserverTable
  package let lock: Lock

  package let deliverer: UnsafeMutablePointer<DelivererState>

  // Under the lock.
  /// What waits for the deliverer.
  package var shared = EventQueue()
  /// The last position that has reached all its observers; kept only while somebody waits for it.
  package var reached: UInt64 = 0
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
  /// The host has been told that held events wait.
  package var isDeferredNoted = false
  package var loop = Loop()
  package var counts = Counts()
  package var firstError = FirstError()
  package var reports = ReportTypes()
  package var schedulers = Schedulers()
  /// A row that ended: never called.
  package let tombstone: Subscription.Pointer
  package var port: Port
  /// The next in the list of memory that waits for another context.
  package var nextFree: UnsafeMutablePointer<StreamState>?

  package init(
    observerTable: ObserverTable, lock: Lock, tombstone: Subscription.Pointer,
    deliverer: UnsafeMutablePointer<DelivererState>, port: consuming Port
  ) {
    self.port = port
    self.deliverer = deliverer
    self.observerTable = observerTable
    self.lock = lock
    self.tombstone = tombstone
  }

  /// A number that no thread has.
  package static var noThread: UInt { UInt.max }

  /// Live handles by kind.
  package struct Counts {
    package var scopes: UInt32 = 0
    package var subscriptions: UInt64 = 0
    package var retained: UInt64 = 0
  }

  /// Bits of `attention`.
  package enum Attention {
    /// Cancelled subscriptions wait for their end.
    package static var cancelled: UInt32 { 1 }
    /// Somebody waits for the deliverer to make progress.
    package static var waiters: UInt32 { 2 }
    /// The host is told nothing until the callback in which it tried to drain ends.
    package static var silence: UInt32 { 4 }
    /// A history has new bounds.
    package static var bounds: UInt32 { 8 }
    /// Enough origins have ended to look for those that nothing names any longer.
    package static var origins: UInt32 { 16 }
    /// This is the child of a fork: nothing more is done, whatever was asked for before.
    package static var forked: UInt32 { 32 }
  }
}

/// What only the deliverer uses: it needs no lock.
package struct DelivererState: ~Copyable {
  /// What its own callbacks sent.
  package var own = EventQueue()
  /// What it has taken over from `shared`.
  package var arrived = EventQueue()
  /// Where events near the limit of a cascade came from.
  package var cascadeLog = CascadeLog()
  /// The event being delivered, if it has memory of its own.
  package var current: QueuedEvent.Pointer?
  /// What was accepted together, and is not recorded yet.
  package let gathered = Gathered()
  /// Counts the attempts of an event's callbacks that may be refused.
  package var attempts = CallbackCount()
  /// What may be delivered now.
  package var allowance = Allowance.all

  package init() {}
}

/// The number of events, and the bytes of their payloads. Every thread may read it.
package struct Gathered: ~Copyable {
  private let events = Atomic<Int>(0)
  private let payload = Atomic<Int>(0)

  package func set(_ count: Int, bytes: Int) {
    events.store(count, ordering: .relaxed)
    payload.store(bytes, ordering: .relaxed)
  }

  package var sum: (count: Int, bytes: Int) {
    (events.load(ordering: .relaxed), payload.load(ordering: .relaxed))
  }
}

/// How far the deliverer may deliver. Restricted only in a context that holds its events for the host.
package struct Allowance {
  package var events: Int
  /// An event from outside that was accepted later waits for the next drain.
  package let last: UInt64

  package static var all: Allowance { Allowance(events: Int.max, last: UInt64.max) }
  package static var nothing: Allowance { Allowance(events: 0, last: 0) }

  package func permits(_ queued: QueuedEvent.Pointer) -> Bool {
    if queued.pointee.other != nil { return events > 0 }
    let event = QueuedEvent.event(of: queued)
    return events > 0
      && (event.pointee.position <= last
        || event.pointee.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) == 0
        || Stream.depth(of: event) > 0)
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

  @inline(__always)
  package var isOwned: Bool { state.pointee.owner.load(ordering: .relaxed) != 0 }

  /// Whether the calling thread may use the stream: every thread, or only the owner.
  @inline(__always)
  package var isMine: Bool {
    let owner = state.pointee.owner.load(ordering: .relaxed)
    return owner == 0 || owner == Frame.thread
  }

  /// The last position accepted.
  package var position: UInt64 {
    StateWord(bits: state.pointee.word.load(ordering: .acquiring)).count &- state.pointee.base
  }

  package func locked<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    state.pointee.lock.acquire()
    defer { state.pointee.lock.release() }
    return try body()
  }
}
