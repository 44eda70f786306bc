// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Observers that are registered together: all or none.
///
/// It is a token: they join, or are undone. One that is dropped is counted, because what was reserved for them would be
/// lost, like their places in the budgets (decision 0030).
package struct Registration: ~Copyable {
  private(set) var first: Subscription.Pointer?
  private(set) var last: Subscription.Pointer?

  init() {}

  mutating func append(_ subscription: Subscription.Pointer) {
    if let last { last.pointee.link = subscription }
    first = first ?? subscription
    last = subscription
  }

  /// Ends it: its observers join, or are undone.
  ///
  /// - Returns: The first of them.
  mutating func end() -> Subscription.Pointer? {
    let ended = first
    first = nil
    last = nil
    return ended
  }

  deinit {
    if first != nil { mainstem_p_lost_token() }
  }
}

/// Observing: reserve first, then join between two events, where nothing can fail.
extension Stream {
  /// Registers an observer. Takes ownership of what `options` owns only if it succeeds.
  ///
  /// - Parameters:
  ///   - one: The scope that it looks at, if it looks at one.
  ///   - given: Receives the handle, before the first late event.
  @inline(never)
  package func observe(
    _ options: Subscription.Options, through resolved: ResolvedHandle, _ handle: Handle,
    of one: ResolvedHandle? = nil, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let attempt = try attempt(looks: true)
    let asking = readPoint(looks: true)
    var duty = Duty.nothing
    state.pointee.lock.acquire()
    let last = position
    do throws(Refusal) {
      guard resolved.isLive, !isClosed, let scope = resolved.scope else { throw .ended }
      guard one?.isLive ?? true else { throw Refusal(.stale, "options.of", "has ended") }
      if attempt.lack != nil { throw observersRefusal(scope) }
      var registration = Registration()
      var options = options
      // Nobody has its handle.
      if given == nil { options.kind = .inner }
      let made = try register(options, scope, handle, &registration)
      if options.scheduler != Schedulers.immediate { try prepareGaps(for: &registration) }
      given?.pointee = made.pointer
      try join(&registration, &duty)
    } catch {
      given?.pointee = nil
      state.pointee.lock.release()
      fulfill(duty)
      asking?.note(last)
      noteRefusal(error, of: attempt)
      throw error
    }
    state.pointee.lock.release()
    fulfill(duty)
    asking?.note(last)
  }

  /// Makes a subscription and reserves all it needs, as part of a registration. Under the lock. If it fails, the
  /// registration is undone.
  @inline(never)
  func register(
    _ asked: Subscription.Options, _ scope: Scope.Pointer, _ through: Handle,
    _ registration: inout Registration
  ) throws(Refusal) -> Handle {
    do throws(Refusal) {
      guard asked.call.isInner || budgetAllowsObserver(in: scope) else {
        throw observersRefusal(scope)
      }
      let (subscription, handle) = try makeSubscription(asked, scope, through)
      if asked.call.isHandler, mutesHandlers(at: asked.scheduler) {
        subscription.pointee.state.bitwiseOr(Subscription.muted, ordering: .relaxed)
      }
      state.pointee.observers.link(subscription)
      if asked.call.isHandler {
        state.pointee.observers.countOwnHandler(subscription, 1)
        state.pointee.observers.observersHandled(by: subscription)?.pointee.addHandler(subscription)
      }
      registration.append(subscription)
      return handle
    } catch {
      undo(&registration)
      throw error
    }
  }

  /// Makes a subscription that is in no list yet.
  @inline(__always)
  private func makeSubscription(
    _ options: Subscription.Options, _ scope: Scope.Pointer, _ through: Handle
  ) throws(Refusal) -> (Subscription.Pointer, Handle) {
    let spare = state.pointee.observers.takeSpare()
    guard let subscription = spare ?? Memory.allocate(Subscription.self) else { throw .noMemory }
    do throws(Refusal) {
      return (subscription, try initialize(subscription, options, scope, through))
    } catch {
      state.pointee.observers.giveSpare(subscription)
      throw error
    }
  }

  /// Reserves what a subscription needs: its queue, its rows, its handle.
  @_optimize(speed)
  private func initialize(
    _ subscription: Subscription.Pointer, _ asked: Subscription.Options, _ scope: Scope.Pointer,
    _ through: Handle
  ) throws(Refusal) -> Handle {
    var options = asked
    options.call.isTimed = state.pointee.observers.isTimed && !asked.call.isInner
    options.call.shows =
      scope.pointee.show != nil && !asked.call.isScheduled && !asked.call.isOfView
    var queue: SubscriptionQueue.Pointer?
    var timing: Timing.Pointer?
    var originRows: OriginRow.Pointer?
    do throws(Refusal) {
      if options.call.isTimed {
        timing = Timing.make()
        guard timing != nil else { throw Refusal.noMemory }
      }
      if options.scheduler != Schedulers.immediate {
        queue = try makeQueue(options.scheduler, isMailbox: options.isMailbox, options.bounds)
      }
      guard reserveRows(options, subscription, &originRows) else { throw Refusal.noMemory }
      guard
        let (slot, handle) = state.pointee.slots.make(
          options.call.isInner ? .inner : options.kind, stream: address, object: subscription)
      else {
        unreserveRows(
          options.filter, originRows, isOfOneOrigin: options.call.isOfOneOrigin)
        throw Refusal.lacking(.handles)
      }
      subscription.initialize(
        to: Subscription(
          options, queue: queue, timing: timing, through: through.pointer, scope: scope,
          slot: slot, serial: state.pointee.observers.register()))
      subscription.pointee.originRows = originRows
      return handle
    } catch {
      Memory.free(queue)
      Memory.free(timing)
      throw error
    }
  }

