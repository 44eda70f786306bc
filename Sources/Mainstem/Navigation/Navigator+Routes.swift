// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Navigator {
  /// A route, and what it leads to.
  public struct Route: Hashable, Sendable {
    /// The pattern of its URLs.
    public let pattern: String
    /// How its component is shown.
    public let kind: Component.Kind
    /// The name of what is behind it, a view model or a server; empty if there is nothing.
    public let name: String
    /// Of an embed, its slot. Of a group, the URLs of its parts, with spaces between them.
    public let parts: String
  }

  /// The routes of the context in the order of adding, whichever modules have added them.
  ///
  /// - Throws: ``Status/invalid`` if the context has no navigator.
  public var routes: [Route] {
    get throws(StreamError) {
      var routes: [Route] = []
      while let route = try route(at: routes.count) { routes.append(route) }
      return routes
    }
  }

  private func route(at index: Int) throws(StreamError) -> Route? {
    var row = mainstem_route_row()
    let size = MemoryLayout<mainstem_route_row>.size
    let status = mainstem_routes_read(context.handle, index, &row, size)
    guard status != Status.unset.rawValue else { return nil }
    try StreamError.check(status)
    return Route(row)
  }
}

extension Navigator.Route {
  fileprivate init(_ row: mainstem_route_row) {
    pattern = String(cString: row.pattern)
    kind = Component.Kind(rawValue: row.kind) ?? .screen
    name = row.name.map { String(cString: $0) } ?? ""
    parts = row.parts.map { String(cString: $0) } ?? ""
  }
}
