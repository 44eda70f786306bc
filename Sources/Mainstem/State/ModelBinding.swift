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
