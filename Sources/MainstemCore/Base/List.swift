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
