// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
