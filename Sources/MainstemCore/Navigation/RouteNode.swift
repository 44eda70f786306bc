// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A segment of patterns. Those that begin alike share their nodes: a node below it is the next segment.
struct RouteNode {
  let parent: Pointer?
  /// The text of its shape.
  private let text: Name
  private let prefixLength: Int
  let type: RouteType
  /// Its index among its parent's children.
  private(set) var place = 0
  /// In the order of their shapes, so literals first.
  private(set) var children = PointerArray<RouteNode>()
  /// How many of the children are literals.
  private(set) var literals = 0
  /// The route that ends here; 0: none.
  var route: mainstem_route = 0
  /// The pattern of that route.
  var pattern: Name?

  typealias Pointer = UnsafeMutablePointer<RouteNode>

  @inline(never)
  var shape: Shape {
    Shape(
      prefix: text.bytes.part(0, prefixLength),
      suffix: text.bytes.part(prefixLength, text.count), type: type)
  }

  /// Makes a node that is not in its parent yet; nil without memory.
  @inline(never)
  static func make(_ shape: Shape, below parent: Pointer?) -> Pointer? {
    guard let node = Memory.allocate(RouteNode.self) else { return nil }
    guard let text = Name(joining: shape.prefix, shape.suffix) else {
      Memory.free(node)
      return nil
    }
    node.initialize(
      to: RouteNode(
        parent: parent, text: text, prefixLength: shape.prefix.count, type: shape.type))
    return node
  }

  static func free(_ node: Pointer) {
    node.pointee.text.free()
    node.pointee.pattern?.free()
    node.pointee.children.free()
    Memory.free(node)
  }

  /// Finds the child of a shape.
  ///
  /// - Returns: The child; without one, the index where it belongs.
  @inline(never)
  func find(_ shape: Shape, folding: Bool) -> (child: Pointer?, place: Int) {
    let place = children.first { $0.pointee.shape.order(shape, folding: folding) < 0 }
    guard place < children.count,
      children[place].pointee.shape.order(shape, folding: folding) == 0
    else { return (nil, place) }
    return (children[place], place)
  }

  /// Finds or makes the child of a shape; nil without memory.
  @inline(never)
  static func child(of node: Pointer, _ shape: Shape, folding: Bool) -> Pointer? {
    let (found, place) = node.pointee.find(shape, folding: folding)
    if let found { return found }
    guard node.pointee.children.reserve(), let child = make(shape, below: node) else { return nil }
    node.pointee.children.insert(child, at: place)
    node.pointee.literals &+= shape.type.isLiteral ? 1 : 0
    node.pointee.number(from: place)
    return child
  }

  /// Takes a child out.
  mutating func remove(_ child: Pointer) {
    literals &-= child.pointee.type.isLiteral ? 1 : 0
    children.remove(at: child.pointee.place)
    number(from: child.pointee.place)
  }

  @inline(never)
  private func number(from first: Int) {
    var place = first
    while place < children.count {
      children[place].pointee.place = place
      place &+= 1
    }
  }
}

extension Name {
  /// Copies two texts, one behind the other; nil without memory.
  fileprivate init?(joining first: Bytes, _ second: Bytes) {
    guard let text = Memory.allocate(CChar.self, count: first.count &+ second.count &+ 1) else {
      return nil
    }
    let raw = UnsafeMutableRawPointer(text)
    raw.copyMemory(from: first.start, byteCount: first.count)
    (raw + first.count).copyMemory(from: second.start, byteCount: second.count)
    self.text = text
    count = first.count &+ second.count
  }
}
