// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// How many subscriptions a scope and its children may have at a time. Freed with the last scope that counts here.
/// Under the stream's lock.
package struct Budget {
  package let limit: UInt64
  /// The origin of the scope it belongs to.
  package let origin: UInt32
  /// The next budget above, which counts the same subscriptions.
  private let above: Pointer?
  private var used: UInt64 = 0
  private var scopes = 0

  package typealias Pointer = UnsafeMutablePointer<Budget>

  /// A new budget below another; nil without memory.
  package static func make(_ limit: UInt64, for origin: UInt32, below above: Pointer?) -> Pointer? {
    guard let budget = Memory.allocate(Budget.self) else { return nil }
    budget.initialize(to: Budget(limit: limit, origin: origin, above: above))
    join(above)
    return budget
  }

  private init(limit: UInt64, origin: UInt32, above: Pointer?) {
    self.limit = limit
    self.origin = origin
    self.above = above
  }

  /// Adds a scope, or a budget, that counts here.
  package static func join(_ budget: Pointer?) { budget?.pointee.scopes &+= 1 }

  /// Removes one; the last to leave frees the budget.
  package static func leave(_ budget: Pointer?) {
    var next = budget
    while let budget = next {
      budget.pointee.scopes &-= 1
      guard budget.pointee.scopes == 0 else { return }
      next = budget.pointee.above
      Memory.free(budget)
    }
  }

  /// The first budget that is used up; nil if all have room.
  package static func usedUp(from budget: Pointer?) -> Pointer? {
    var next = budget
    while let budget = next {
      if budget.pointee.used >= budget.pointee.limit { return budget }
      next = budget.pointee.above
    }
    return nil
  }

  package static func add(to budget: Pointer?) {
    var next = budget
    while let budget = next {
      budget.pointee.used &+= 1
      next = budget.pointee.above
    }
  }

  package static func remove(from budget: Pointer?) {
    var next = budget
    while let budget = next {
      budget.pointee.used &-= 1
      next = budget.pointee.above
    }
  }
}
