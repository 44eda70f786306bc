// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A view's hold on a view model of a known type: values go by their properties, commands by their names in the type, so
/// the compiler sees what would be refused.
///
///     let view = try window.bind(to: mixer, as: Mixer.self) { rows in
///       rows.show(\.volume) { slider.value = $0 }
///     }
///     try view.set(\.volume, 1)
///     try view.run(\.louder, 0.1)
public final class ModelBinding<M: ViewModel>: Binding {
  private let kind: ModelKind<M>

  init(_ rows: ModelRows<M>, _ kind: ModelKind<M>, _ types: EventTypes) {
    self.kind = kind
    super.init(rows.named, types)
  }

  /// The binding that a row of this kind gets.
  static func of(_ binding: Binding) -> ModelBinding {
    // Rows of a ModelRows are given to a ModelBinding alone.
    unsafeDowncast(binding, to: ModelBinding.self)
  }

  /// The name of what shows a property.
  package func name(of property: AnyKeyPath) throws(StreamError) -> String {
    try kind.name(of: property)
  }

  /// Writes a value of the view model, as its view. It is an input, also inside a callback.
  ///
  /// - Parameters:
  ///   - property: The property that the view model lets views write.
  ///   - value: The value.
  /// - Throws: ``Status/invalid`` if views may not write it, ``Status/stale`` if the view model has ended, or the reason
  ///   the event was not accepted.
  public func set<Value: Encodable>(
    _ property: WritableKeyPath<M, Value>, _ value: Value
  ) throws(StreamError) {
    try set(try kind.name(of: property), value)
  }

  /// Writes a secret of the view model, as its view.
  ///
  /// - Parameters:
  ///   - property: The property that the view model lets views write.
  ///   - secret: The secret.
  /// - Throws: As ``set(_:_:)``.
  public func set(
    _ property: WritableKeyPath<M, SecretText>, _ secret: SecretText
  ) throws(StreamError) {
    try set(try kind.name(of: property), secret)
  }

  /// Runs a command, as its view. It is an input, also inside a callback.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - body: Gets the outcome, once; it is released unheard when the binding ends or points elsewhere.
  /// - Returns: The run, which can be cancelled.
  /// - Throws: As ``Binding/run(_:_:_:)``.
  @discardableResult
  public func run(
    _ command: KeyPath<M.Type, Command<Void, Void>>,
    _ body: @escaping (Result<Void, Failure>) -> Void = { _ in }
  ) throws(StreamError) -> Pending {
    try run(M.self[keyPath: command].name, nil, body)
  }

  /// Runs a command with something.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - value: What it is run with.
  ///   - body: Gets the outcome, once.
  /// - Returns: The run, which can be cancelled.
  /// - Throws: As ``Binding/run(_:_:_:)``.
  @discardableResult
  public func run<Value: Encodable>(
    _ command: KeyPath<M.Type, Command<Value, Void>>, _ value: Value,
    _ body: @escaping (Result<Void, Failure>) -> Void = { _ in }
  ) throws(StreamError) -> Pending {
    try run(M.self[keyPath: command].name, value, body)
  }

  /// Runs a command that answers with something.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - body: Gets the answer or the failure, once.
  /// - Returns: The run, which can be cancelled.
  /// - Throws: As ``Binding/run(_:_:_:)``.
  @discardableResult
  public func run<Answer: Decodable>(
    _ command: KeyPath<M.Type, Command<Void, Answer>>,
    _ body: @escaping (Result<Answer, Failure>) -> Void
  ) throws(StreamError) -> Pending {
    try run(M.self[keyPath: command].name, nil, answer: Answer.self, body)
  }

  /// Runs a command with something, and gets its answer.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - value: What it is run with.
  ///   - body: Gets the answer or the failure, once.
  /// - Returns: The run, which can be cancelled.
  /// - Throws: As ``Binding/run(_:_:_:)``.
  @discardableResult
  public func run<Value: Encodable, Answer: Decodable>(
    _ command: KeyPath<M.Type, Command<Value, Answer>>, _ value: Value,
    _ body: @escaping (Result<Answer, Failure>) -> Void
  ) throws(StreamError) -> Pending {
    try run(M.self[keyPath: command].name, value, answer: Answer.self, body)
  }
}

