// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
package import Synchronization

/// One event type's part of the stream: its contract and its observers, in order of registration.
///
/// Only the deliverer reads the rows, and they change only under both locks. A row that ended is a tombstone until the
/// rows are closed up.
package struct TypeObservers: ~Copyable {
  /// When the type was registered, in a count over observers and types. First, for the reason given at `StreamState`.
  var serial: UInt64 = 0
  /// The contract's bits; 0 if no type is registered.
  private let contractBits: Atomic<UInt64>
  /// The contract's `plainSizes`.
  let leastSize: Atomic<UInt32>
  /// How many of the rows are scheduled observers whose queue refuses: a send asks them first.
  let refusers = Atomic<UInt32>(0)
  private let plainSizes: Atomic<UInt>
  var rows: UnsafeMutablePointer<Subscription.Pointer>?
  /// When the observer of each row was registered, behind the rows in their memory. A row that has ended keeps it, so the
  /// rows of observers are always in this order.
  var serials: UnsafeMutablePointer<UInt64>?
  /// Wider rows, made before they are needed, so that joining cannot fail.
  private var widerRows: UnsafeMutablePointer<Subscription.Pointer>?
  var count: UInt32 = 0
  private var capacity: UInt32 = 0
  private var widerCapacity: UInt32 = 0
  /// How many observers have reserved room and have not joined yet.
  var joining: UInt32 = 0
  var tombstones: UInt32 = 0
  /// How many rows are internal. They are always the last: they do what comes after all observers.
  var inner: UInt16 = 0
  /// Whether there is room for the row that pays shows, and whether it is there: see `Stream.payHere`.
  var (hasRoomForPayer, hasPayer) = (false, false)
  /// Handlers among the rows.
  var handlerRows: UInt32 = 0
  /// Handlers of what is sent through their server's own scope, registered and not cancelled; and how many of them do not
  /// say that others handle the type, too. Under the lock.
  var (ownHandlers, lonelyOwnHandlers): (UInt32, UInt32) = (0, 0)
  /// When the first of the handlers was cancelled, in a count over the ends of scopes.
  var abandoned: UInt32 = 0
  /// The last table of a server that had the type, in a count of tables. Under the lock.
  var lastTable: UInt32 = 0
  /// Whether it waits in `Observers` to be looked at for that, and what waits behind it.
  var waitsAbandoned = false
  /// How many requests of the type their handlers left without an answer. Belongs to the station above; under the lock.
  package var unanswered: UInt32 = 0
  var nextAbandoned: Pointer?
  /// The open requests of the type, in the order in which they were made. They belong to the station above; under the lock.
  package var (firstRequest, lastRequest): (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) =
    (nil, nil)
  /// The type that answers requests of this one, once somebody has asked; 0 until then.
  package let response = Atomic<UInt32>(0)
  /// How many tracked requests of the type are not settled yet, combined with `reported` and `shared`.
  package let open = Atomic<UInt32>(0)
  /// `plainSizes` while no queue refuses.
  var freeSizes: UInt = 0
  /// The row that hands events over to schedulers; made with the first scheduled observer.
  var handOver: Subscription.Pointer?
  /// Handlers that are registered and not cancelled. Under the lock.
  var handlers = List<Subscription, Subscription.Alike>()
  /// The address of those that look at one origin each, made with the first of them; 0: there are none. Set under the
  /// lock, while the deliverer may look.
  private let originsAddress = Atomic<UInt>(0)

  /// The activity of the type's requests, if wanted. Belongs to the station above; under the lock.
  package var activity: UnsafeMutableRawPointer?

  package init() {
    contractBits = Atomic(0)
    leastSize = Atomic(0)
    plainSizes = Atomic(0)
  }

  package typealias Pointer = UnsafeMutablePointer<TypeObservers>
}

extension TypeObservers {
  /// The type's contract; no bits if no type is registered.
  @inline(__always)
  package var contract: Contract { Contract(bits: contractBits.load(ordering: .acquiring)) }

  /// Lets events in: the last step of registering a type.
  ///
  /// - Parameter most: The most bytes that a payload may have.
  mutating func open(_ new: Contract, most: Int) {
    let (least, count) = new.plainSizes(upTo: UInt(bitPattern: most))
    leastSize.store(UInt32(truncatingIfNeeded: least), ordering: .relaxed)
    freeSizes = count
    // Some refusing observers may have been taken along. What is kept of values needs the full way.
    change(refusers: new.isValue ? TypeObservers.keeps : 0)
    contractBits.store(new.bits, ordering: .releasing)
  }

