// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import Testing

/// A view of a view model in a test: it writes values and runs commands.
///
///     let shown = test.open(Lookup())
///     shown.set("username", "jack")
///     test.expect(shown, "isUsernameValid", true)
///
/// What the view model and its children send of their own, values, pulses and runs, need not be expected as events.
public class TestView {
  /// The view model's scope.
  public let scope: Context

  fileprivate let view: Context
  private let binding: Binding
  /// What was told and has not been expected, by pulse.
  private let pulses: TestPulses

  /// - Parameter scope: The view model's; nil: it could not be opened.
  init(of scope: Context?, in context: Context) throws(StreamError) {
    view = try context.scope("TestView")
    binding = try view.bind(to: scope) { _ in }
    self.scope = scope ?? view
    pulses = try TestPulses(of: self.scope, through: view)
  }

  /// - Parameter binding: The binding of a view in its scope.
  init(_ view: Context, _ binding: Binding, of scope: Context?) throws(StreamError) {
    (self.view, self.binding, self.scope) = (view, binding, scope ?? view)
    pulses = try TestPulses(of: self.scope, through: view)
  }

  /// Writes a value, as a view does.
  ///
  /// - Parameters:
  ///   - name: The part of the value's name behind the owner's.
  ///   - value: The value.
  ///   - sourceLocation: The place of the call in the test.
  public func set<Value: Encodable>(
    _ name: String, _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    attempt(sourceLocation) { try binding.set(name, value) }
  }

  /// Runs a command, as a view does.
  ///
  /// - Parameters:
  ///   - name: The part of the command's name behind the owner's.
  ///   - value: What it is run with.
  /// - Returns: The run, which knows its outcome when that has come.
  @discardableResult
  public func run(_ name: String, _ value: (any Encodable)? = nil) -> TestRun {
    let run = TestRun()
    do throws(StreamError) {
      try binding.run(name, value) { run.outcome = $0 }
    } catch {
      run.outcome = .failure(Failure(error))
    }
    return run
  }

  /// Reads what is shown now.
  ///
  /// - Parameters:
  ///   - name: The part of the value's name behind the owner's.
  ///   - type: The value's type.
  /// - Returns: The value; `nil` if nothing has been shown.
  /// - Throws: `Status.invalid` if the owner has no such value.
  public func value<Value: Decodable>(
    of name: String, as type: Value.Type = Value.self
  ) throws -> Value? {
    var found: Result<Value, any Error>?
    let reading = try view.bind(to: scope) { rows in rows.read(name) { found = $0 } }
    reading.end()
    return try found?.get()
  }

  /// Takes the next pulse of a name that has been told since this view is there.
  ///
  /// - Parameters:
  ///   - name: The part of the pulse's name behind the owner's.
  ///   - type: Its type.
  /// - Returns: The pulse; `nil`: none has been told that was not taken before.
  /// - Throws: If it is of another type.
  public func takePulse<Value: Decodable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws -> Value? {
    try pulses.take(name, as: type)
  }

  /// Views one of the view model's children, or what else has a number.
  ///
  /// - Parameter number: The number of its scope.
  /// - Returns: A view of it; `nil` if it has ended.
  /// - Throws: The reason it cannot be bound.
  public func child(_ number: UInt64) throws -> TestView? {
    guard let scope = try view.scope(number: number) else { return nil }
    return try TestView(of: scope, in: view)
  }
}

/// A run of a command in a test.
public final class TestRun {
  /// Its outcome; `nil`: it goes on.
  public fileprivate(set) var outcome: Result<Void, Failure>?

  /// Whether it has come to its end without a failure.
  public var isDone: Bool { if case .success = outcome { true } else { false } }

  /// Why it failed, or was refused.
  public var failure: Failure? { if case .failure(let failure) = outcome { failure } else { nil } }
}

extension TestView: CustomStringConvertible {
  /// What it views: `TestView of Scope Lookup`.
  public var description: String { "TestView of \(scope)" }
}

