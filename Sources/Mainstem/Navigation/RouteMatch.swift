// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