  /// Whether every payload of this size satisfies the contract; if not, the payload must be checked.
  @inline(__always)
  package func admits(_ size: Int) -> Bool {
    let count = plainSizes.load(ordering: .acquiring)
    return UInt(bitPattern: size) &- UInt(leastSize.load(ordering: .relaxed)) < count
  }

  /// The payload of an event in the usual case, if so many queues refuse: see `Contract.admitted`.
  @inline(__always)
  package func admitted(
    _ data: UnsafeRawPointer?, _ size: Int, on stream: Stream, refusers count: UInt32 = 0
  ) -> UnsafeRawPointer? {
    guard stream.state.pointee.admissions.allows(size), refusers.load(ordering: .relaxed) == count
    else { return nil }
    return contract.admitted(data, size)
  }

  /// Those that look at one origin each.
  @inline(__always)
  var origins: OriginObservers.Pointer? {
    OriginObservers.Pointer(bitPattern: originsAddress.load(ordering: .acquiring))
  }

  func setOrigins(_ origins: OriginObservers.Pointer?) {
    originsAddress.store(UInt(bitPattern: origins), ordering: .releasing)
  }

  /// Makes room for one more observer; `join` then cannot fail. Under the lock.
  @inline(__always)
  mutating func reserve() -> Bool {
    let needed = count &+ joining &+ 1
    if needed > max(capacity, widerCapacity) {
      let wider = max(4, needed &* 2)
      guard let fresh = Memory.allocate(Subscription.Pointer.self, count: Int(wider) &* 2) else {
        return false
      }
      Memory.free(widerRows)
      widerRows = fresh
      widerCapacity = wider
    }
    joining &+= 1
    return true
  }

  /// Takes a `reserve` back.
  mutating func unreserve() { joining &-= 1 }

  /// Adds an observer behind all others. Under both locks, after `reserve`.
  @inline(__always)
  mutating func join(_ subscription: Subscription.Pointer) {
    widen()
    if inner > 0 { moveInnerBack() }
    put(subscription, at: count &- UInt32(inner))
    if subscription.pointee.call.isHandler { handlerRows &+= 1 }
    if subscription.pointee.refuses { change(refusers: 1) }
  }

  /// Whether `joinAtOnce` may be called: there is room that is not reserved, and no row has to move.
  @inline(__always)
  var hasRoom: Bool {
    count < capacity && joining == 0 && inner == 0 && contractBits.load(ordering: .relaxed) != 0
  }

  /// Like `join`, for an observer that is not a handler, without `reserve`.
  @inline(__always)
  mutating func joinAtOnce(_ subscription: Subscription.Pointer) {
    put(subscription, at: count)
  }

  /// Like `join`, for an internal row: it is called after all observers, even those that join later.
  mutating func joinInner(_ subscription: Subscription.Pointer) {
    widen()
    if hasPayer, let rows {
      // Whatever else comes after the observers comes before it.
      put(rows[Int(count) &- 1], at: count)
      rows[Int(count) &- 2] = subscription
      subscription.pointee.row = count &- 2
    } else {
      put(subscription, at: count)
    }
    inner &+= 1
  }

  /// Like `joinInner`, for one that is called before the other internal rows.
  mutating func joinFirstInner(_ subscription: Subscription.Pointer) {
    widen()
    if inner > 0 { moveInnerBack() }
    put(subscription, at: count &- UInt32(inner))
    inner &+= 1
  }

  /// Changes the number of observers whose queue refuses.
  func change(refusers by: Int32) {
    let count = refusers.load(ordering: .relaxed) &+ UInt32(bitPattern: by)
    refusers.store(count, ordering: .relaxed)
    plainSizes.store(count == 0 ? freeSizes : 0, ordering: .releasing)
  }

  @inline(__always)
  mutating func put(_ subscription: Subscription.Pointer, at row: UInt32) {
    rows?[Int(row)] = subscription
    serials?[Int(row)] = subscription.pointee.serial
    subscription.pointee.row = row
    count &+= 1
  }

  /// Makes room in front of the internal rows.
  @inline(never)
  private mutating func moveInnerBack() {
    guard let rows else { return }
    var index = count
    while index > count &- UInt32(inner) {
      let row = rows[Int(index) &- 1]
      rows[Int(index)] = row
      row.pointee.row = index
      index &-= 1
    }
  }

