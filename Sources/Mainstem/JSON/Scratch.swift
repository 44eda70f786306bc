// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Memory that grows, is cleared and used again: an array that nobody shares.
struct Scratch<Element: BitwiseCopyable> {
  private(set) var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int
  private let least: Int

  init(capacity: Int) {
    start = .allocate(capacity: capacity)
    self.capacity = capacity
    least = capacity
  }

  func free() { start.deallocate() }

  /// Forgets the elements. What one large event needed is given back.
  mutating func clear() {
    count = 0
    if capacity <= 64 * least { return }
    start.deallocate()
    start = .allocate(capacity: least)
    capacity = least
  }

  /// Keeps the first elements only.
  mutating func shorten(to count: Int) { self.count = min(count, self.count) }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(by: 1) }
    (start + count).initialize(to: element)
    count &+= 1
  }

  /// Appends `more` elements that the caller writes through the pointer returned.
  @inline(__always)
  mutating func extend(by more: Int) -> UnsafeMutablePointer<Element> {
    if capacity &- count < more { grow(by: more) }
    defer { count &+= more }
    return start + count
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    capacity = max(capacity * 2, count + more)
    let wider = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    wider.moveInitialize(from: start, count: count)
    start.deallocate()
    start = wider
  }
}
