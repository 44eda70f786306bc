// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Adds the navigator, if it is not to have its defaults. Before the first event, and before the first routes.
  ///
  /// - Parameters:
  ///   - scheme: The app's own, without "://": links lose it.
  ///   - showTimeout: How long a stage may take to answer.
  /// - Throws: ``Status/invalid`` if there is one already.
  public func addNavigator(
    scheme: String? = nil, showTimeout: Duration = .seconds(10)
  ) throws(StreamError) {
    var options = mainstem_navigator_options()
    options.size = UInt32(MemoryLayout<mainstem_navigator_options>.size)
    options.show_timeout_ms = try showTimeout.milliseconds("addNavigator: showTimeout", least: 1)
    let status = CStrings([scheme ?? ""]).withPointers { texts in
      if scheme != nil { options.scheme = texts[0] }
      return mainstem_navigator_add(handle, &options)
    }
    try StreamError.check(status)
  }

  /// Adds routes, and guards, before the first event.
  ///
  ///     try context.addRoutes { on in
  ///       on.screen("diary/<int:id>") { _, route in DiaryPage(id: try route.int("id")) }
  ///       on.flow("onboarding") { _, _ in Onboarding() }
  ///     }
  ///
  /// - Parameter table: Gets the table, and fills it.
  /// - Throws: The reason they were not added.
  public func addRoutes(_ table: (inout Routes<Void>) -> Void) throws(StreamError) {
    var routes = Routes<Void>()
    table(&routes)
    try add(routes, "Guards") { _ in }
    for row in routes.guards.indices {
      try add(guard: row, of: "Guards", routes.guards[row].judge, nil) { step in
        var nothing: Void = ()
        step(&nothing)
      }
    }
  }

  /// Adds the routes of a flow, once in a context.
  func addRoutes<C: Coordinator>(of type: C.Type) throws(StreamError) {
    guard let flows = types.routes.add(C.self) else { return }
    var routes = Routes<C>()
    C.routes(&routes)
    var intents = Intents<C>()
    C.intents(&intents)
    for row in intents.rows { try row.register(types) }
    flows.table = FlowTable(
      server: try ServerTable<C>(types), guards: routes.guards, intents: intents.rows)
    try add(routes, C.name) { component throws(Failure) in try flows.around(component) }
  }

  /// Adds factories, routes and guards, and what is said by the tables of flows that are named.
  private func add<Flow>(
    _ routes: Routes<Flow>, _ owner: String, _ flow: @escaping (_ component: UInt64) throws -> Flow
  ) throws(StreamError) {
    for result in routes.results { _ = try types.number(of: result) }
    for (name, accepts) in routes.types {
      types.routes.add(type: name, accepts)
      try Held(accepts).keep { userData, release in
        mainstem_routes_type_add(handle, name, Router.accepts, userData, release)
      }
    }
    for row in routes.rows {
      if let name = row.name, let make = row.make {
        let (owners, isNew) = types.routes.owners(name)
        if isNew { try addFactory(name, owners) }
        owners.add(row.pattern) { scope, component, route in
          try make(scope, component, try flow(component), route)
        }
      }
      try add(row)
    }
    for (number, row) in routes.guards.enumerated() {
      let flags = row.isLeaving ? UInt32(MAINSTEM_GUARD_LEAVING) : 0
      guard !row.patterns.isEmpty else {
        throw StreamError(.invalid, "guarded: name the patterns of its URLs; \"*\" means every URL")
      }
      for pattern in row.patterns {
        let name = Self.name(ofGuard: number, of: owner)
        try StreamError.check(mainstem_guard_add(handle, pattern, name, flags))
      }
    }
    for flow in routes.flows { try addRoutes(of: flow) }
  }

  private func addFactory(_ name: String, _ owners: Owners) throws(StreamError) {
    let contract = Payload.text.contract | (try Layer.viewModel.contract(in: types.home))
    try add(factory: name, contract) { scope, delivery in
      // UNSET: it is opened by who has asked for the factory, not for a route.
      var component: UInt64 = 0
      _ = mainstem_event_component(delivery.event, &component)
      try owners.make(scope, component, try RouteMatch(delivery.event))
    }
  }

  private func add<Flow>(_ row: RouteRow<Flow>) throws(StreamError) {
    let texts = CStrings([row.pattern, row.name ?? "", row.parts ?? ""])
    let status = texts.withPointers { texts in
      var route = mainstem_route_row()
      route.pattern = texts[0]
      route.name = row.name == nil ? nil : texts[1]
      route.kind = row.kind.rawValue
      route.parts = row.parts == nil ? nil : texts[2]
      return mainstem_routes_add(handle, &route, MemoryLayout<mainstem_route_row>.stride, 1)
    }
    try StreamError.check(status)
  }

  /// Adds who answers a guard. Of a flow several may be open: all are asked, and the first answer counts.
  func add<Flow>(
    guard number: Int, of owner: String, _ judge: Judge<Flow>, _ house: AnyObject?,
    _ access: @escaping Judge<Flow>.Access
  ) throws(StreamError) {
    let callback = Callback(types) { judge.answer($0, house, access) }
    let names = CStrings(["RequestGuard.\(Self.name(ofGuard: number, of: owner))"])
    try callback.keep { userData, release in
      names.withPointers { names in
        let row = mainstem_handler_row(
          type: names[0], fn: Callback.call,
          flags: house == nil ? 0 : UInt32(MAINSTEM_HANDLER_SEVERAL))
        return withUnsafePointer(to: row) { row in
          mainstem_server_add(
            handle, owner, row,
            MemoryLayout<mainstem_handler_row>.stride, 1, userData, release, nil)
        }
      }
    }
  }

  private static func name(ofGuard number: Int, of owner: String) -> String {
    number == 0 ? owner : "\(owner)\(number + 1)"
  }
}

