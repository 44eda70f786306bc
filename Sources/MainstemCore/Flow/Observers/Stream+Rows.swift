// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Rows: what a filter covers, and an observer's place in each of its types.
extension Stream {
  /// Calls `body` with every type that a filter covers now. Under the lock.
  @inline(__always)
  package func eachType(of filter: Filter, _ body: (TypeObservers.Pointer) -> Void) {
    switch filter {
    case .nothing: break
    case .one(let type):
      if let observers = state.pointee.observerTable.find(type) { body(observers) }
    case .several(let types, let count):
      var index = 0
      while index < count {
        if let observers = state.pointee.observerTable.find(types[index]) { body(observers) }
        index &+= 1
      }
    case .pattern(let pattern):
      var type: UInt32 = 1
      while Int(type) <= state.pointee.types.count {
        if let observers = state.pointee.observerTable.find(type),
          pattern.matches(Contract(bits: observers.pointee.contract.load(ordering: .relaxed)))
        {
          body(observers)
        }
        type &+= 1
      }
    }
  }

  @inline(__always)
  func reserveRows(_ options: Subscription.Options) -> Bool {
    var reserved = 0
    var isDone = true
    eachType(of: options.filter) { observers in
      guard isDone else { return }
      isDone =
        (!options.call.isScheduled || reserveHandOver(observers)) && observers.pointee.reserve()
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

  @inline(never)
  func unreserveRows(_ filter: Filter) {
    eachType(of: filter) { observers in observers.pointee.unreserve() }
  }

  /// Under both locks.
  @inline(__always)
  func takeRows(_ subscription: Subscription.Pointer) {
    subscription.pointee.hasJoined = true
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
}
