// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The values that come first to an observer that joins. Under the lock.
extension Stream {
  /// Whether there are any.
  func hasValues(for subscription: Subscription.Pointer) -> Bool {
    guard !values.pointee.isEmpty else { return false }
    // A show function, or what keeps a binding: to ask all values for it would make each new one dearer than the last.
    if case .nothing = subscription.pointee.filter { return false }
    guard case .one(let type) = subscription.pointee.filter else {
      return values.pointee.contain { value in
        covers(subscription.pointee.filter, value.pointee.type)
          && subscription.pointee.looks(at: value.pointee.origin)
      }
    }
    guard subscription.pointee.call.isOfOneOrigin else {
      return oneType(of: subscription)?.pointee.listed.isEmpty == false
    }
    return values.pointee.find(type, subscription.pointee.origin)?.pointee.isSet == true
  }

  /// Begins to look at what is kept. For the deliverer, who ends it with `endLateValues`.
  func beginLateValues(for subscription: Subscription.Pointer) {
    locked { values.pointee.beginWalk(over: oneType(of: subscription)) }
  }

  func endLateValues() { locked { values.pointee.endWalk() } }

  /// The first value behind a position that an observer looks at.
  func nextLateValue(
    of subscription: Subscription.Pointer, after position: UInt64
  ) -> Value.Pointer? {
    guard !values.pointee.isEmpty else { return nil }
    guard subscription.pointee.call.isOfOneOrigin else {
      return values.pointee.next(after: position) { value in
        covers(subscription.pointee.filter, value.pointee.type)
      }
    }
    return nextOfOrigin(subscription, after: position)
  }

  /// An observer of one origin looks at few: the one of its type, or those of the scope.
  private func nextOfOrigin(
    _ subscription: Subscription.Pointer, after position: UInt64
  ) -> Value.Pointer? {
    let origin = subscription.pointee.origin
    if case .one(let type) = subscription.pointee.filter {
      guard let value = values.pointee.find(type, origin), value.pointee.position > position else {
        return nil
      }
      return value
    }
    guard origin != 0 else {
      // Those of the context itself are in no chain.
      return values.pointee.next(after: position) { value in
        value.pointee.origin == 0 && covers(subscription.pointee.filter, value.pointee.type)
      }
    }
    var earliest: Value.Pointer?
    state.pointee.scopes.origins.eachValue(of: origin) { value in
      guard value.pointee.position > position,
        covers(subscription.pointee.filter, value.pointee.type)
      else { return }
      if let known = earliest, known.pointee.position < value.pointee.position { return }
      earliest = value
    }
    return earliest
  }

  private func oneType(of subscription: Subscription.Pointer) -> TypeValues.Pointer? {
    guard case .one(let type) = subscription.pointee.filter else { return nil }
    return state.pointee.observers.find(type)?.pointee.values
  }
}