/// What the tables of a context have in common: flows, and owners that several of them lead to.
final class KnownRoutes {
  private let lock = Lock()
  private var flows: [ObjectIdentifier: AnyObject] = [:]
  private var owners: [String: Owners] = [:]
  private var types: [(name: String, accepts: (String) -> Bool)] = []

  /// Adds a type of flow; nil: it is there.
  func add<Flow: Coordinator>(_ type: Flow.Type) -> OpenFlows<Flow>? {
    lock.locked {
      guard flows[ObjectIdentifier(type)] == nil else { return nil }
      let open = OpenFlows<Flow>()
      flows[ObjectIdentifier(type)] = open
      return open
    }
  }

  func find<Flow: Coordinator>(_ type: Flow.Type) -> OpenFlows<Flow>? {
    lock.locked { flows[ObjectIdentifier(type)] as? OpenFlows<Flow> }
  }

  /// Adds a type that patterns name.
  func add(type name: String, _ accepts: @escaping (String) -> Bool) {
    lock.locked { types.append((name, accepts)) }
  }

  /// The owners of a name; `isNew`: they have no factory yet.
  func owners(_ name: String) -> (owners: Owners, isNew: Bool) {
    lock.locked {
      if let found = owners[name] { return (found, false) }
      let added = Owners()
      owners[name] = added
      return (added, true)
    }
  }

  /// A router that knows the types.
  func router() throws(StreamError) -> Router {
    let router = try Router()
    for (name, accepts) in lock.locked({ types }) { try router.addType(name, accepts) }
    return router
  }
}

/// Who makes the owners of one name: several routes may lead to them.
final class Owners {
  typealias Make = (Context, _ component: UInt64, RouteMatch) throws -> Void

  private var rows: [(pattern: String, make: Make)] = []
  /// Which of them a URL takes.
  private var router: Router?

  func add(_ pattern: String, _ make: @escaping Make) { rows.append((pattern, make)) }

  /// Fills the scope of an owner.
  func make(_ scope: Context, _ component: UInt64, _ route: RouteMatch) throws {
    guard rows.count > 1 else { return try rows[0].make(scope, component, route) }
    guard let match = try router(in: scope.types.routes).match(route.url) else {
      throw Failure("\(route.url): takes no route of this owner", code: .noRoute)
    }
    try rows[Int(match.route.number) - 1].make(scope, component, route)
  }

  private func router(in known: KnownRoutes) throws(StreamError) -> Router {
    if let router { return router }
    let made = try known.router()
    for row in rows { try made.add(row.pattern) }
    router = made
    return made
  }
}
