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
  @inlinable
  public mutating func shows<Value: Encodable & Equatable>(
    _ name: String, _ property: KeyPath<S, Value>
  ) {
    show(name, property, { $0[keyPath: property] }, { $0 == $1 }) { try $0.with($1, $2) }
  }

  /// Shows what a function makes of the state.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - body: Gets the view model after each event that it has got.
  @inlinable
  public mutating func shows<Value: Encodable & Equatable>(
    _ name: String, _ body: @escaping (S) -> Value
  ) {
    show(name, nil, body, { $0 == $1 }) { try $0.with($1, $2) }
  }

  /// Shows what a function makes of some properties; it is asked again only where one of them differs.
  ///
  ///     on.shows("found", of: \.people, \.prefix) { $0.people.filter { … } }
  ///
  /// For values that are big, or that take time. Of a value that is made anew from the inputs, a journal need not keep
  /// each one: with `record: .inputs` it has a digest, which verify compares, and a muted replay does not show the value.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - source: A property that it is made of.
  ///   - others: More of them.
  ///   - record: What a journal keeps of the value.
  ///   - body: Gets the view model.
  @inlinable
  public mutating func shows<
    Source: Equatable, each Other: Equatable, Value: Encodable & Equatable
  >(
    _ name: String, of source: KeyPath<S, Source>, _ others: repeat KeyPath<S, each Other>,
    record: RecordMode = .full, by body: @escaping (S) -> Value
  ) {
    show(name, of: source, repeat each others, record: record, by: body, { $0 == $1 })
  }

  // The functions above are compiled with the program, so that comparing values knows their type. What they call is
  // compiled here.
  @usableFromInline
  mutating func show<Source: Equatable, each Other: Equatable, Value: Encodable>(
    _ name: String, of source: KeyPath<S, Source>, _ others: repeat KeyPath<S, each Other>,
    record: RecordMode, by body: @escaping (S) -> Value,
    _ isEqual: @escaping (Value, Value) -> Bool
  ) {
    add(name, Value.self, nil, record) { house in
      var sources: [ShownSource] = [house.source(source)]
      repeat sources.append(house.source(each others))
      return house.shows({ [unowned house] in body(house.server) }, isEqual, of: sources)
    }
  }

  @usableFromInline
  mutating func show<Value: Encodable>(
    _ name: String, _ property: PartialKeyPath<S>?, _ body: @escaping (S) -> Value,
    _ isEqual: @escaping (Value, Value) -> Bool, _ write: @escaping ValueForm.Write<Value>
  ) {
    add(name, Value.self, property) { house in
      house.shows({ [unowned house] in body(house.server) }, isEqual, write)
    }
  }

  /// Adds a value; for a reactor, too.
  mutating func add(
    _ name: String, _ type: Any.Type, _ property: AnyKeyPath?, _ record: RecordMode = .full,
    _ begin: @escaping (ModelHouse<S>) -> (ValueSetter) throws -> Void
  ) {
    let payload = ValueForm(type).payload
    model.append(
      ModelRow(
        name: name, kind: .shows, payload: payload, type: type, record: record, property: property
      ) { house in
        LiveRow(show: begin(house))
      })
  }

  /// Shows a property that views may write.
  ///
  ///     on.writable("celsius", \.celsius) { $0.fromCelsius($1) }
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - property: The property. It gets what a view has written.
  ///   - effect: What else follows from that. If it throws, the property has its old value again, and so has the view.
  public mutating func writable<Value: Codable & Equatable>(
    _ name: String, _ property: WritableKeyPath<S, Value>,
    _ effect: ((inout S, Value) throws -> Void)? = nil
  ) {
    let form = ValueForm(Value.self)
    model.append(
      ModelRow(
        name: name, kind: .writable, payload: form.payload, type: Value.self, property: property
      ) { house in
        LiveRow(
          show: house.shows({ [unowned house] in house.server[keyPath: property] }, { $0 == $1 }),
          call: { [unowned house] delivery in
            let value = try form.value(Value.self, of: delivery.event.pointee, delivery.types)
            try house.write(property, value) { try effect?(&$0, value) }
          })
      })
  }

  /// Lets views write a secret, such as a password. It is no value: nobody is shown it, and no journal has it.
  ///
  /// - Parameters:
  ///   - name: The name that views write: `password` is the notice `SignIn.password`.
  ///   - property: The property. It gets what a view has written.
  ///   - effect: What else follows from that. If it throws, the property has its old value again.
  public mutating func writable(
    _ name: String, _ property: WritableKeyPath<S, SecretText>,
    _ effect: ((inout S) throws -> Void)? = nil
  ) {
    model.append(
      ModelRow(
        name: name, kind: .writable, payload: .text, isSecret: true, property: property
      ) { house in
        LiveRow(call: { [unowned house] delivery in
          let event = delivery.event.pointee
          let text = SecretText(
            copying: UnsafeRawBufferPointer(start: event.data, count: Int(event.size)))
          try house.write(property, text) { try effect?(&$0) }
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
    let form = ValueForm(Value.self)
    model.append(
      ModelRow(
        name: name, kind: .pulses, payload: form.payload, type: Value.self, property: property
      ) { house in
        LiveRow(pulses: { [unowned house] types in
          if house.server[keyPath: property].waiting.isEmpty { return [] }
          let told = house.server[keyPath: property].take()
          return try told.map { try form.bytes(of: $0, types) }
        })
      })
  }
}

extension ModelHouse {
  /// A property that a value is made of.
  func source<Value: Equatable>(_ property: KeyPath<S, Value>) -> ShownSource {
    ShownProperty { [unowned self] in server[keyPath: property] }
  }

  /// Gives a property what a view has written. If the effect throws, the property has its old value again.
  fileprivate func write<Value>(
    _ property: WritableKeyPath<S, Value>, _ value: Value, _ effect: (inout S) throws -> Void
  ) throws {
    try change { model in
      let old = model[keyPath: property]
      model[keyPath: property] = value
      do { try effect(&model) } catch {
        model[keyPath: property] = old
        throw error
      }
    }
  }

  /// Begins to show what a function says.
  ///
  /// - Parameter sources: What it is made of; nil: it is asked each time.
  func shows<Value: Encodable>(
    _ body: @escaping () -> Value, _ isEqual: @escaping (Value, Value) -> Bool,
    _ write: @escaping ValueForm.Write<Value> = { try $0.with($1, $2) },
    of sources: [ShownSource]? = nil
  ) -> (ValueSetter) throws -> Void {
    let form = ValueForm(Value.self)
    if form != .json, sources == nil {
      // The bytes are there, so comparing them is all that is to be done.
      return { setter in
        _ = try write(form, body()) { try setter.set($0) }
      }
    }
    var last: ShownLast<Value>?
    var isOld = false
    return { setter in
      if let sources, let last {
        // All of them: each is to know its last.
        for source in sources where source.hasChanged() { isOld = true }
        if !isOld { return try setter.set(last.bytes) }
      }
      let now = body()
      let encode = { (value: Value) in try form.bytes(of: value, setter.types) }
      if let last {
        try last.take(now, isEqual, encode)
      } else {
        last = ShownLast(now, try encode(now))
      }
      isOld = false
      try setter.set(last?.bytes ?? [])
    }
  }
}

/// What a view model tells once: each is seen, none is kept.
///
///     var alert = Pulses<String>()
///
///     mutating func failed(_ failure: Failure) { alert(failure.userMessage) }
///
/// Views get it after the values of the same step, if the table has `on.pulse("alert", \.alert)`.
public struct Pulses<Value> {
  /// What is to be told, in order.
  public private(set) var waiting: [Value] = []

  /// Makes one that has nothing to tell.
  public init() {}

  /// Tells something.
  ///
  /// - Parameter value: What is told.
  public mutating func callAsFunction(_ value: Value) { waiting.append(value) }

  mutating func take() -> [Value] {
    defer { waiting = [] }
    return waiting
  }
}

extension Pulses: Equatable where Value: Equatable {}
extension Pulses: Sendable where Value: Sendable {}

/// What was shown last of a value, so that what is equal is not encoded again.
///
/// The bytes are set all the same: somebody else may have set the value.
final class ShownLast<Value> {
  // The core calls one show at a time.
  @exclusivity(unchecked) private var value: Value
  @exclusivity(unchecked) private(set) var bytes: [UInt8]

  init(_ value: Value, _ bytes: [UInt8]) {
    self.value = value
    self.bytes = bytes
  }

  /// Takes the present value; if it is another one, it is encoded.
  func take(
    _ now: Value, _ isEqual: (Value, Value) -> Bool, _ encode: (Value) throws -> [UInt8]
  ) throws {
    if isEqual(value, now) { return }
    bytes = try encode(now)
    value = now
  }
}

/// What a value is made of: one property, as it was.
class ShownSource {
  /// Whether it is another one than at the call before.
  func hasChanged() -> Bool { false }
}

final class ShownProperty<Value: Equatable>: ShownSource {
  private let read: () -> Value
  // The core calls one show at a time.
  @exclusivity(unchecked) private var last: Value

  init(_ read: @escaping () -> Value) {
    self.read = read
    last = read()
  }

  override func hasChanged() -> Bool {
    let now = read()
    if now == last { return false }
    last = now
    return true
  }
}
