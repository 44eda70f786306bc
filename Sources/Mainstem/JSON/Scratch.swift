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

/// Containers for the members of whole values, kept for the next value with the same keys: to make one, the runtime
/// looks up three generic types, which takes longer than to write the members.
struct KeptContainers: ~Copyable {
  private var keys = InlineArray<16, ObjectIdentifier?>(repeating: nil)
  private var containers = InlineArray<16, AnyObject?>(repeating: nil)
  /// The place of the container that the value has; -1: it has none.
  private var lent = -1

  /// The container for this value: one that is kept, or one that is made, and kept if none is lent yet.
  @inline(__always)
  mutating func container<Container>(
    keyedBy type: Any.Type, _ make: (_ isKept: Bool) -> Container
  ) -> Container {
    let place = KeptContainers.place(of: type)
    guard lent < 0 || lent == place, keys[place] == ObjectIdentifier(type),
      let kept = containers[place]
    else { return made(keyedBy: type, make) }
    lent = place
    // Kept below, for the same type of keys.
    return unsafeBitCast(kept, to: Container.self)
  }

  @inline(never)
  private mutating func made<Container>(
    keyedBy type: Any.Type, _ make: (_ isKept: Bool) -> Container
  ) -> Container {
    guard lent < 0, MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else {
      return make(false)
    }
    let made = make(true)
    lent = KeptContainers.place(of: type)
    keys[lent] = ObjectIdentifier(type)
    // A container is nothing but a reference to its box, which then counts who has it.
    containers[lent] = unsafeBitCast(made, to: AnyObject.self)
    return made
  }

  /// Takes the container back when the value is done.
  ///
  /// - Returns: Whether it came back; false: somebody has kept it.
  @inline(__always)
  mutating func takeBack() -> Bool {
    if lent < 0 { return true }
    defer { lent = -1 }
    return isKnownUniquelyReferenced(&containers[lent])
  }

  @inline(__always)
  private static func place(of type: Any.Type) -> Int {
    // Descriptions of types lie at least 16 bytes apart.
    let bits = UInt(bitPattern: ObjectIdentifier(type))
    return Int(truncatingIfNeeded: (bits >> 4 ^ bits >> 8 ^ bits >> 12) & 15)
  }
}
