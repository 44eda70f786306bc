// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// What was found in a URL: one block of memory that depends on nothing else. Its structs come first, its texts after.
package struct RouteMatch {
  package private(set) var info = mainstem_match_info()
  /// Where the next text goes.
  private var end: UnsafeMutableRawPointer

  package typealias Pointer = UnsafeMutablePointer<RouteMatch>

  /// Finds the route that a URL takes; the match is nil if `isWanted` is not set.
  package static func find(
    _ text: UnsafePointer<CChar>?, in router: Router, isWanted: Bool
  ) throws(Refusal) -> (mainstem_route, Pointer?) {
    let url = try SplitURL(text)
    defer { url.free() }
    guard let node = RouteSearch.find(url, in: router), let pattern = node.pointee.pattern else {
      throw Refusal(.noRoute, "url", "takes no route of this router")
    }
    let route = node.pointee.route
    guard isWanted else { return (route, nil) }
    guard let match = make(url, pattern.bytes, node) else { throw .noMemory }
    return (route, match)
  }

  private static func make(_ url: SplitURL, _ pattern: Bytes, _ node: RouteNode.Pointer) -> Pointer?
  {
    var parameters = 0
    var above: RouteNode.Pointer? = node
    while let node = above {
      if !node.pointee.type.isLiteral { parameters &+= 1 }
      above = node.pointee.parent
    }
    let items = url.countOfItems
    let structs = (parameters &+ items) &* MemoryLayout<mainstem_parameter>.stride
    let size = MemoryLayout<RouteMatch>.stride &+ structs
    // Each text is a part of the URL or of the pattern, and gets a zero; a parameter and an item have two of them.
    let texts = url.lengthOfPath &+ url.query.count &+ (url.fragment?.count ?? 0) &+ pattern.count
    let zeros = (parameters &+ items) &* 2 &+ 1
    guard let memory = Memory.allocate(UInt8.self, count: size &+ texts &+ zeros) else {
      return nil
    }
    let raw = UnsafeMutableRawPointer(memory)
    let match = raw.bindMemory(to: RouteMatch.self, capacity: 1)
    let rows = (raw + MemoryLayout<RouteMatch>.stride).bindMemory(
      to: mainstem_parameter.self, capacity: parameters &+ items)
    match.initialize(to: RouteMatch(end: raw + size))
    match.pointee.info.route = node.pointee.route
    match.pointee.info.parameters = UnsafePointer(rows)
    match.pointee.info.parameter_count = parameters
    match.pointee.info.query = UnsafePointer(rows + parameters)
    match.pointee.info.query_count = items
    match.pointee.addParameters(url, pattern, node, to: rows)
    match.pointee.addQuery(url, to: rows + parameters)
    if let fragment = url.fragment {
      (match.pointee.info.fragment, match.pointee.info.fragment_size) =
        match.pointee.add(decoding: fragment)
    }
    return match
  }
}

extension RouteMatch {
  /// Adds what the nodes above a route's last one have matched, with the names in the route's own pattern.
  private mutating func addParameters(
    _ url: SplitURL, _ text: Bytes, _ last: RouteNode.Pointer,
    to rows: UnsafeMutablePointer<mainstem_parameter>
  ) {
    var pattern = RoutePattern(checked: text)
    var index = 0
    var depth = 0
    while let segment = pattern.next() {
      if segment.name.count > 0 {
        (rows[index].name, rows[index].name_size) = add(segment.name)
        let type = RouteType(name: segment.type)
        rows[index].type = type?.number ?? UInt32(MAINSTEM_PARAMETER_APP)
        rows[index].reserved = 0
        let shape = Shape(prefix: segment.prefix, suffix: segment.suffix, type: type ?? .any)
        let isPath = type?.isPath == true
        let matched = shape.matched(url.segments[depth], folding: true) ?? Bytes("")
        (rows[index].text, rows[index].size) = add(matched)
        if isPath { rows[index].size = addRest(of: url, behind: depth, rows[index].size) }
        index &+= 1
      }
      depth &+= 1
    }
  }

  /// Adds the segments behind one whose text was added last, and returns the length of all.
  private mutating func addRest(of url: SplitURL, behind depth: Int, _ length: Int) -> Int {
    var length = length
    for segment in (depth &+ 1)..<max(url.count, depth &+ 1) {
      (end - 1).storeBytes(of: 0x2F, as: UInt8.self)
      length &+= add(url.segments[segment]).1 &+ 1
    }
    return length
  }

  private mutating func addQuery(
    _ url: SplitURL, to rows: UnsafeMutablePointer<mainstem_parameter>
  ) {
    var items = url.items
    var row = rows
    while let item = items.next() {
      let mark = item.index(of: 0x3D)
      (row.pointee.name, row.pointee.name_size) = add(decoding: item.part(0, mark))
      let value = item.part(min(mark &+ 1, item.count), item.count)
      (row.pointee.text, row.pointee.size) = add(decoding: value)
      row.pointee.type = UInt32(MAINSTEM_PARAMETER_STRING)
      row.pointee.reserved = 0
      row += 1
    }
  }

  @inline(never)
  private mutating func add(_ text: Bytes) -> (UnsafePointer<CChar>, Int) {
    end.copyMemory(from: text.start, byteCount: text.count)
    return close(text.count)
  }

  @inline(never)
  private mutating func add(decoding text: Bytes) -> (UnsafePointer<CChar>, Int) {
    close(text.decode(to: end))
  }

  /// Ends a text that was put at the end.
  private mutating func close(_ length: Int) -> (UnsafePointer<CChar>, Int) {
    let start = end
    (end + length).storeBytes(of: 0, as: UInt8.self)
    end += length &+ 1
    return (UnsafePointer(start.assumingMemoryBound(to: CChar.self)), length)
  }
}

extension RouteMatch {
  /// Finds a parameter, else the last item of the query with that key.
  func find(_ text: UnsafePointer<CChar>?) throws(Refusal) -> mainstem_parameter {
    let name = try Bytes.checked(text, "name", atMost: Int.max)
    if let found = RouteMatch.last(name, in: info.parameters, info.parameter_count)
      ?? RouteMatch.last(name, in: info.query, info.query_count)
    {
      return found
    }
    throw Refusal(
      .unset, "name", "is no parameter of this route, and not in the query", .name(name))
  }

  private static func last(
    _ name: Bytes, in items: UnsafePointer<mainstem_parameter>?, _ count: Int
  ) -> mainstem_parameter? {
    var index = count
    while index > 0, let items {
      index &-= 1
      if Bytes(items[index].name, items[index].name_size) == name { return items[index] }
    }
    return nil
  }
}

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
