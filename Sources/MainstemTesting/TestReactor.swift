// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import Testing

/// A reactor that is a stub in a test, and a view of it.
///
///     let feed = test.stub(Feed())
///     feed.show(Feed.State(isLoading: true))
///     feed.view.run("refresh")
///     #expect(feed.actions == [.refresh])
///     test.expect(feed.view, "isLoading", true)
public final class TestReactor<R: Reactor> {
  /// A view of it.
  public let view: TestView

  private let stub: ReactorStub<R>

  init(_ stub: ReactorStub<R>, _ view: TestView) { (self.stub, self.view) = (stub, view) }

  /// The actions it was told, in order.
  public var actions: [R.Action] { stub.actions }

  /// Shows a state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - sourceLocation: The place of the call in the test.
  public func show(_ state: R.State, sourceLocation: SourceLocation = #_sourceLocation) {
    attempt(sourceLocation) { try stub.show(state) }
  }
}

extension TestContext {
  /// Opens a reactor as a stub, and views it: its actions do nothing, and it shows the states that the test gives.
  ///
  /// - Parameters:
  ///   - reactor: The reactor; its state is shown first.
  ///   - sourceLocation: The place of the call in the test.
  /// - Returns: The stub, with a view of it.
  public func stub<R: Reactor>(
    _ reactor: R, sourceLocation: SourceLocation = #_sourceLocation
  ) -> TestReactor<R> {
    var stub: ReactorStub<R>?
    let view = viewed(R.name, sourceLocation) {
      let made = try context.stub(reactor)
      stub = made
      return made.scope
    } as: { scope throws(StreamError) in
      try TestView(of: scope, in: context)
    }
    guard let stub else { preconditionFailure("\(R.name) cannot be opened as a stub") }
    return TestReactor(stub, view)
  }
}
