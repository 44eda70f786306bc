// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
