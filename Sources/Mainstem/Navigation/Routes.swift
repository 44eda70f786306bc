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

/// The kinds of components.
extension Routes {
  /// Adds a route to a screen. It stands on the topmost screen of the asker's stack, and covers it.
  ///
  /// - Parameters:
  ///   - pattern: The pattern of its URLs.
  ///   - make: Gets the flow and what was found in the URL, and makes the owner. A failure that it throws is the answer
  ///     of the move.
  public mutating func screen<S: Server>(
    _ pattern: String, _ make: @escaping (Flow, RouteMatch) throws -> S
  ) {
    add(pattern, .screen, make)
  }

  /// Adds a route to a screen with a result.
  ///
  /// - Parameters:
  ///   - destination: The route.
  ///   - make: Gets the flow and what was found in the URL, and makes the owner.
  public mutating func screen<R: Event, S: Server>(
    _ destination: Destination<R>, _ make: @escaping (Flow, RouteMatch) throws -> S
  ) {
    add(destination, .screen, make)
  }

  /// Adds a route to a screen without an owner.
  ///
  /// - Parameter pattern: The pattern of its URLs.
  public mutating func screen(_ pattern: String) {
    rows.append(RouteRow(pattern: pattern, kind: .screen))
  }

  /// Adds a route to a dialog. It stands on the asker.
  ///
  /// - Parameters:
  ///   - pattern: The pattern of its URLs.
  ///   - make: Gets the flow and what was found in the URL, and makes the owner. A failure that it throws is the answer
  ///     of the move.
  public mutating func dialog<S: Server>(
    _ pattern: String, _ make: @escaping (Flow, RouteMatch) throws -> S
  ) {
    add(pattern, .dialog, make)
  }

  /// Adds a route to a dialog with a result.
  ///
  /// - Parameters:
  ///   - destination: The route.
  ///   - make: Gets the flow and what was found in the URL, and makes the owner.
  public mutating func dialog<R: Event, S: Server>(
    _ destination: Destination<R>, _ make: @escaping (Flow, RouteMatch) throws -> S
  ) {
    add(destination, .dialog, make)
  }

  /// Adds a route to a dialog without an owner.
  ///
  /// - Parameter pattern: The pattern of its URLs.
  public mutating func dialog(_ pattern: String) {
    rows.append(RouteRow(pattern: pattern, kind: .dialog))
  }

  /// Adds a route to a component that is presented. It stands on the asker, over the whole screen.
  ///
  /// - Parameters:
  ///   - pattern: The pattern of its URLs.
  ///   - make: Gets the flow and what was found in the URL, and makes the owner. A failure that it throws is the answer
  ///     of the move.
  public mutating func present<S: Server>(
    _ pattern: String, _ make: @escaping (Flow, RouteMatch) throws -> S
  ) {
    add(pattern, .present, make)
  }

  /// Adds a route to a component that is presented with a result.
  ///
  /// - Parameters:
  ///   - destination: The route.
  ///   - make: Gets the flow and what was found in the URL, and makes the owner.
  public mutating func present<R: Event, S: Server>(
    _ destination: Destination<R>, _ make: @escaping (Flow, RouteMatch) throws -> S
  ) {
    add(destination, .present, make)
  }

  /// Adds a route to a component that is presented without an owner.
  ///
  /// - Parameter pattern: The pattern of its URLs.
  public mutating func present(_ pattern: String) {
    rows.append(RouteRow(pattern: pattern, kind: .present))
  }

  /// Adds a route to an overlay. It stands on nothing, above all.
  ///
  /// - Parameters:
  ///   - pattern: The pattern of its URLs.
  ///   - make: Gets the flow and what was found in the URL, and makes the owner. A failure that it throws is the answer
  ///     of the move.
  public mutating func overlay<S: Server>(
    _ pattern: String, _ make: @escaping (Flow, RouteMatch) throws -> S
  ) {
    add(pattern, .overlay, make)
  }

  /// Adds a route to an overlay with a result.
  ///
  /// - Parameters:
  ///   - destination: The route.
  ///   - make: Gets the flow and what was found in the URL, and makes the owner.
  public mutating func overlay<R: Event, S: Server>(
    _ destination: Destination<R>, _ make: @escaping (Flow, RouteMatch) throws -> S
  ) {
    add(destination, .overlay, make)
  }

  /// Adds a route to an overlay without an owner.
  ///
  /// - Parameter pattern: The pattern of its URLs.
  public mutating func overlay(_ pattern: String) {
    rows.append(RouteRow(pattern: pattern, kind: .overlay))
  }

  /// Adds a route to a component in a slot of the asker. It takes the place of what is there.
  ///
  /// - Parameters:
  ///   - pattern: The pattern of its URLs.
  ///   - slot: The slot.
  ///   - make: Gets the flow and what was found in the URL, and makes the owner.
  public mutating func embed<S: Server>(
    _ pattern: String, in slot: String, _ make: @escaping (Flow, RouteMatch) throws -> S
  ) {
    add(pattern, .embed, in: slot, make)
  }

  /// Adds a route to a component without an owner, in a slot of the asker.
  ///
  /// - Parameters:
  ///   - pattern: The pattern of its URLs.
  ///   - slot: The slot.
  public mutating func embed(_ pattern: String, in slot: String) {
    rows.append(RouteRow(pattern: pattern, kind: .embed, parts: slot))
  }
}
