// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A list of nodes in memory of its own.
struct RouteNodes {
  private var nodes: UnsafeMutablePointer<RouteNode.Pointer>?
  private(set) var count = 0
  private var capacity = 0

  /// The node at an index, which must be below `count`.
  subscript(index: Int) -> RouteNode.Pointer { nodes.unsafelyUnwrapped[index] }

  /// Makes room for one more; false without memory.
  mutating func reserve() -> Bool {
    guard count == capacity else { return true }
    let wider = max(capacity &* 2, 2)
    guard let fresh = Memory.allocate(RouteNode.Pointer.self, count: wider) else { return false }
    if let nodes { copy(count, from: nodes, to: fresh) }
    Memory.free(nodes)
    nodes = fresh
    capacity = wider
    return true
  }

  /// Inserts a node, after `reserve`.
  mutating func insert(_ node: RouteNode.Pointer, at index: Int) {
    guard let nodes else { return }
    copy(count &- index, from: nodes + index, to: nodes + index + 1)
    nodes[index] = node
    count &+= 1
  }

  mutating func remove(at index: Int) {
    guard let nodes else { return }
    count &-= 1
    copy(count &- index, from: nodes + index + 1, to: nodes + index)
  }

  func free() { Memory.free(nodes) }

  /// The first index from which on nodes do not come before something.
  func first(_ isBefore: (RouteNode.Pointer) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) / 2
      if isBefore(self[middle]) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  @inline(never)
  private func copy(
    _ count: Int, from source: UnsafeMutablePointer<RouteNode.Pointer>,
    to target: UnsafeMutablePointer<RouteNode.Pointer>
  ) {
    UnsafeMutableRawPointer(target).copyMemory(
      from: source, byteCount: count &* MemoryLayout<RouteNode.Pointer>.stride)
  }
}
