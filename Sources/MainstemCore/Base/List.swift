// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An element of lists that it may leave from the middle. It has links of its own for each list that it is in at a
/// time.
package protocol Listed: ~Copyable {
  /// Its links in the lists of a number.
  subscript(links list: Int) -> Links<Self> { get set }
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

  package var last: Pointer? { first?.pointee[links: Name.number].previous }

  @inline(__always)
  package mutating func append(_ node: Pointer) {
    let last = last
    node.pointee[links: Name.number].next = nil
    node.pointee[links: Name.number].previous = last ?? node
    last?.pointee[links: Name.number].next = node
    first?.pointee[links: Name.number].previous = node
    first = first ?? node
  }

  @inline(__always)
  package mutating func remove(_ node: Pointer) {
    let (previous, next) = (
      node.pointee[links: Name.number].previous, node.pointee[links: Name.number].next
    )
    if first == node { first = next } else { previous?.pointee[links: Name.number].next = next }
    (next ?? first)?.pointee[links: Name.number].previous = previous
  }

  /// Visits all, the first first, until `visit` returns false; it may remove the one it visits.
  package func all(_ visit: (Pointer) -> Bool) -> Bool {
    var next = first
    while let node = next {
      next = node.pointee[links: Name.number].next
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
      next = node == first ? nil : node.pointee[links: Name.number].previous
      visit(node)
    }
  }
}
