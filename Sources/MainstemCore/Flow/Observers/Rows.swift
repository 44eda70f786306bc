// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Rows: what a filter covers, and an observer's place in each of its types.
extension Stream {
  /// Calls `body` with every type that a filter covers now. Under the lock.
  @inline(__always)
  func eachType(of filter: Filter, _ body: (TypeObservers.Pointer) -> Void) {
    switch filter {
    case .nothing: break
    case .one(let type):
      if let observers = state.pointee.observers.find(type) { body(observers) }
    case .several(let types, let count):
      var index = 0
      while index < count {
        if let observers = state.pointee.observers.find(types[index]) { body(observers) }
        index &+= 1
      }
    case .pattern(let pattern):
      var type: UInt32 = 1
      while Int(type) <= state.pointee.types.count {
        if let observers = state.pointee.observers.find(type),
          pattern.matches(observers.pointee.contract)
        {
          body(observers)
        }
        type &+= 1
      }
    }
  }

  /// Makes room in every type that an observer covers; false without memory: nothing has changed.
  @inline(__always)
  func reserveRows(
    _ options: Subscription.Options, _ subscription: Subscription.Pointer,
    _ originRows: inout OriginRow.Pointer?
  ) -> Bool {
    if options.call.isOfOneOrigin {
      return reserveOriginRows(options, subscription, &originRows)
    }
    var reserved = 0
    var isDone = true
    eachType(of: options.filter) { observers in
      guard isDone else { return }
      isDone =
        (!options.call.isScheduled || reserveHandOver(observers))
        && (!options.call.shows || reservePayer(observers)) && observers.pointee.reserve()
      if isDone { reserved &+= 1 }
    }
    if !isDone {
      eachType(of: options.filter) { observers in
        guard reserved > 0 else { return }
        observers.pointee.unreserve()
        reserved &-= 1
      }
    }
    return isDone
  }

  /// Takes a `reserveRows` back.
  @inline(never)
  func unreserveRows(_ filter: Filter, _ originRows: OriginRow.Pointer?, isOfOneOrigin: Bool) {
    guard !isOfOneOrigin else { return unreserveOriginRows(originRows) }
    eachType(of: filter) { observers in observers.pointee.unreserve() }
  }

  /// Under both locks.
  @inline(__always)
  func takeRows(_ subscription: Subscription.Pointer) {
    subscription.pointee.hasJoined = true
    if subscription.pointee.call.isOfOneOrigin { return takeOriginRows(subscription) }
    let serial = subscription.pointee.serial
    eachType(of: subscription.pointee.filter) { observers in
      // A type registered later has taken the observer along.
      guard observers.pointee.serial < serial else { return }
      if subscription.pointee.call.isInner {
        observers.pointee.joinInner(subscription)
      } else {
        join(subscription, observers)
      }
    }
  }

  /// Lets an observer join a type. Under both locks.
  @inline(__always)
  private func join(_ subscription: Subscription.Pointer, _ observers: TypeObservers.Pointer) {
    observers.pointee.join(subscription)
    if subscription.pointee.queue != nil { observers.pointee.joinHandOver() }
    if subscription.pointee.call.shows { joinPayer(observers) }
  }
}

/// The hand-over row of a type: see `handOver`.
extension Stream {
  /// Makes it, before the first scheduled observer needs it. Under the lock; false without memory.
  func reserveHandOver(_ observers: TypeObservers.Pointer) -> Bool {
    guard observers.pointee.handOver == nil else { return true }
    guard observers.pointee.reserve() else { return false }
    guard let row = makeHandOverRow(observers) else {
      observers.pointee.unreserve()
      return false
    }
    observers.pointee.handOver = row
    return true
  }

  private func makeHandOverRow(_ observers: TypeObservers.Pointer) -> Subscription.Pointer? {
    guard let root = state.pointee.scopes.root, let row = Memory.allocate(Subscription.self) else {
      return nil
    }
    let options = Subscription.Options(
      { observers, event in Stream.handOver(observers, event) }, UnsafeMutableRawPointer(observers),
      nil, .nothing)
    row.initialize(to: .unlisted(options, root))
    return row
  }
}

/// The observers of a new type. Under the lock.
extension Stream {
  /// Makes room for the observers of a type, takes along those whose pattern matches, and lets events in.
  ///
  /// - Parameter add: Registers the type, when everything else is done that can fail.
  package func openObservers(
    of type: UInt32, _ contract: Contract, _ add: () throws(Refusal) -> Void
  ) throws(Refusal) {
    guard let observers = state.pointee.observers.reserve(type) else { throw .noMemory }
    do throws(Refusal) {
      guard !contract.isValue || reserveKeeper(observers), takeAlong(observers, contract)
      else { throw Refusal.noMemory }
      try add()
    } catch {
      leaveBehind(observers)
      if contract.isValue { observers.pointee.freeKeeper() }
      observers.pointee.clear()
      throw error
    }
    observers.pointee.serial = state.pointee.observers.register()
    if state.pointee.reports.tellActivity, contract.role == .request {
      observers.pointee.open.store(TypeObservers.reported, ordering: .relaxed)
    }
    // The last step: from here on events of the type can be sent.
    observers.pointee.open(contract, most: state.pointee.admissions.limits.payload)
  }

  /// Gives a new type its rows: every live pattern that matches, in order of registration.
  private func takeAlong(_ observers: TypeObservers.Pointer, _ contract: Contract) -> Bool {
    state.pointee.observers.allPatterns { subscription in
      guard subscription.pointee.filter.pattern?.matches(contract) == true,
        !Subscription.isCancelled(subscription)
      else { return true }
      guard subscription.pointee.queue == nil || reserveHandOver(observers) else { return false }
      guard !subscription.pointee.call.shows || reservePayer(observers) else { return false }
      guard !subscription.pointee.call.isOfOneOrigin else {
        return takeAlong(subscription, observers)
      }
      guard observers.pointee.reserve() else { return false }
      join(subscription, observers)
      return true
    }
  }
}
