// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An element of lists that it may leave from the middle. It has links of its own for each list that it is in at a
/// time.
package protocol Listed: ~Copyable {
  /// Where its links in the lists of a number are. An address, because the rest of the element may belong to another
  /// thread at the time.
  static func links(of node: UnsafeMutablePointer<Self>, in list: Int)
    -> UnsafeMutablePointer<Links<Self>>
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

  package var last: Pointer? { first.flatMap { links(of: $0).pointee.previous } }

  @inline(__always)
  private func links(of node: Pointer) -> UnsafeMutablePointer<Links<Node>> {
    Node.links(of: node, in: Name.number)
  }

  @inline(__always)
  package mutating func append(_ node: Pointer) {
    let last = last
    let own = links(of: node)
    own.pointee.next = nil
    own.pointee.previous = last ?? node
    if let last { links(of: last).pointee.next = node }
    if let first { links(of: first).pointee.previous = node } else { first = node }
  }

  @inline(__always)
  package mutating func remove(_ node: Pointer) {
    let (previous, next) = (links(of: node).pointee.previous, links(of: node).pointee.next)
    if first == node { first = next } else if let previous { links(of: previous).pointee.next = next }
    if let behind = next ?? first { links(of: behind).pointee.previous = previous }
  }

  /// Visits all, the first first, until `visit` returns false; it may remove the one it visits.
  package func all(_ visit: (Pointer) -> Bool) -> Bool {
    var next = first
    while let node = next {
      next = links(of: node).pointee.next
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
      next = node == first ? nil : links(of: node).pointee.previous
      visit(node)
    }
  }
}
