// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a view model shows.
extension Handlers where S: ViewModel {
  /// Shows a property.
  ///
  /// - Parameters:
  ///   - name: The value's name: `title` is the type `Todo.title`.
  ///   - property: The property. A `Bool`, an `Int`, a `Double` or a `String` is sent as it is, numbers of scopes
  ///     (`[UInt64]`) as bytes, and everything else as JSON.
  public mutating func shows<Value: Encodable & Equatable>(
    _ name: String, _ property: KeyPath<S, Value>
  ) {
    show(name, property) { $0[keyPath: property] }
  }

  /// Shows what a function makes of the state.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - body: Gets the view model after each event that it has got.
  public mutating func shows<Value: Encodable & Equatable>(
    _ name: String, _ body: @escaping (S) -> Value
  ) {
    show(name, nil, body)
  }

  /// Shows what a function makes of some properties; it is asked again only where one of them differs.
  ///
  ///     on.shows("found", of: \.people, \.prefix) { $0.people.filter { … } }
  ///
  /// For values that are big, or that take time.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - source: A property that it is made of.
  ///   - others: More of them.
  ///   - body: Gets the view model.
  public mutating func shows<
    Source: Equatable, each Other: Equatable, Value: Encodable & Equatable
  >(
    _ name: String, of source: KeyPath<S, Source>, _ others: repeat KeyPath<S, each Other>,
    by body: @escaping (S) -> Value
  ) {
    add(name, EventTypes.payload(of: Value.self), nil) { _ in
      let last = ShownLast<Sources<Source, repeat each Other>>()
      return LiveRow(show: { model, setter in
        let now = Sources(
          all: (model[keyPath: source], repeat model[keyPath: each others]))
        try last.show(now, setter) { types in try types.bytes(of: body(model)) }
      })
    }
  }

  private mutating func show<Value: Encodable & Equatable>(
    _ name: String, _ property: PartialKeyPath<S>?, _ body: @escaping (S) -> Value
  ) {
    add(name, EventTypes.payload(of: Value.self), property) { _ in
      LiveRow(show: Handlers.shown(body))
    }
  }

  private mutating func add(
    _ name: String, _ payload: Payload, _ property: PartialKeyPath<S>?,
    _ begin: @escaping (ModelHouse<S>) -> LiveRow<S>
  ) {
    model.append(
      ModelRow(name: name, kind: .shows, payload: payload, property: property, begin: begin))
  }

  /// Begins to show what a function says.
  private static func shown<Value: Encodable & Equatable>(
    _ body: @escaping (S) -> Value
  ) -> (S, ValueSetter) throws -> Void {
    if Value.self is any Scalar.Type {
      // A scalar's payload is its bytes.
      return { model, setter in try withUnsafeBytes(of: body(model)) { try setter.set($0) } }
    }
    let last = ShownLast<Value>()
    return { model, setter in
      let now = body(model)
      try last.show(now, setter) { types in try types.bytes(of: now) }
    }
  }

  /// Shows a property that views may write.
  ///
  ///     on.written("celsius", \.celsius) { $0.fromCelsius($1) }
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - property: The property. It gets what a view has written.
  ///   - effect: What else follows from that. If it throws, the property has its old value again, and so has the view.
  public mutating func written<Value: Codable & Equatable>(
    _ name: String, _ property: WritableKeyPath<S, Value>,
    _ effect: ((inout S, Value) throws -> Void)? = nil
  ) {
    let show: (S) -> Value = { $0[keyPath: property] }
    let payload = EventTypes.payload(of: Value.self)
    model.append(
      ModelRow(name: name, kind: .writable, payload: payload, property: property) { _ in
        LiveRow(
          show: Handlers.shown(show),
          call: { house, delivery in
            let value: Value = try delivery.types.value(of: delivery.event.pointee)
            try house.change { model in
              let old = model[keyPath: property]
              model[keyPath: property] = value
              do { try effect?(&model, value) } catch {
                model[keyPath: property] = old
                throw error
              }
            }
          })
      })
  }

  /// Tells views what is in ``Pulses``: each once, after the values.
  ///
  /// - Parameters:
  ///   - name: The pulse's name.
  ///   - property: The property that the view model tells it with.
  public mutating func pulse<Value: Encodable>(
    _ name: String, _ property: WritableKeyPath<S, Pulses<Value>>
  ) {
    let payload = EventTypes.payload(of: Value.self)
    model.append(
      ModelRow(name: name, kind: .pulses, payload: payload) { _ in
        LiveRow(pulses: { model, types in
          if model[keyPath: property].waiting.isEmpty { return [] }
          return try model[keyPath: property].take().map { try types.bytes(of: $0) }
        })
      })
  }
}

/// Properties that a value is made of.
private struct Sources<each Source: Equatable>: Equatable {
  let all: (repeat each Source)

  static func == (left: Self, right: Self) -> Bool {
    for (left, right) in repeat (each left.all, each right.all) {
      if left != right { return false }
    }
    return true
  }
}
