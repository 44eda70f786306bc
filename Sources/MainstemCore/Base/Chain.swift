// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
