// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Opens and closes components by their routes, and knows which are there.
///
///     let pending = try context.navigator.open("diary/12") { result, _ in print(result) }
///     let answer = try await context.navigator.open(.confirm, ["text": "Delete?"])
///
/// What is opened stands on the component whose scope asks. Moves are requests, so they are recorded; they wait for each
/// other, and for the stage.
public struct Navigator {
  let context: Context
}

extension Context {
  /// The navigator, asked through this scope.
  public var navigator: Navigator { Navigator(context: self) }
}

/// What is there.
extension Navigator {
  /// The components that are shown, in the order in which they were opened: what one stands on comes before it.
  ///
  /// - Throws: ``Status/invalid`` if the context has no navigator.
  public var tree: [Component] {
    get throws(StreamError) {
      let numbers = try [UInt64](ofC: { mainstem_navigator_tree(context.handle, $0, $1, $2) })
      return try numbers.map { number throws(StreamError) in try component(number) }
    }
  }

  /// The last component with a view of its own that is in no other; `nil`: there is none.
  ///
  /// - Throws: ``Status/invalid`` if the context has no navigator.
  public var top: Component? {
    get throws(StreamError) { try tree.last { $0.kind.isTop } }
  }

  /// Reads a component, also one that is not shown yet.
  ///
  /// - Parameter number: Its number.
  /// - Returns: The component.
  /// - Throws: ``Status/stale`` if it is not there any more.
  public func component(_ number: UInt64) throws(StreamError) -> Component {
    try Component { mainstem_component_read(context.handle, number, $0, $1, $2) }
  }
}

extension [UInt64] {
  /// Numbers of components, which C writes where it finds room, and counts before that.
  init(
    ofC read: (UnsafeMutablePointer<UInt64>?, Int, UnsafeMutablePointer<Int>?) -> mainstem_status
  ) throws(StreamError) {
    var count = 0
    let status = read(nil, 0, &count)
    if status != Status.tooBig.rawValue { try StreamError.check(status) }
    self.init(repeating: 0, count: count)
    try StreamError.check(read(&self, count, &count))
  }
}

/// What a component says.
extension Navigator {
  /// Closes the component of this scope with a result, which its opener gets. Only the first one counts.
  ///
  /// - Parameter result: The result, whose type is no secret.
  /// - Throws: The reason it was not accepted.
  public func finish<R: Event>(_ result: R) throws(StreamError) {
    let number = try context.types.number(of: R.self)
    let bytes = try context.types.encode(result)
    try StreamError.check(mainstem_component_finish(context.handle, number, bytes, bytes.count))
  }

  /// Closes the component of this scope without a result: its opener is told that it went well.
  ///
  /// - Throws: The reason it was not accepted.
  public func finish() throws(StreamError) {
    try StreamError.check(mainstem_component_finish(context.handle, 0, nil, 0))
  }
}

/// What a host says.
extension Navigator {
  /// Says that the app can be seen: links that were asked for before are opened now.
  ///
  /// - Throws: The reason it was not accepted.
  public func ready() throws(StreamError) {
    try StreamError.check(mainstem_navigator_ready(context.handle))
  }

  /// Says that a component is gone already: the user went back by a gesture of the host's. It closes with what stands on
  /// it; nobody is asked, and it is not hidden.
  ///
  /// - Parameter number: The component's number.
  /// - Throws: The reason it was not accepted.
  public func gone(_ number: UInt64) throws(StreamError) {
    try StreamError.check(mainstem_component_gone(context.handle, number))
  }
}

extension Run {
  /// Closes the component of this view model with a result, which its opener gets.
  ///
  /// - Parameter result: The result.
  public func finish<R: Event>(_ result: R) {
    take { () throws(StreamError) in try house.context.navigator.finish(result) }
  }
}

// MARK: - Its routes

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

// MARK: - What it knows of a component

/// What a route leads to, as the navigator and its stage know it: a screen, a dialog, a widget in a slot.
public struct Component: Hashable, Sendable {
  /// How a component is shown, and what it stands on.
  public enum Kind: UInt32, Sendable {
    /// On the topmost screen of the asker's stack; covers it.
    case screen = 1
    /// In a slot of the asker; takes the place of what is there.
    case embed
    /// On the asker.
    case dialog
    /// On the asker, over the whole screen.
    case present
    /// On nothing, above all.
    case overlay
    /// Stands like a screen. Not shown itself: its parts are, and close as one.
    case group
    /// Stands like a screen. Not shown: it has components on it.
    case flow
  }

  /// Its number, which is that of its scope.
  public let number: UInt64
  /// How it is shown.
  public let kind: Kind
  /// The number of what it stands on; 0: nothing.
  public let parent: UInt64
  /// The number of its owner's scope, for ``Context/scope(number:)``; 0: it has none.
  public let owner: UInt64
  /// Whether a screen covers it.
  public let isHidden: Bool
  /// The name of its view model; empty if it has none.
  public let name: String
  /// The URL that was opened.
  public let url: String
  /// The pattern of its route.
  public let route: String
  /// Of an embed, its slot; otherwise empty.
  public let slot: String

  /// Reads one with a function of C, with as much room for its texts as they need.
  init(
    _ read: (UnsafeMutablePointer<mainstem_component_info>, UnsafeMutablePointer<CChar>?, Int) ->
      mainstem_status
  ) throws(StreamError) {
    var room = 512
    while true {
      var text = [CChar](repeating: 0, count: room)
      var show = mainstem_component_info()
      show.size = UInt32(MemoryLayout<mainstem_component_info>.size)
      // The texts lie in `text` only while it is lent.
      let read = text.withUnsafeMutableBufferPointer { buffer in
        let status = read(&show, buffer.baseAddress, room)
        return (status: status, component: status == 0 ? Component(copying: show) : nil)
      }
      if let component = read.component {
        self = component
        return
      }
      guard read.status == Status.tooBig.rawValue, room < 1 << 20 else {
        try StreamError.check(read.status)
        throw StreamError(.invalid, "Component: it is of a kind that this library does not know")
      }
      room *= 8
    }
  }

  private init?(copying show: mainstem_component_info) {
    guard let kind = Kind(rawValue: show.kind) else { return nil }
    self.kind = kind
    number = show.component
    parent = show.parent
    owner = show.owner
    isHidden = show.hidden != 0
    name = String(cString: show.name)
    url = String(cString: show.url)
    route = String(cString: show.route)
    slot = String(cString: show.slot)
  }
}

extension Component.Kind {
  /// The kind's name in events.
  var name: String { "\(self)" }

  /// Whether it has a view of its own that is not in another's.
  var isTop: Bool { self == .screen || self == .dialog || self == .present || self == .overlay }
}
