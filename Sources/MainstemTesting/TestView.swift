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
public final class TestView {
  /// The view model's scope.
  public let scope: Context

  fileprivate let view: Context
  private let binding: Binding

  /// - Parameter scope: The view model's; nil: it could not be opened.
  init(of scope: Context?, in context: Context) throws(StreamError) {
    view = try context.scope("TestView")
    binding = try view.bind(to: scope) { _ in }
    self.scope = scope ?? view
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
    do throws(StreamError) { try binding.set(name, value) } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
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
  /// - Throws: ``Status/invalid`` if the owner has no such value.
  public func value<Value: Decodable>(
    of name: String, as type: Value.Type = Value.self
  ) throws -> Value? {
    var found: Value?
    let reading = try view.bind(to: scope) { rows in
      rows.show(name) { (value: Value) in found = value }
    }
    reading.end()
    return found
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

extension TestContext {
  /// Opens a view model, and views it. It may remain at the end of the test.
  ///
  /// - Parameters:
  ///   - model: The view model.
  ///   - sourceLocation: The place of the call in the test.
  /// - Returns: A view of it.
  @discardableResult
  public func open<M: ViewModel>(
    _ model: M, sourceLocation: SourceLocation = #_sourceLocation
  ) -> TestView {
    viewed(M.name, sourceLocation) { try context.open(model) }
  }

  /// Views what is opened.
  func viewed(
    _ name: String, _ sourceLocation: SourceLocation, _ open: () throws -> Context
  ) -> TestView {
    transcript.skipsOwners = true
    var scope: Context?
    do {
      let before = try context.stats().subscriptions
      let opened = try open()
      scope = opened
      servers.append((opened, try context.stats().subscriptions - before))
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
    do {
      let view = try TestView(of: scope, in: context)
      servers.append((view.view, 1))
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
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }
}