extension TestRun: CustomStringConvertible {
  /// How far it has come: `TestRun, goes on`.
  public var description: String {
    switch outcome {
    case nil: "TestRun, goes on"
    case .success: "TestRun, done"
    case .failure(let failure): "TestRun, failed: \(failure)"
    }
  }
}

extension TestContext {
  /// Opens a view model, and views it by its properties. It may remain at the end of the test.
  ///
  ///     let shown = test.open(Lookup())
  ///     shown.set(\.username, "jack")
  ///     test.expect(shown, \.isUsernameValid, true)
  ///
  /// - Parameters:
  ///   - model: The view model.
  ///   - sourceLocation: The place of the call in the test.
  /// - Returns: A view of it.
  @discardableResult
  public func open<M: ViewModel>(
    _ model: M, sourceLocation: SourceLocation = #_sourceLocation
  ) -> ModelTestView<M> {
    viewed(M.name, sourceLocation) {
      try context.open(model)
    } as: { scope throws(StreamError) in
      try ModelTestView(of: scope, in: context)
    }
  }

  /// Views what is opened.
  func viewed<View: TestView>(
    _ name: String, _ sourceLocation: SourceLocation, _ open: () throws -> Context,
    as make: (Context?) throws(StreamError) -> View
  ) -> View {
    transcript.skipsOwners = true
    var scope: Context?
    do {
      let before = try context.otherSubscriptions()
      let opened = try open()
      scope = opened
      servers.append((opened, try context.otherSubscriptions(since: before)))
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
    do {
      let before = try context.otherSubscriptions()
      let view = try make(scope)
      servers.append((view.view, try context.otherSubscriptions(since: before)))
      views.append(view)
      return view
    } catch {
      preconditionFailure("\(name) cannot be viewed: \(error)")
    }
  }

  /// A view model must show this now.
  ///
  /// - Parameters:
  ///   - view: The view of it.
  ///   - name: The part of the value's name behind the owner's.
  ///   - value: What must be shown.
  ///   - sourceLocation: The place of the call in the test.
  public func expect<Value: Decodable & Equatable>(
    _ view: TestView, _ name: String, _ value: Value,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      let shown: Value? = try view.value(of: name)
      guard shown != value else { return }
      let now = shown.map { "\($0)" } ?? "nothing"
      Issue.record(
        "\(name)\n  expected   \(value)\n  but it is  \(now)", sourceLocation: sourceLocation)
    } catch {
      if isShown(view, name, value, sourceLocation) { return }
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }

  /// A view model must have told this pulse: the next one of its name that was not expected before.
  ///
  ///     test.expect(feed, pulse: "scrolled", "top")
  ///
  /// - Parameters:
  ///   - view: The view of it.
  ///   - name: The part of the pulse's name behind the owner's.
  ///   - value: What must have been told.
  ///   - sourceLocation: The place of the call in the test.
  public func expect<Value: Decodable & Equatable>(
    _ view: TestView, pulse name: String, _ value: Value,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    context.runTasks()
    attempt(sourceLocation) {
      let told: Value? = try view.takePulse(name)
      guard told != value else { return }
      let now = told.map { "\($0)" } ?? "nothing"
      Issue.record(
        "the pulse \(name)\n  expected   \(value)\n  but it was \(now)",
        sourceLocation: sourceLocation)
    }
  }

  /// Compares a whole number with a value that has a fraction.
  private func isShown<Value>(
    _ view: TestView, _ name: String, _ value: Value, _ sourceLocation: SourceLocation
  ) -> Bool {
    guard let whole = value as? any BinaryInteger, let number = Double(exactly: whole),
      let shown = try? view.value(of: name, as: Double.self)
    else { return false }
    if shown != number {
      Issue.record(
        "\(name)\n  expected   \(value)\n  but it is  \(shown)", sourceLocation: sourceLocation)
    }
    return true
  }
}
