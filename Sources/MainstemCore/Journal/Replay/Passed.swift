// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What was passed and may be asked for, in order.
struct Passed<Value>: ~Copyable {
  private var values: UnsafeMutablePointer<Value>?
  private var capacity = 0
  private var count = 0
  /// The index of the first value that may still matter.
  private var start = 0

  deinit { Memory.free(values) }

  mutating func append(_ value: Value) throws(Refusal) {
    if start == count { (start, count) = (0, 0) }
    if count == capacity { try widen() }
    (values.unsafelyUnwrapped + count).initialize(to: value)
    count &+= 1
  }

  /// Forgets the first values as long as they are useless.
  mutating func forget(_ isUseless: (Value) -> Bool) {
    while start < count, let values, isUseless(values[start]) { start &+= 1 }
  }

  /// The first value that may still matter.
  var next: Value? { start < count ? values?[start] : nil }

  /// Forgets that one.
  mutating func passNext() { start &+= 1 }

  func first(where fits: (Value) -> Bool) -> Value? {
    var index = start
    while index < count, let values {
      if fits(values[index]) { return values[index] }
      index &+= 1
    }
    return nil
  }

  private mutating func widen() throws(Refusal) {
    let wider = capacity == 0 ? 64 : capacity &* 2
    guard let fresh = Memory.allocate(Value.self, count: wider) else { throw .noMemory }
    if let values { fresh.moveInitialize(from: values, count: count) }
    Memory.free(values)
    (values, capacity) = (fresh, wider)
  }
}
