// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

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
