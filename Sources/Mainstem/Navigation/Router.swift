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
    try Held(accepts).keep { userData, release in
      mainstem_router_type_add(handle, name, Router.accepts, userData, release)
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

extension Router {
  /// Asks a type of the app's, which C keeps.
  static let accepts: mainstem_route_type_fn = { userData, text, size in
    guard let text, let type = Kept.behind(userData, as: Held<(String) -> Bool>.self) else {
      return false
    }
    let bytes = UnsafeRawBufferPointer(start: text, count: size)
    return type.content(String(decoding: bytes, as: UTF8.self))
  }
}

/// What a router has found in a URL: a value, which depends on the router no more.
public struct RouteMatch: Hashable, Sendable {
  /// A name and a text of a URL, decoded.
  public struct Item: Hashable, Sendable {
    /// The name of a parameter, or a key of the query.
    public let name: String
    /// Its text.
    public let text: String
    fileprivate var integer: Int64?
    fileprivate var number: Double?
  }

  /// The route that the URL takes.
  public let route: Route
  /// What the placeholders have matched, from the left.
  public let parameters: [Item]
  /// The items of the query, in order, repeated keys too. "+" stays "+".
  public let query: [Item]
  /// What comes after "#"; `nil`: there is no "#".
  public let fragment: String?
  /// The URL itself.
  public let url: String
  /// The number of the component that a leaving guard is asked about, for ``Navigator/component(_:)``; 0: for none, or it
  /// has closed.
  public private(set) var component: UInt64 = 0

  /// Finds what is in the URL of an event: of a factory's request, or of a guard's.
  init(
    _ event: UnsafePointer<mainstem_event>, isLeaving: Bool = false
  ) throws(StreamError) {
    var match: OpaquePointer?
    try StreamError.check(mainstem_event_match(event, &match))
    defer { mainstem_match_release(match) }
    try self.init(match, String(decoding: EventTypes.bytes(of: event.pointee), as: UTF8.self))
    // UNSET: it has closed meanwhile.
    if isLeaving { _ = mainstem_event_component(event, &component) }
  }

  init(_ match: OpaquePointer?, _ url: String) throws(StreamError) {
    self.url = url
    var info = mainstem_match_info()
    info.size = UInt32(MemoryLayout<mainstem_match_info>.size)
    try StreamError.check(mainstem_match_read(match, &info))
    route = Route(info.route)
    query = RouteMatch.items(info.query, info.query_count)
    fragment = info.fragment.map { RouteMatch.text($0, info.fragment_size) }
    var parameters = RouteMatch.items(info.parameters, info.parameter_count)
    for index in parameters.indices {
      let (type, text) = (Int(info.parameters[index].type), parameters[index].text)
      if type == Int(MAINSTEM_PARAMETER_INTEGER) { parameters[index].integer = Int64(text) }
      if type == Int(MAINSTEM_PARAMETER_INTEGER) || type == Int(MAINSTEM_PARAMETER_NUMBER) {
        parameters[index].number = Double(text)
      }
    }
    self.parameters = parameters
  }

  /// Reads the text of a parameter.
  ///
  /// - Parameter name: The name of its placeholder.
  /// - Returns: The text, decoded.
  /// - Throws: ``Status/invalid`` if the route has no such parameter.
  public func text(_ name: String) throws(StreamError) -> String { try item(name).text }

  /// Reads a parameter that is an integer.
  ///
  /// - Parameter name: The name of its placeholder, which is `<int:…>`.
  /// - Returns: The integer.
  /// - Throws: ``Status/invalid`` if the route has no such parameter.
  public func int(_ name: String) throws(StreamError) -> Int {
    guard let value = try item(name).integer else {
      throw StreamError(.invalid, "RouteMatch: \(name) is no <int:…> of this route")
    }
    return Int(value)
  }

  /// Reads a parameter that is a number.
  ///
  /// - Parameter name: The name of its placeholder, which is `<float:…>` or `<int:…>`.
  /// - Returns: The number.
  /// - Throws: ``Status/invalid`` if the route has no such parameter.
  public func float(_ name: String) throws(StreamError) -> Double {
    guard let value = try item(name).number else {
      throw StreamError(.invalid, "RouteMatch: \(name) is neither a <float:…> nor an <int:…>")
    }
    return value
  }

  /// Reads a key of the query.
  ///
  /// - Parameter key: The key.
  /// - Returns: Its value, the last one if there are several; `nil` if there is none.
  public func query(_ key: String) -> String? { query.last { $0.name == key }?.text }

  private func item(_ name: String) throws(StreamError) -> Item {
    guard let found = parameters.first(where: { $0.name == name }) else {
      throw StreamError(.invalid, "RouteMatch: \(name) is no parameter of this route")
    }
    return found
  }

  private static func items(_ rows: UnsafePointer<mainstem_parameter>?, _ count: Int) -> [Item] {
    UnsafeBufferPointer(start: rows, count: count).map { row in
      Item(name: text(row.name, row.name_size), text: text(row.text, row.size))
    }
  }

  private static func text(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
