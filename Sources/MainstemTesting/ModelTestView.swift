// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import Testing

/// A view of a view model of a known type in a test: values go by their properties.
public final class ModelTestView<M: ViewModel>: TestView {
  private let model: ModelBinding<M>

  /// - Parameter scope: The view model's; nil: it could not be opened.
  override init(of scope: Context?, in context: Context) throws(StreamError) {
    let view = try context.scope("TestView")
    model = try view.bind(to: scope, as: M.self)
    try super.init(view, model, of: scope)
  }

  /// Writes a value, as a view does.
  ///
  /// - Parameters:
  ///   - property: The property that the view model lets views write.
  ///   - value: The value.
  ///   - sourceLocation: The place of the call in the test.
  public func set<Value: Encodable>(
    _ property: WritableKeyPath<M, Value>, _ value: Value,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    attempt(sourceLocation) { try model.set(property, value) }
  }

  /// Runs a command, as a view does.
  ///
  /// - Parameter command: The command.
  /// - Returns: The run, which knows its outcome when that has come.
  @discardableResult
  public func run<Answer>(_ command: KeyPath<M.Type, Command<Void, Answer>>) -> TestRun {
    run(M.self[keyPath: command].name)
  }

  /// Runs a command with something, as a view does.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - value: What it is run with.
  /// - Returns: The run, which knows its outcome when that has come.
  @discardableResult
  public func run<Value: Encodable, Answer>(
    _ command: KeyPath<M.Type, Command<Value, Answer>>, _ value: Value
  ) -> TestRun {
    run(M.self[keyPath: command].name, value)
  }

  /// Reads what is shown now.
  ///
  /// - Parameter property: The property that the view model shows.
  /// - Returns: The value; `nil` if nothing has been shown.
  /// - Throws: `Status.invalid` if the view model does not show it.
  public func value<Value: Decodable>(of property: KeyPath<M, Value>) throws -> Value? {
    try value(of: try model.name(of: property), as: Value.self)
  }

  fileprivate func name(of property: AnyKeyPath) throws -> String {
    try model.name(of: property)
  }
}

extension TestContext {
  /// A view model must show this now.
  ///
  /// - Parameters:
  ///   - view: The view of it.
  ///   - property: The property that the view model shows.
  ///   - value: What must be shown.
  ///   - sourceLocation: The place of the call in the test.
  public func expect<M: ViewModel, Value: Decodable & Equatable>(
    _ view: ModelTestView<M>, _ property: KeyPath<M, Value>, _ value: Value,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    attempt(sourceLocation) {
      expect(view, try view.name(of: property), value, sourceLocation: sourceLocation)
    }
  }
}
