// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// A set of routes, as a tree of the segments of their patterns.
///
/// Two patterns have the same nodes as long as their segments have the same shapes; so there is one way to each node, and
/// a match comes by it once at most.
package struct Router {
  /// Above the segments of patterns without a scheme, and above the schemes of the others.
  let plain: RouteNode.Pointer
  let schemes: RouteNode.Pointer
  private var types: AppType.Pointer?
  /// Whether it frees its types: they are its own.
  private let ownsTypes: Bool
  /// By number.
  private var routes = PointerArray<RouteNode>()
  private var last: mainstem_route = 0

  package init() throws(Refusal) { try self.init(types: nil, owned: true) }

  /// Makes a router that has the types of another, which lives as long.
  init(withTypesOf other: Router) throws(Refusal) {
    try self.init(types: other.types, owned: false)
  }

  private init(types: AppType.Pointer?, owned: Bool) throws(Refusal) {
    let nothing = Shape(prefix: Bytes(""), suffix: Bytes(""), type: .literal)
    guard let plain = RouteNode.make(nothing, below: nil) else { throw .noMemory }
    guard let schemes = RouteNode.make(nothing, below: nil) else {
      RouteNode.free(plain)
      throw .noMemory
    }
    self.plain = plain
    self.schemes = schemes
    self.types = types
    ownsTypes = owned
  }

  /// Adds a type of the app's.
  package mutating func addType(
    _ name: UnsafePointer<CChar>?, _ accepts: mainstem_route_type_fn?,
    _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?
  ) throws(Refusal) {
    let bytes = try Name.check(name, "name")
    guard let accepts else { throw .null("accepts") }
    guard RoutePattern.isName(bytes) else {
      throw Refusal(.invalid, "name", "has one of <>:/", .name(bytes))
    }
    guard RouteType(name: bytes) == nil, type(bytes) == nil else {
      throw Refusal(.invalid, "name", "is a type already", .name(bytes))
    }
    guard let type = Memory.allocate(AppType.self) else { throw .noMemory }
    guard let kept = Name(copying: bytes) else {
      Memory.free(type)
      throw .noMemory
    }
    type.initialize(
      to: AppType(name: kept, accepts: accepts, userData: userData, release: release, next: types))
    types = type
  }

  /// Adds a route, and returns its number.
  package mutating func add(_ text: UnsafePointer<CChar>?) throws(Refusal) -> mainstem_route {
    let bytes = try RoutePattern.check(text)
    try checkTypes(of: bytes)
    guard last < .max, routes.reserve(), let name = Name(copying: bytes) else { throw .noMemory }
    guard let node = node(of: bytes) else {
      name.free()
      throw .noMemory
    }
    guard node.pointee.route == 0 else {
      name.free()
      var subject = SubjectWriter()
      subject.add(bytes)
      subject.add(" matches the same URLs as ")
      subject.add(node.pointee.pattern?.bytes ?? bytes)
      throw Refusal(.invalid, "pattern", "which is a route already", .name(subject.bytes))
    }
    last &+= 1
    node.pointee.route = last
    node.pointee.pattern = name
    routes.insert(node, at: routes.count)
    return last
  }

  /// Removes a route.
  package mutating func remove(_ route: mainstem_route) throws(Refusal) {
    guard route > 0, route <= last else {
      throw Refusal(.invalid, "route", "is no route of this router", .number(UInt64(route)))
    }
    let place = routes.first { $0.pointee.route < route }
    guard place < routes.count, routes[place].pointee.route == route else {
      throw Refusal(.stale, "route", "has been removed", .number(UInt64(route)))
    }
    let node = routes[place]
    routes.remove(at: place)
    node.pointee.route = 0
    node.pointee.pattern?.free()
    node.pointee.pattern = nil
    Router.prune(node)
  }

  /// Frees everything. The release hooks of types run, so the router must not be found any more.
  package mutating func free() {
    Router.freeTree(plain)
    Router.freeTree(schemes)
    routes.free()
    while ownsTypes, let type = types {
      types = type.pointee.next
      type.pointee.release?(type.pointee.userData)
      type.pointee.name.free()
      Memory.free(type)
    }
  }
}

extension Router {
  /// The app's type of a name.
  private func type(_ name: Bytes) -> AppType.Pointer? {
    var type = types
    while let found = type, found.pointee.name.bytes != name { type = found.pointee.next }
    return type
  }

  /// The shape of a segment; nil: its type is unknown.
  @inline(never)
  private func shape(_ segment: RoutePattern.Segment) -> Shape? {
    var found: RouteType? = .literal
    if segment.name.count > 0 {
      found = RouteType(name: segment.type) ?? type(segment.type).map { .app($0) }
    }
    return found.map { Shape(prefix: segment.prefix, suffix: segment.suffix, type: $0) }
  }

  @inline(never)
  private func checkTypes(of text: Bytes) throws(Refusal) {
    var pattern = RoutePattern(checked: text)
    while let segment = pattern.next() {
      guard shape(segment) != nil else {
        throw .pattern("is no type: add it with mainstem_router_type_add", segment.type)
      }
    }
  }

  /// Finds or makes the node in which a pattern ends; nil without memory, and then nothing has changed.
  private func node(of text: Bytes) -> RouteNode.Pointer? {
    var pattern = RoutePattern(checked: text)
    var node = plain
    var folding = pattern.scheme.count > 0
    if folding {
      let scheme = Shape(prefix: pattern.scheme, suffix: Bytes(""), type: .literal)
      guard let below = RouteNode.child(of: schemes, scheme, folding: true) else { return nil }
      node = below
    }
    while let segment = pattern.next() {
      guard let shape = shape(segment),
        let below = RouteNode.child(of: node, shape, folding: folding)
      else {
        Router.prune(node)
        return nil
      }
      node = below
      folding = false
    }
    return node
  }

  /// Frees a node and those above it, as far as no route needs them.
  @inline(never)
  private static func prune(_ node: RouteNode.Pointer) {
    var node = node
    while node.pointee.route == 0, node.pointee.children.count == 0,
      let parent = node.pointee.parent
    {
      parent.pointee.remove(node)
      RouteNode.free(node)
      node = parent
    }
  }

  /// Frees a node and all below it, without recursion.
  private static func freeTree(_ top: RouteNode.Pointer) {
    var node = top
    while true {
      let count = node.pointee.children.count
      if count > 0 {
        node = node.pointee.children[count &- 1]
        continue
      }
      let parent = node.pointee.parent
      parent?.pointee.remove(node)
      RouteNode.free(node)
      guard let parent else { return }
      node = parent
    }
  }
}

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
