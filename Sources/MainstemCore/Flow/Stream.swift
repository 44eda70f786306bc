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
