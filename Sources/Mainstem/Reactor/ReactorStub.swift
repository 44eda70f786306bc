// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A reactor that does nothing, for tests of views: it remembers its actions, and shows the states that the test gives.
///
///     let stub = try context.stub(Feed())
///     try stub.show(Feed.State(isLoading: true))
///     …
///     #expect(stub.actions == [.refresh])
///
/// Each state is an event, `Feed.state`, so a session with a stub is recorded like any other.
public final class ReactorStub<R: Reactor> {
  /// Its scope, to bind views to; closing it ends it.
  public let scope: Context
  /// The actions it was told, in order.
  public private(set) var actions: [R.Action] = []
  private var number: mainstem_event_type = 0

  init(_ house: ModelHouse<R>) throws {
    scope = house.context
    number = try Reacting.of(house).stub { [weak self] in self?.actions.append($0) }
  }

  /// Shows a state.
  ///
  /// - Parameter state: The state.
  /// - Throws: The reason it was not accepted.
  public func show(_ state: R.State) throws {
    let bytes = try scope.types.coder.encode(state)
    try StreamError.check(mainstem_send(scope.handle, number, bytes, bytes.count))
  }
}

extension Context {
  /// Opens a reactor as a stub: its actions do nothing, and it shows what it is told to.
  ///
  /// - Parameters:
  ///   - reactor: The reactor; its state is shown first.
  ///   - name: The name of its scope, and the first part of the names of its types.
  /// - Returns: The stub.
  /// - Throws: As ``open(_:name:)``.
  public func stub<R: Reactor>(_ reactor: R, name: String = R.name) throws -> ReactorStub<R> {
    try ReactorStub(try opened(reactor, name))
  }
}