  /// Whether the budgets of a scope, and of the context, have room for one more. Under the lock.
  @inline(__always)
  func budgetAllowsObserver(in scope: Scope.Pointer) -> Bool {
    state.pointee.observers.hasRoom(state.pointee.admissions.limits.observers)
      && Scope.hasRoom(scope)
  }

  @inline(never)
  func observersRefusal(_ scope: Scope.Pointer) -> Refusal {
    var subject = SubjectWriter()
    if !state.pointee.scopes.writeUsedUp(by: scope, to: &subject) {
      subject.add("the context may have ")
      subject.add(state.pointee.admissions.limits.observers)
    }
    subject.add(" observers:")
    return Refusal(
      .limit, "context", Refusal.lacking(.observers).reason, .name(subject.bytes))
  }

  /// Takes a registration back, in the same locked step that made it.
  @inline(never)
  func undo(_ registration: inout Registration) {
    var next = registration.end()
    while let subscription = next {
      next = subscription.pointee.link
      unreserveRows(
        subscription.pointee.filter, subscription.pointee.originRows,
        isOfOneOrigin: subscription.pointee.call.isOfOneOrigin)
      if subscription.pointee.call.isHandler {
        state.pointee.observers.countOwnHandler(subscription, -1)
        state.pointee.observers.observersHandled(by: subscription)?.pointee.undoHandler(
          subscription)
      }
      unlink(subscription)
      state.pointee.slots.end(subscription.pointee.slot)
      Memory.free(subscription.pointee.queue)
      Memory.free(subscription.pointee.timing)
      Memory.free(subscription)
    }
  }
}

/// Joining: a registration's rows are taken between two events. Nothing can fail then but memory for a place in the
/// queue.
extension Stream {
  /// Lets a registration join: now if nobody delivers, otherwise when its turn comes. Under the lock.
  ///
  /// - Parameter duty: What is left to do after unlocking, also if it fails.
  @inline(never)
  func join(_ registration: inout Registration, _ duty: inout Duty) throws(Refusal) {
    duty = claimDelivery()
    guard duty.isDeliverer else { return try waitForTurn(&registration) }
    if isDeferred && hasDeferred || mayHaveLate && hasHistory(for: registration) {
      return try joinInTurn(&registration, &duty)
    }
    takeRows(&registration)
    // Nobody can have queued anything, because that takes the lock.
    duty = unlockIfDone(duty)
  }

  /// Like `join`, holding the delivery lock: the events kept for the registration come first, when it has its turn
  /// in the queue.
  @inline(never)
  private func joinInTurn(
    _ registration: inout Registration, _ duty: inout Duty
  ) throws(Refusal) {
    do throws(Refusal) {
      try waitForTurn(&registration)
    } catch {
      duty = unlockIfDone(duty)
      throw error
    }
  }

  private func hasHistory(for registration: borrowing Registration) -> Bool {
    var next = registration.first
    while let subscription = next {
      if hasHistory(for: subscription) { return true }
      next = subscription.pointee.link
    }
    return false
  }

  /// Puts a registration in the queue. Under the lock, with the word marked: until we release the lock, the deliverer
  /// delivers nothing later than what is accepted now.
  @inline(never)
  private func waitForTurn(_ registration: inout Registration) throws(Refusal) {
    var places = EventQueue()
    var next = registration.first
    while let subscription = next {
      guard let place = QueuedEvent.make(capacity: 0) else {
        while let place = places.takeFirst() { QueuedEvent.free(place) }
        undo(&registration)
        throw .noMemory
      }
      place.pointee.other = UnsafeMutableRawPointer(subscription)
      places.append(place)
      next = subscription.pointee.link
    }
    let from = position
    next = registration.end()
    while let subscription = next {
      next = subscription.pointee.link
      subscription.pointee.link = nil
      subscription.pointee.from = from
      subscription.pointee.isQueued = true
      state.pointee.observers.joiners.add(subscription)
    }
    var place = places.first
    while let current = place {
      current.pointee.key = from &* 2 &+ 1
      place = current.pointee.next
    }
    share(&places)
  }

  /// The turn of an observer that had to wait. For the deliverer, between two events.
  package func joinLate(_ subscription: Subscription.Pointer) {
    state.pointee.lock.acquire()
    state.pointee.observers.joiners.remove(subscription)
    if !subscription.pointee.slotHasEnded, !Subscription.isCancelled(subscription) {
      takeRows(subscription)
      if hasHistory(for: subscription) {
        state.pointee.lock.release()
        deliverHistory(to: subscription)
        state.pointee.lock.acquire()
      }
    }
    // Until here the entry of the queue kept the memory alive, even through a cancel.
    subscription.pointee.isQueued = false
    let hasEnded = subscription.pointee.slotHasEnded
    state.pointee.lock.release()
    if hasEnded { Memory.free(subscription) }
  }

