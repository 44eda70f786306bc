// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What is asked before a URL of a pattern is opened, or closed.
struct RouteGuard {
  /// It has one route: the pattern. None: every URL is guarded.
  private var router: Router
  private let guardsAll: Bool
  /// The type of the request.
  let type: UInt32
  let isLeaving: Bool
  private(set) var next: Pointer?

  typealias Pointer = UnsafeMutablePointer<RouteGuard>

  /// Adds one behind the others of a list.
  static func add(
    _ pattern: UnsafePointer<CChar>?, _ type: UInt32, isLeaving: Bool, types: Router,
    to first: inout Pointer?
  ) throws(Refusal) {
    var router = try Router(withTypesOf: types)
    let guardsAll = pattern.map { Bytes(zeroEnded: $0) == Bytes("*") } ?? false
    do throws(Refusal) {
      if !guardsAll { _ = try router.add(pattern) }
      guard let made = Memory.allocate(RouteGuard.self) else { throw .noMemory }
      made.initialize(
        to: RouteGuard(router: router, guardsAll: guardsAll, type: type, isLeaving: isLeaving))
      guard var last = first else { return first = made }
      while let next = last.pointee.next { last = next }
      last.pointee.next = made
    } catch {
      router.free()
      throw error
    }
  }

  func guards(_ url: SplitURL) -> Bool {
    guardsAll || RouteSearch.find(url, in: router) != nil
  }

  /// Whether any of a list is asked before a component is closed.
  static func hasLeaving(_ first: Pointer?) -> Bool {
    var rest = first
    while let each = rest, !each.pointee.isLeaving { rest = each.pointee.next }
    return rest != nil
  }

  static func free(_ first: Pointer?) {
    var rest = first
    while let each = rest {
      rest = each.pointee.next
      each.pointee.router.free()
      Memory.free(each)
    }
  }
}
