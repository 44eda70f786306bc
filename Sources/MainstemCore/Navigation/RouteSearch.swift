// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A walk through the tree of routes, for one URL.
///
/// A node is only ever compared with the segment at its depth, and there is one way to it; so it is visited once at
/// most, without a list of those to come back to. Those that win come first, and a later one must have more literals.
struct RouteSearch {
  private let url: SplitURL
  private var node: RouteNode.Pointer
  /// The segments behind the current node.
  private var depth = 0
  private var literals = 0
  /// The node of the best route so far.
  private(set) var best: RouteNode.Pointer?
  private var bestLiterals = -1

  /// Finds the node of the route that a URL takes; nil: none.
  static func find(_ url: SplitURL, in router: Router) -> RouteNode.Pointer? {
    var top = router.plain
    if url.scheme.count > 0 {
      let scheme = Shape(prefix: url.scheme, suffix: Bytes(""), type: .literal)
      guard let below = router.schemes.pointee.find(scheme, folding: true).child else { return nil }
      top = below
    }
    var search = RouteSearch(url: url, node: top)
    search.run(below: top)
    return search.best
  }

  private init(url: SplitURL, node: RouteNode.Pointer) {
    self.url = url
    self.node = node
  }

  private mutating func run(below top: RouteNode.Pointer) {
    consider()
    var next = firstChild()
    while true {
      if let child = next {
        enter(child)
        next = firstChild()
      } else {
        guard node != top, let parent = node.pointee.parent else { return }
        let isLiteral = node.pointee.type.isLiteral
        let place = node.pointee.place
        depth &-= 1
        literals &-= isLiteral ? 1 : 0
        node = parent
        next = child(from: isLiteral ? parent.pointee.literals : place &+ 1)
      }
    }
  }

  private mutating func enter(_ child: RouteNode.Pointer) {
    node = child
    depth &+= 1
    literals &+= child.pointee.type.isLiteral ? 1 : 0
    consider()
  }

  /// Takes the current node's route if it is better than the best so far.
  @inline(never)
  private mutating func consider() {
    guard node.pointee.route != 0, depth == url.count || node.pointee.type.isPath,
      literals > bestLiterals
    else { return }
    best = node
    bestLiterals = literals
  }

  /// Whether the next segment is compared without regard to case: it is a host.
  private var folding: Bool { depth == 0 && url.scheme.count > 0 }

  /// The first child of the current node that the next segment matches.
  private func firstChild() -> RouteNode.Pointer? {
    guard depth < url.count else { return nil }
    let literal = Shape(prefix: url.segments[depth], suffix: Bytes(""), type: .literal)
    return node.pointee.find(literal, folding: folding).child
      ?? child(from: node.pointee.literals)
  }

  /// The first one from an index on, behind the literals.
  @inline(never)
  private func child(from first: Int) -> RouteNode.Pointer? {
    var place = first
    while place < node.pointee.children.count {
      let child = node.pointee.children[place]
      let shape = child.pointee.shape
      if let text = shape.matched(url.segments[depth], folding: folding), shape.type.accepts(text) {
        return child
      }
      place &+= 1
    }
    return nil
  }
}
