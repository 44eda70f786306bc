// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A reactor's table: what it shows of its state, what it tells of its mutations, and its actions.
///
///     static func shown(_ on: inout Shown<Self>) {
///       on.shows("isLoading", \.isLoading)
///       on.shows("canMore", \.canMore)
///       on.pulse("alert") { if case .alert(let text) = $0 { text } else { nil } }
///       on.action("refresh", .refresh, policy: .latest)
///       on.action("more", .more, enabled: \.canMore, cancelledBy: "refresh")
///     }
public struct Shown<R: Reactor> {
  var table = Handlers<R>()

  /// Shows a property of the state.
  ///
  /// - Parameters:
  ///   - name: The value's name: `items` is the type `Feed.items`.
  ///   - property: The property. It travels as in `Handlers.shows(_:_:)`.
  @inlinable
  public mutating func shows<Value: Encodable & Equatable>(
    _ name: String, _ property: KeyPath<R.State, Value>
  ) {
    show(name, property, { $0[keyPath: property] }, { $0 == $1 }) {
      try $0.with($1, $2)
    }
  }

  /// Shows what a function makes of the state.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - body: Gets the state.
  @inlinable
  public mutating func shows<Value: Encodable & Equatable>(
    _ name: String, _ body: @escaping (R.State) -> Value
  ) {
    show(name, nil, body, { $0 == $1 }) { try $0.with($1, $2) }
  }

  /// Shows what a function makes of a property of the state; it is asked again only where that differs.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - source: The property that it is made of.
  ///   - body: Gets the state.
  @inlinable
  public mutating func shows<Source: Equatable, Value: Encodable & Equatable>(
    _ name: String, of source: KeyPath<R.State, Source>, by body: @escaping (R.State) -> Value
  ) {
    show(name, of: source, by: body, { $0 == $1 })
  }

  /// Tells views of mutations: each once, after the values.
  ///
  /// - Parameters:
  ///   - name: The pulse's name.
  ///   - body: Gets each mutation that was reduced, and returns what is told of it; `nil`: nothing.
  public mutating func pulse<Value: Encodable>(
    _ name: String, _ body: @escaping (R.Mutation) -> Value?
  ) {
    let form = ValueForm(Value.self)
    table.model.append(
      ModelRow(name: name, kind: .pulses, payload: form.payload, type: Value.self) { house in
        Reacting.of(house).tell(name) { mutation, types in
          try body(mutation).map { try form.bytes(of: $0, types) }
        }
        return LiveRow()
      })
  }

  // Compiled with the program, what compares values knows their type: see Handlers.
  @usableFromInline
  mutating func show<Value: Encodable>(
    _ name: String, _ property: PartialKeyPath<R.State>?, _ body: @escaping (R.State) -> Value,
    _ isEqual: @escaping (Value, Value) -> Bool, _ write: @escaping ValueForm.Write<Value>
  ) {
    add(name, Value.self, property) { house in
      let reacting = Reacting.of(house)
      return house.shows({ [unowned reacting] in body(reacting.shown) }, isEqual, write)
    }
  }

  @usableFromInline
  mutating func show<Source: Equatable, Value: Encodable>(
    _ name: String, of source: KeyPath<R.State, Source>, by body: @escaping (R.State) -> Value,
    _ isEqual: @escaping (Value, Value) -> Bool
  ) {
    add(name, Value.self, nil) { house in
      let reacting = Reacting.of(house)
      let made = ShownProperty { [unowned reacting] in reacting.shown[keyPath: source] }
      return house.shows({ [unowned reacting] in body(reacting.shown) }, isEqual, of: [made])
    }
  }

  private mutating func add<Value>(
    _ name: String, _ type: Value.Type, _ property: AnyKeyPath?,
    _ begin: @escaping (ModelHouse<R>) -> (ValueSetter) throws -> Void
  ) {
    let payload = ValueForm(type).payload
    table.model.append(
      ModelRow(
        name: name, kind: .shows, payload: payload, type: type, property: property
      ) { house in
        LiveRow(show: begin(house))
      })
  }

  /// The table, with the row of the mutations.
  func finished() -> Handlers<R> {
    var table = table
    let payload = MutationForm(R.Mutation.self).payload
    table.model.append(
      ModelRow(name: Reacting<R>.mutation, kind: .pulses, payload: payload) { house in
        _ = Reacting.of(house)
        return LiveRow()
      })
    return table
  }
}
