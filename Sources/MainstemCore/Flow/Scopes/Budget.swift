// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// How many subscriptions a scope and its children may have at a time. Freed with the last scope that counts here.
/// Under the stream's lock.
struct Budget {
  let limit: UInt64
  /// The origin of the scope it belongs to.
  let origin: UInt32
  /// The next budget above, which counts the same subscriptions.
  private let above: Pointer?
  private var used: UInt64 = 0
  private var scopes = 0

  typealias Pointer = UnsafeMutablePointer<Budget>

  /// A new budget below another; nil without memory.
  static func make(_ limit: UInt64, for origin: UInt32, below above: Pointer?) -> Pointer? {
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
  static func join(_ budget: Pointer?) { budget?.pointee.scopes &+= 1 }

  /// Removes one; the last to leave frees the budget.
  static func leave(_ budget: Pointer?) {
    var next = budget
    while let budget = next {
      budget.pointee.scopes &-= 1
      guard budget.pointee.scopes == 0 else { return }
      next = budget.pointee.above
      Memory.free(budget)
    }
  }

  /// The first budget that is used up; nil if all have room.
  static func usedUp(from budget: Pointer?) -> Pointer? {
    var next = budget
    while let budget = next {
      if budget.pointee.used >= budget.pointee.limit { return budget }
      next = budget.pointee.above
    }
    return nil
  }

  /// Whether what counts in one budget counts in another, too; nil: there is no other.
  static func counts(_ budget: Pointer?, in other: Pointer?) -> Bool {
    guard let other else { return true }
    var next = budget
    while let budget = next {
      if budget == other { return true }
      next = budget.pointee.above
    }
    return false
  }

  static func add(to budget: Pointer?) {
    var next = budget
    while let budget = next {
      budget.pointee.used &+= 1
      next = budget.pointee.above
    }
  }

  static func remove(from budget: Pointer?) {
    var next = budget
    while let budget = next {
      budget.pointee.used &-= 1
      next = budget.pointee.above
    }
  }
}

extension Scope {
  /// Whether its budgets have room for one more subscription.
  @inline(__always)
  package static func hasRoom(_ scope: Pointer) -> Bool {
    scope.pointee.budget == nil || Budget.usedUp(from: scope.pointee.budget) == nil
  }
}

extension Scopes {
  /// Writes whose budget is used up, and what it is; false if all have room.
  package func writeUsedUp(by scope: Scope.Pointer, to subject: inout SubjectWriter) -> Bool {
    guard let budget = Budget.usedUp(from: scope.pointee.budget) else { return false }
    subject.add("scope ")
    subject.add(origins[budget.pointee.origin] ?? Bytes(""))
    subject.add(" may have ")
    subject.add(budget.pointee.limit)
    return true
  }
}
