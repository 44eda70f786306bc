// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An element of lists that it may leave from the middle. It has links of its own for each list that it is in at a
/// time.
package protocol Listed: ~Copyable {
  /// Its links in the lists of a number. They are read and set by plain loads and stores of the field: the rest of the
  /// element may belong to another thread at the time. So each type says it for itself: a default that asks for a
  /// property could read the whole element.
  static func links(of node: UnsafeMutablePointer<Self>, in list: Int) -> Links<Self>
  static func set(_ links: Links<Self>, of node: UnsafeMutablePointer<Self>, in list: Int)
}

/// The neighbours of an element in one list.
package struct Links<Node: ~Copyable> {
  fileprivate var previous: UnsafeMutablePointer<Node>?
  fileprivate var next: UnsafeMutablePointer<Node>?

  package init() {}
}

/// Says which of an element's links a list uses.
package protocol ListName {
  static var number: Int { get }
}

/// A list whose elements have memory of their own; the list itself is one word.
package struct List<Node: Listed & ~Copyable, Name: ListName> {
  package typealias Pointer = UnsafeMutablePointer<Node>

  /// Its `previous` is the last element.
  package private(set) var first: Pointer?

  package init() {}

  package var isEmpty: Bool { first == nil }

  package var last: Pointer? { first.flatMap { links(of: $0).previous } }

  @inline(__always)
  private func links(of node: Pointer) -> Links<Node> { Node.links(of: node, in: Name.number) }

  @inline(__always)
  private func set(previous: Pointer?, of node: Pointer) {
    var links = links(of: node)
    links.previous = previous
    Node.set(links, of: node, in: Name.number)
  }

  @inline(__always)
  private func set(next: Pointer?, of node: Pointer) {
    var links = links(of: node)
    links.next = next
    Node.set(links, of: node, in: Name.number)
  }

  @inline(__always)
  package mutating func append(_ node: Pointer) {
    let last = last
    set(next: nil, of: node)
    set(previous: last ?? node, of: node)
    if let last { set(next: node, of: last) }
    if let first { set(previous: node, of: first) } else { first = node }
  }

  @inline(__always)
  package mutating func remove(_ node: Pointer) {
    let own = links(of: node)
    if first == node {
      first = own.next
    } else if let previous = own.previous {
      set(next: own.next, of: previous)
    }
    if let behind = own.next ?? first { set(previous: own.previous, of: behind) }
  }

  /// The element behind one of the list; nil behind the last.
  package static func next(after node: Pointer) -> Pointer? {
    Node.links(of: node, in: Name.number).next
  }

  /// The last for which something holds.
  package func last(where holds: (Pointer) -> Bool) -> Pointer? {
    var next = last
    while let node = next, !holds(node) {
      next = node == first ? nil : links(of: node).previous
    }
    return next
  }

  /// Visits all, or those behind one of them, the first first, until `visit` returns false; it may remove the one it
  /// visits.
  package func all(after start: Pointer? = nil, _ visit: (Pointer) -> Bool) -> Bool {
    var next = first
    if let start { next = links(of: start).next }
    while let node = next {
      next = links(of: node).next
      guard visit(node) else { return false }
    }
    return true
  }

  /// Visits all, the first first; `visit` may remove the one it visits.
  package func each(_ visit: (Pointer) -> Void) {
    _ = all { node in
      visit(node)
      return true
    }
  }

  /// Visits all, the last first.
  package func eachBackwards(_ visit: (Pointer) -> Void) {
    var next = last
    while let node = next {
      next = node == first ? nil : links(of: node).previous
      visit(node)
    }
  }
}

/// An element of a chain or of a free list.
package protocol Linked: ~Copyable {
  /// The next one. It is read and set by a plain load and store of the field: the rest of the element may belong to
  /// another thread at the time.
  static func next(after node: UnsafeMutablePointer<Self>) -> UnsafeMutablePointer<Self>?
  static func link(_ node: UnsafeMutablePointer<Self>, to next: UnsafeMutablePointer<Self>?)
}

/// An element of a chain that can be sorted.
package protocol Ordered: Linked, ~Copyable {
  /// Whether it comes before another one.
  func precedes(_ other: borrowing Self) -> Bool
}

/// A linked list of elements that have memory of their own; the list itself needs none.
package struct Chain<Node: Linked & ~Copyable> {
  package typealias Pointer = UnsafeMutablePointer<Node>

  package private(set) var first: Pointer?
  private var last: Pointer?

  package init() {}

  package mutating func append(_ node: Pointer) {
    Node.link(node, to: nil)
    if let last { Node.link(last, to: node) } else { first = node }
    last = node
  }

  package mutating func prepend(_ node: Pointer) {
    Node.link(node, to: first)
    first = node
    last = last ?? node
  }

  package mutating func takeFirst() -> Pointer? {
    let node = Chain.takeFirst(&first)
    if first == nil { last = nil }
    return node
  }

  fileprivate static func takeFirst(_ rest: inout Pointer?) -> Pointer? {
    guard let first = rest else { return nil }
    rest = Node.next(after: first)
    Node.link(first, to: nil)
    return first
  }
}

extension Chain where Node: Ordered & ~Copyable {
  /// Sorts the chain: merges ordered runs, two at a time, until one is left.
  package mutating func sort() {
    var runs = Int.max
    while runs > 1 {
      var rest = first
      self = Chain()
      runs = 0
      while rest != nil {
        var one = Chain.takeRun(&rest)
        var other = Chain.takeRun(&rest)
        while let next = Chain.takeEarlier(&one, &other) { append(next) }
        runs &+= 1
      }
    }
  }

  /// Cuts off the first ordered run.
  private static func takeRun(_ rest: inout Pointer?) -> Pointer? {
    guard let first = rest else { return nil }
    var last = first
    while let next = Node.next(after: last), last.pointee.precedes(next.pointee) {
      last = next
    }
    rest = Node.next(after: last)
    Node.link(last, to: nil)
    return first
  }

  private static func takeEarlier(_ one: inout Pointer?, _ other: inout Pointer?) -> Pointer? {
    if let first = one, let second = other, second.pointee.precedes(first.pointee) {
      other = Node.next(after: second)
      return second
    }
    guard let first = one else { return takeFirst(&other) }
    one = Node.next(after: first)
    return first
  }
}

/// Memory of one kind that nobody uses for now, kept for reuse; beyond a limit it is freed. The last one given is the
/// first one taken.
package struct FreeList<Node: Linked & ~Copyable> {
  package typealias Pointer = UnsafeMutablePointer<Node>

  private var first: Pointer?
  private var count = 0
  private let limit: Int

  package init(limit: Int) { self.limit = limit }

  /// Memory for one, not initialized; nil if the list is empty.
  @inline(__always)
  package mutating func take() -> Pointer? {
    guard let node = first else { return nil }
    first = Node.next(after: node)
    count &-= 1
    return node
  }

  /// Takes over memory that nobody uses any longer.
  @inline(__always)
  package mutating func give(_ node: Pointer) {
    guard count < limit else { return Memory.free(node) }
    Node.link(node, to: first)
    first = node
    count &+= 1
  }

  /// Frees all memory.
  package mutating func empty() {
    while let node = take() { Memory.free(node) }
  }
}