  /// Uses the room that `reserve` made.
  @inline(__always)
  mutating func widen() {
    joining &-= 1
    if count == capacity, let fresh = widerRows {
      let room = UnsafeMutableRawPointer(fresh + Int(widerCapacity))
      let numbers = room.bindMemory(to: UInt64.self, capacity: Int(widerCapacity))
      if let rows, let serials {
        fresh.moveInitialize(from: rows, count: Int(count))
        numbers.moveInitialize(from: serials, count: Int(count))
      }
      Memory.free(rows)
      rows = fresh
      serials = numbers
      capacity = widerCapacity
      widerRows = nil
      widerCapacity = 0
    }
  }

  /// Frees all memory and resets the type, for another context.
  mutating func clear() {
    if contract.isValue { freeKeeper() }
    contractBits.store(0, ordering: .relaxed)
    plainSizes.store(0, ordering: .relaxed)
    response.store(0, ordering: .relaxed)
    open.store(0, ordering: .relaxed)
    refusers.store(0, ordering: .relaxed)
    Memory.free(handOver)
    handOver = nil
    OriginObservers.free(origins)
    setOrigins(nil)
    handlers = List()
    activity = nil
    (firstRequest, lastRequest, waitsAbandoned) = (nil, nil, false)
    (ownHandlers, lonelyOwnHandlers, lastTable) = (0, 0, 0)
    Memory.free(rows)
    Memory.free(widerRows)
    rows = nil
    serials = nil
    widerRows = nil
    (count, capacity, widerCapacity, joining, tombstones) = (0, 0, 0, 0, 0)
    (inner, handlerRows, abandoned, serial, hasRoomForPayer, hasPayer) = (0, 0, 0, 0, false, false)
    unanswered = 0
  }
}

/// Leaving: rows become tombstones, until they are closed up.
extension TypeObservers {
  /// Removes an observer. The rows stay where they are, so a walk over them can go on.
  @inline(__always)
  mutating func leave(
    _ subscription: Subscription.Pointer, tombstone: Subscription.Pointer
  ) {
    guard let rows, let row = row(of: subscription) else { return }
    rows[row] = tombstone
    tombstones &+= 1
    if subscription.pointee.call.isHandler { handlerRows &-= 1 }
    if subscription.pointee.refuses { change(refusers: -1) }
    // An internal row that leaves from the midst of the others keeps its place among them.
    while count > 0, rows[Int(count) &- 1] == tombstone {
      count &-= 1
      tombstones &-= 1
      if inner > 0 { inner &-= 1 }
    }
  }

  /// Like `leave`, for an observer that joined at once: it has one row, and is neither handler nor scheduled.
  @inline(__always)
  mutating func leaveAtOnce(
    _ subscription: Subscription.Pointer, tombstone: Subscription.Pointer
  ) {
    guard let rows else { return }
    rows[Int(subscription.pointee.row)] = tombstone
    tombstones &+= 1
    while count > 0, rows[Int(count) &- 1] == tombstone {
      count &-= 1
      tombstones &-= 1
    }
  }

  /// Removes the tombstones when they are many. Under both locks, between two events.
  mutating func closeUp(tombstone: Subscription.Pointer) {
    guard tombstones > 16, tombstones > count / 2, let rows, let serials else { return }
    var kept = 0
    var index = 0
    let firstInner = Int(count &- UInt32(inner))
    while index < Int(count) {
      let subscription = rows[index]
      if subscription == tombstone {
        if index >= firstInner { inner &-= 1 }
      } else {
        rows[kept] = subscription
        serials[kept] = serials[index]
        subscription.pointee.row = UInt32(truncatingIfNeeded: kept)
        kept &+= 1
      }
      index &+= 1
    }
    count = UInt32(truncatingIfNeeded: kept)
    tombstones = 0
  }

  /// The index of an observer's row: its own note of it, or a search if it has rows in several types.
  private func row(of subscription: Subscription.Pointer) -> Int? {
    guard let rows, let serials else { return nil }
    let noted = Int(subscription.pointee.row)
    if noted < Int(count), rows[noted] == subscription { return noted }
    let serial = subscription.pointee.serial
    var (low, high) = (0, Int(count) &- Int(inner))
    while low < high {
      let middle = (low &+ high) / 2
      if serials[middle] < serial { low = middle &+ 1 } else { high = middle }
    }
    if low < Int(count), rows[low] == subscription { return low }
    // An internal row: they are few, and in no order.
    var index = Int(count) &- 1
    while index >= 0 {
      if rows[index] == subscription { return index }
      index &-= 1
    }
    return nil
  }
}