extension Context {
  /// Binds this scope, a view, to a view model of a known type.
  ///
  /// - Parameters:
  ///   - owner: The view model's scope; `nil`: the binding points nowhere, until ``Binding/retarget(to:)``.
  ///   - type: The type of the view model.
  ///   - rows: Says what is shown.
  /// - Returns: The binding, which ends when it is released.
  /// - Throws: ``Status/invalid`` for a property that the view model does not show, or the reason the call was refused.
  public func bind<M: ViewModel>(
    to owner: Context?, as type: M.Type, _ rows: (inout ModelRows<M>) -> Void = { _ in }
  ) throws(StreamError) -> ModelBinding<M> {
    let kind = try ModelKind<M>.of(M.name, in: types)
    var table = ModelRows(kind)
    rows(&table)
    if let failure = table.failure { throw failure }
    let binding = ModelBinding(table, kind, types)
    try binding.add(to: self, pointingAt: owner)
    return binding
  }
}

/// What a view shows of a view model, by the properties that this shows: their names and types are never written twice.
///
///     let view = try window.bind(to: mixer, as: Mixer.self) { rows in
///       rows.show(\.volume) { slider.value = $0 }
///     }
public struct ModelRows<M: ViewModel> {
  /// The same by name: for what no property shows.
  public var named = BindingRows()

  private let kind: ModelKind<M>
  /// The first property that the view model does not show.
  private(set) var failure: StreamError?

  init(_ kind: ModelKind<M>) { self.kind = kind }

  /// Shows a value: the closure gets what is kept of it, then each change.
  ///
  /// - Parameters:
  ///   - property: The property that the view model shows.
  ///   - onHost: Whether a drain calls it; otherwise, whoever delivers.
  ///   - body: Gets the value.
  public mutating func show<Value: Decodable>(
    _ property: KeyPath<M, Value>, onHost: Bool = false, _ body: @escaping (Value) throws -> Void
  ) {
    if let name = name(of: property) { named.show(name, onHost: onHost, body) }
  }

  /// Shows a value: the closure gets the binding, too, which may be on its way to whoever binds.
  ///
  /// - Parameters:
  ///   - property: The property that the view model shows.
  ///   - onHost: Whether a drain calls it; otherwise, whoever delivers.
  ///   - body: Gets the binding and the value.
  public mutating func show<Value: Decodable>(
    _ property: KeyPath<M, Value>, onHost: Bool = false,
    _ body: @escaping (ModelBinding<M>, Value) throws -> Void
  ) {
    guard let name = name(of: property) else { return }
    named.show(name, onHost: onHost) { (binding: Binding, value: Value) in
      try body(ModelBinding<M>.of(binding), value)
    }
  }

  /// Shows a list: the closure gets its rows, with what has changed.
  ///
  /// - Parameters:
  ///   - property: The property that the view model shows with `on.list`.
  ///   - onHost: Whether a drain calls it; otherwise, whoever delivers.
  ///   - body: Gets the rows.
  public mutating func list<Row: Decodable>(
    _ property: KeyPath<M, [Row]>, onHost: Bool = false,
    _ body: @escaping (Rows<Row>) throws -> Void
  ) {
    if let name = name(of: property) { named.show(name, onHost: onHost, body) }
  }

  /// Shows a value in a control that also changes it: see `BindingRows.twoWay(_:_:)`.
  ///
  /// - Parameters:
  ///   - property: The property that the view model lets views write.
  ///   - body: Gets the value.
  public mutating func twoWay<Value: Decodable>(
    _ property: WritableKeyPath<M, Value>, _ body: @escaping (Value) throws -> Void
  ) {
    if let name = name(of: property) { named.twoWay(name, body) }
  }

