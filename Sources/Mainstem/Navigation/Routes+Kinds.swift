// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