/// Types that have lost the first of their handlers. Under the lock.
extension Observers {
  /// Lets a type wait to be looked at.
  mutating func noteAbandoned(_ observers: TypeObservers.Pointer) {
    guard !observers.pointee.waitsAbandoned else { return }
    observers.pointee.waitsAbandoned = true
    observers.pointee.nextAbandoned = abandoned
    abandoned = observers
  }

  /// Visits the types for which that was with an end of scopes. Others wait on.
  package mutating func eachAbandoned(
    at end: UInt32, _ visit: (TypeObservers.Pointer) -> Void
  ) {
    var rest = abandoned
    abandoned = nil
    while let observers = rest {
      rest = observers.pointee.nextAbandoned
      observers.pointee.waitsAbandoned = false
      if observers.pointee.abandoned == end {
        visit(observers)
      } else {
        noteAbandoned(observers)
      }
    }
  }
}

/// Scheduled observers among the rows. For the deliverer.
extension TypeObservers {
  /// Puts the hand-over row in place, if it is not there yet. Under both locks.
  mutating func joinHandOver() {
    guard let handOver, !handOver.pointee.hasJoined else { return }
    handOver.pointee.hasJoined = true
    joinInner(handOver)
  }

  /// Whether a handler is among the rows that is called for what is sent through an origin: in a replay, one that is not
  /// on a scheduler.
  package func hasCalledHandler(of origin: UInt32) -> Bool {
    var index = 0
    while let rows, index < Int(count) {
      if rows[index].pointee.call.isHandler, !rows[index].pointee.isMuted { return true }
      index &+= 1
    }
    return hasOwnHandler(of: origin) { !$0.pointee.isMuted }
  }

  /// The scheduled observer of the type, if it is the only one and wants every event.
  package var onlyScheduled: Subscription.Pointer? {
    guard count == 2, let rows, let handOver, rows[1] == handOver else { return nil }
    let row = rows[0]
    guard row.pointee.call.isPlainlyScheduled, !Subscription.isCancelled(row) else { return nil }
    return row
  }

  /// Visits the scheduled observers that get an event.
  package func eachScheduled(
    wanting event: UnsafeMutablePointer<mainstem_event>,
    _ visit: (Subscription.Pointer, SubscriptionQueue.Pointer) -> Void
  ) {
    func visitIfWanting(_ row: Subscription.Pointer) -> Bool {
      if let queue = row.pointee.queue, row.pointee.wants(event) {
        visit(row, queue)
      }
      return true
    }
    var index = 0
    while let rows, index < Int(count) {
      _ = visitIfWanting(rows[index])
      index &+= 1
    }
    _ = origins?.pointee.all(of: event.pointee.origin, visitIfWanting)
  }
}

/// The row that keeps the values of a type whose role is value.
extension TypeObservers {
  /// Counts among the refusers of a type of values.
  static var keeps: Int32 { 1 << 30 }

  /// Like `admits`, whatever queues refuse.
  @inline(__always)
  func admitsFreely(_ size: Int) -> Bool {
    UInt(bitPattern: size) &- UInt(leastSize.load(ordering: .relaxed)) < freeSizes
  }

  /// Puts the row that keeps values before all others. Under the lock, when there are no rows yet, after `reserve`.
  mutating func keepValues(_ values: TypeValues.Pointer) {
    widen()
    put(values.pointee.keeper, at: 0)
    // A place that nobody takes: so no observer joins at once, and all get what is there first.
    joining &+= 1
  }

  /// The values of the type, if its role is value. For the deliverer, or under the lock.
  @inline(__always)
  var values: TypeValues.Pointer? { contract.isValue ? firstKept : nil }

  /// What the first row keeps, if it is that of a type of values.
  @inline(__always)
  private var firstKept: TypeValues.Pointer? {
    guard count > 0, let keeper = rows?[0] else { return nil }
    return keeper.pointee.userData?.assumingMemoryBound(to: TypeValues.self)
  }

  /// Frees the row that keeps values, and what it keeps of the type.
  mutating func freeKeeper() {
    TypeValues.free(firstKept)
    count = 0
  }

  /// Whether a queue refuses, of a type of values.
  @inline(__always)
  var isAsked: Bool { refusers.load(ordering: .relaxed) != UInt32(bitPattern: TypeObservers.keeps) }
}
