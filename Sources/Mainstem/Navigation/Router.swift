// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A route of a router: its number, which is not given again when the route is removed.
public struct Route: Hashable, Sendable {
  /// 1, 2, 3 … in the order of adding.
  public let number: UInt32

  init(_ number: UInt32) { self.number = number }
}

/// A set of patterns. It says which of them a URL matches, and gets the values out of the URL.
///
/// It needs no context, and a result does not depend on the order in which the routes were added. The patterns, and
/// which of several wins, are described in `mainstem/routes.h`. Only one thread at a time may use a router.
///
///     let router = try Router()
///     let user = try router.add("user/<int:id>")
///     if let match = try router.match("user/7?tab=posts"), match.route == user {
///       show(try match.int("id"), tab: match.query("tab"))
///     }
public final class Router {
  private let handle: OpaquePointer?

  /// Makes a router without routes.
  ///
  /// - Throws: ``Status/limit`` if no handle is left.
  public init() throws(StreamError) {
    var handle: OpaquePointer?
    try StreamError.check(mainstem_router_create(&handle))
    self.handle = handle
  }

  deinit { mainstem_router_close(handle) }

  /// Adds a type, which patterns may then name: `<colour:name>`.
  ///
  /// - Parameters:
  ///   - name: The type's name.
  ///   - accepts: Whether the type accepts a text; the same each time. It does not call the router.
  /// - Throws: ``Status/invalid`` if there is such a type already, or the name has one of `<>:/`.
  public func addType(
    _ name: String, _ accepts: @escaping (String) -> Bool
  ) throws(StreamError) {
    try RouteType(accepts).keep { userData, release in
      mainstem_router_type_add(handle, name, RouteType.call, userData, release)
    }
  }

  /// Adds a route.
  ///
  /// - Parameter pattern: The pattern, such as `user/<int:id>`.
  /// - Returns: The route.
  /// - Throws: ``Status/invalid`` if the pattern is malformed, has an unknown type, or matches the same URLs as another.
  @discardableResult
  public func add(_ pattern: String) throws(StreamError) -> Route {
    try StreamError.demandNoZero(pattern, "Router: pattern")
    var route: mainstem_route = 0
    try StreamError.check(mainstem_router_add(handle, pattern, &route))
    return Route(route)
  }

  /// Removes a route. Matches that were found before stay as they are.
  ///
  /// - Parameter route: The route.
  /// - Throws: ``Status/stale`` if it has been removed.
  public func remove(_ route: Route) throws(StreamError) {
    try StreamError.check(mainstem_router_remove(handle, route.number))
  }

  /// Finds the route that a URL takes.
  ///
  /// - Parameter url: The URL.
  /// - Returns: What was found; `nil` if no pattern matches.
  /// - Throws: ``Status/badURL`` for a malformed escape and, in the path, for an escaped slash, a segment `.` or `..`, a
  ///   zero, and what is not UTF-8, all this also when decoded.
  public func match(_ url: String) throws(StreamError) -> RouteMatch? {
    try StreamError.demandNoZero(url, "Router: url", .badURL)
    var match: OpaquePointer?
    let status = mainstem_router_match(handle, url, nil, &match)
    if status == Status.noRoute.rawValue { return nil }
    try StreamError.check(status)
    defer { mainstem_match_release(match) }
    return try RouteMatch(match, url)
  }

  /// Writes the URL of a pattern, escaped.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - values: A value for each placeholder. Others become the query, in their order.
  /// - Returns: The URL.
  /// - Throws: ``Status/invalid`` if a value is missing, given twice, or cannot be written there.
  public static func write(
    _ pattern: String, _ values: KeyValuePairs<String, String> = [:]
  ) throws(StreamError) -> String {
    try StreamError.demandNoZero(pattern, "Router: pattern")
    for (name, text) in values {
      try StreamError.demandNoZero(name, "Router: values")
      try StreamError.demandNoZero(text, "Router: values")
    }
    var length = 0
    var room = 256
    while true {
      var url = [CChar](repeating: 0, count: room)
      let status = CStrings(values.flatMap { [$0.key, $0.value] }).withPointers { texts in
        var rows: [mainstem_route_value] = []
        for index in stride(from: 0, to: texts.count, by: 2) {
          rows.append(mainstem_route_value(name: texts[index], text: texts[index + 1]))
        }
        return mainstem_route_write(pattern, rows, rows.count, &url, room, &length)
      }
      guard status == Status.tooBig.rawValue, length >= room, length <= 65536 else {
        try StreamError.check(status)
        return String(decoding: url[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
      }
      room = length + 1
    }
  }
}

/// A type of the app's, as C asks it.
final class RouteType: Kept {
  private let accepts: (String) -> Bool

  init(_ accepts: @escaping (String) -> Bool) { self.accepts = accepts }

  static let call: mainstem_route_type_fn = { userData, text, size in
    guard let userData, let text else { return false }
    let bytes = UnsafeRawBufferPointer(start: text, count: size)
    // `keep` retains it until the release hook has run.
    let type = Unmanaged<RouteType>.fromOpaque(userData).takeUnretainedValue()
    return type.accepts(String(decoding: bytes, as: UTF8.self))
  }
}