  /// Shows a value in a control that also changes it: the closure gets the binding, too.
  ///
  ///     rows.twoWay(\.title) { view, title in field.show(title) { try view.set(\.title, $0) } }
  ///
  /// - Parameters:
  ///   - property: The property that the view model lets views write.
  ///   - body: Gets the binding and the value.
  public mutating func twoWay<Value: Decodable>(
    _ property: WritableKeyPath<M, Value>,
    _ body: @escaping (ModelBinding<M>, Value) throws -> Void
  ) {
    guard let name = name(of: property) else { return }
    named.twoWay(name) { (binding: Binding, value: Value) in
      try body(ModelBinding<M>.of(binding), value)
    }
  }

  /// Shows a pulse: the closure gets each, and none that was told before.
  ///
  /// - Parameters:
  ///   - property: The property that the view model tells it with.
  ///   - onHost: Whether a drain calls it; otherwise, whoever delivers.
  ///   - body: Gets what is told.
  public mutating func pulse<Value: Decodable>(
    _ property: KeyPath<M, Pulses<Value>>, onHost: Bool = false,
    _ body: @escaping (Value) throws -> Void
  ) {
    if let name = name(of: property) { named.show(name, onHost: onHost, body) }
  }

  /// Shows whether a command is enabled, for its button.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - body: Gets whether a run would be accepted.
  public mutating func enabled<Value, Answer>(
    _ command: KeyPath<M.Type, Command<Value, Answer>>, _ body: @escaping (Bool) throws -> Void
  ) {
    named.show("\(M.self[keyPath: command].name).enabled", body)
  }

  /// Shows whether a command is executing, for its spinner.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - body: Gets whether a run is executing.
  public mutating func executing<Value, Answer>(
    _ command: KeyPath<M.Type, Command<Value, Answer>>, _ body: @escaping (Bool) throws -> Void
  ) {
    named.show("\(M.self[keyPath: command].name).executing", body)
  }

  /// Shows how the last run of a command failed, for its error line.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - body: Gets what to tell the user; empty: it has not failed.
  public mutating func error<Value, Answer>(
    _ command: KeyPath<M.Type, Command<Value, Answer>>, _ body: @escaping (String) throws -> Void
  ) {
    named.show("\(M.self[keyPath: command].name).error", body)
  }

  fileprivate mutating func name(of property: AnyKeyPath) -> String? {
    do throws(StreamError) { return try kind.name(of: property) } catch {
      failure = failure ?? error
      return nil
    }
  }
}

extension ModelRows where M: Reactor {
  /// Shows a property of a reactor's state.
  ///
  /// - Parameters:
  ///   - property: The property of the state that the reactor shows.
  ///   - onHost: Whether a drain calls it; otherwise, whoever delivers.
  ///   - body: Gets the value.
  public mutating func show<Value: Decodable>(
    _ property: KeyPath<M.State, Value>, onHost: Bool = false,
    _ body: @escaping (Value) throws -> Void
  ) {
    if let name = name(of: property) { named.show(name, onHost: onHost, body) }
  }

  /// Shows a list of a reactor's state.
  ///
  /// - Parameters:
  ///   - property: The property of the state that the reactor shows with `on.list`.
  ///   - onHost: Whether a drain calls it; otherwise, whoever delivers.
  ///   - body: Gets the rows.
  public mutating func list<Row: Decodable>(
    _ property: KeyPath<M.State, [Row]>, onHost: Bool = false,
    _ body: @escaping (Rows<Row>) throws -> Void
  ) {
    if let name = name(of: property) { named.show(name, onHost: onHost, body) }
  }
}

extension ModelKind {
  /// The name of what shows a property.
  func name(of property: AnyKeyPath) throws(StreamError) -> String {
    if let row = table.model.first(where: { $0.property == property && $0.kind != .command }) {
      return row.name
    }
    throw StreamError(
      .invalid,
      "\(owner) does not show \(property): add on.shows or on.writable for it to its table"
    )
  }
}
