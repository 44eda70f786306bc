// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A queue that keeps its room.
@usableFromInline struct Ring<Element> {
  @usableFromInline var slots: [Element?] = []
  @usableFromInline var first = 0
  @usableFromInline var count = 0

  @inlinable init() {}

  @inlinable var isEmpty: Bool { count == 0 }

  @inlinable mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots[(first + count) & (slots.count - 1)] = element
    count += 1
  }

  @inlinable mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[first].take()
    first = (first + 1) & (slots.count - 1)
    count -= 1
    return element
  }

  /// The oldest element.
  @inlinable var peek: Element? { count > 0 ? slots[first] : nil }

  @inlinable mutating func removeAll() {
    while popFirst() != nil {}
  }

  /// The number of slots stays a power of two.
  @inlinable mutating func grow() {
    var wider = [Element?](repeating: nil, count: max(4, slots.count * 2))
    for index in 0..<count { wider[index] = slots[(first + index) & (slots.count - 1)] }
    slots = wider
    first = 0
  }
}
