// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A table of routes: which URL leads to which component, how that is shown, and who is asked before.
///
///     try context.addRoutes { on in
///       on.screen("diary") { _, _ in DiaryList() }
///       on.screen("diary/<int:id>") { _, route in DiaryPage(id: try route.int("id")) }
///       on.screen("about")
///       on.flow("onboarding") { _, _ in Onboarding() }
///     }
///
/// In the table of a ``Coordinator`` functions get the flow, elsewhere nothing. What they return is the *owner* of the
/// component: a view model, or a server; it ends with the component.
public struct Routes<Flow> {
  /// Makes the owner of a component, given by its number, in a scope of its own.
  typealias Make = (Context, _ component: UInt64, Flow, RouteMatch) throws -> Void

  var rows: [RouteRow<Flow>] = []
  var guards: [GuardRow<Flow>] = []
  var types: [(name: String, accepts: (String) -> Bool)] = []
  /// The types of results, and flows with tables of their own.
  var results: [any Event.Type] = []
  var flows: [any Coordinator.Type] = []

  /// Adds a type, which patterns may then name: `<colour:name>`.
  ///
  /// - Parameters:
  ///   - name: The type's name.
  ///   - accepts: Whether the type accepts a text; the same each time.
  public mutating func type(_ name: String, _ accepts: @escaping (String) -> Bool) {
    types.append((name, accepts))
  }

  /// Adds a group: several components that are shown in their order, and close as one.
  ///
  /// - Parameters:
  ///   - pattern: The pattern of its URLs.
  ///   - urls: The URLs of its parts.
  public mutating func group(_ pattern: String, of urls: [String]) {
    rows.append(RouteRow(pattern: pattern, kind: .group, parts: urls.joined(separator: " ")))
  }

  /// Adds a flow, with its own routes. Several routes may lead to it.
  ///
  /// - Parameters:
  ///   - pattern: The pattern of its URLs.
  ///   - make: Makes it. A failure that it throws is the answer of the move.
  public mutating func flow<C: Coordinator>(
    _ pattern: String, _ make: @escaping (Flow, RouteMatch) throws -> C
  ) {
    flows.append(C.self)
    rows.append(
      RouteRow(
        pattern: pattern, kind: .flow, name: C.name,
        make: { scope, component, flow, route in
          try scope.become(flow: try make(flow, route), of: component)
        }))
  }

  /// Adds a route to a component with an owner.
  mutating func add<S: Server>(
    _ pattern: String, _ kind: Component.Kind, in slot: String? = nil,
    _ make: @escaping (Flow, RouteMatch) throws -> S
  ) {
    rows.append(
      RouteRow(
        pattern: pattern, kind: kind, parts: slot, name: S.name,
        make: { scope, _, flow, route in
          let owner = try make(flow, route)
          if let model = owner as? any ViewModel {
            try scope.become(model)
          } else {
            try scope.become(owner)
          }
        }))
  }

  /// Adds a route to a component with an owner and a result.
  mutating func add<R: Event, S: Server>(
    _ destination: Destination<R>, _ kind: Component.Kind,
    _ make: @escaping (Flow, RouteMatch) throws -> S
  ) {
    results.append(R.self)
    add(destination.pattern, kind, make)
  }
}

/// One row.
struct RouteRow<Flow> {
  let pattern: String
  let kind: Component.Kind
  /// Of an embed its slot, of a group the URLs of its parts.
  var parts: String?
  /// The name of the factory; nil: it has no owner.
  var name: String?
  var make: Routes<Flow>.Make?
}