  /// Gives an observer that has joined the events kept for it, each as a delivery of its own. For the deliverer,
  /// between two events.
  private func deliverHistory(to subscription: Subscription.Pointer) {
    var walk = LateWalk(self)
    beginLateValues(for: subscription)
    while !isForked, !Subscription.isCancelled(subscription),
      let late = nextLate(of: subscription, &walk)
    {
      switch late {
      case .history(let queued): giveLate(QueuedEvent.event(of: queued), to: subscription)
      case .value(var event):
        withUnsafeMutablePointer(to: &event) { giveLate($0, to: subscription) }
      }
      if !isUndisturbed { attendObservers(between: true) }
    }
    if !isForked { endLateValues() }
  }

  private func giveLate(
    _ event: UnsafeMutablePointer<mainstem_event>, to subscription: Subscription.Pointer
  ) {
    guard let queue = subscription.pointee.queue else {
      deliverLate(event, to: subscription)
      if deliverer.pointee.shows.first != nil { payLate(event.pointee) }
      return
    }
    if subscription.pointee.wants(event) {
      handOverLate(event, to: subscription, queue)
    }
  }

  /// Pays after a late event, which may be gone when what was cancelled has ended.
  private func payLate(_ late: mainstem_event) {
    var event = late
    attendObservers(between: true)
    if isForked { return }
    withUnsafeMutablePointer(to: &event) { pay(for: $0) }
  }

  @inline(__always)
  private func takeRows(_ registration: inout Registration) {
    let from = position
    var next = registration.end()
    while let subscription = next {
      next = subscription.pointee.link
      subscription.pointee.link = nil
      subscription.pointee.from = from
      takeRows(subscription)
    }
  }
}

/// Observing one type, and ending that, while nobody delivers: one locked step each. Anything unusual takes the full
/// way instead: see `observe` and `cancel`.
extension Stream {
  /// Registers an observer if that is possible at once; false: nothing has happened.
  ///
  /// - Parameter given: Receives the handle before the observer can be called.
  @inline(__always)
  package static func observeAtOnce(
    _ handle: Handle, _ type: UInt32, _ function: mainstem_event_fn,
    _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
    _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Bool {
    guard hasShortWays, let (slot, key) = Slot.find(handle), let stream = Stream(ofContext: slot),
      let observers = stream.state.pointee.observers.find(type), stream.isMine
    else { return false }
    stream.state.pointee.lock.acquire()
    defer { stream.state.pointee.lock.release() }
    guard slot.pointee.state.load(ordering: .relaxed) == key, observers.pointee.hasRoom,
      let scope = slot.pointee.object?.assumingMemoryBound(to: Scope.self),
      stream.budgetAllowsObserver(in: scope), !stream.state.pointee.observers.isTimed,
      scope.pointee.show == nil
    else { return false }
    return stream.whileIdle {
      guard let subscription = stream.state.pointee.observers.takeSpare() else { return false }
      guard
        let (place, made) = stream.state.pointee.slots.makeOwn(
          given == nil ? .inner : .subscription, stream: stream.address, object: subscription)
      else {
        stream.state.pointee.observers.giveSpare(subscription)
        return false
      }
      subscription.initialize(
        to: Subscription(
          Subscription.Options(function, userData, release, .one(type)), queue: nil,
          through: handle.pointer, scope: scope, slot: place,
          serial: stream.state.pointee.observers.register()))
      subscription.pointee.from = stream.position
      subscription.pointee.hasJoined = true
      if release == nil { subscription.pointee.observers = observers }
      stream.state.pointee.observers.link(subscription)
      observers.pointee.joinAtOnce(subscription)
      given?.pointee = made.pointer
      return true
    }
  }

  /// Ends an observer of one type without a hook, if that is possible at once; false: nothing has happened.
  @inline(__always)
  package static func cancelAtOnce(_ handle: Handle) -> Bool {
    guard hasShortWays, let (slot, key) = Slot.find(handle),
      UInt8(truncatingIfNeeded: key) == Kind.subscription.rawValue,
      let stream = Stream(address: slot.pointee.stream), stream.isAtHome
    else { return false }
    stream.state.pointee.lock.acquire()
    defer { stream.state.pointee.lock.release() }
    guard slot.pointee.state.load(ordering: .relaxed) == key,
      let subscription = slot.pointee.object?.assumingMemoryBound(to: Subscription.self),
      let observers = subscription.pointee.observers
    else { return false }
    return stream.whileIdle {
      let tombstone = stream.state.pointee.observers.tombstone
      observers.pointee.leaveAtOnce(subscription, tombstone: tombstone)
      observers.pointee.closeUp(tombstone: tombstone)
      stream.unlink(subscription)
      stream.state.pointee.slots.end(slot)
      stream.state.pointee.observers.giveSpare(subscription)
      return true
    }
  }
}
