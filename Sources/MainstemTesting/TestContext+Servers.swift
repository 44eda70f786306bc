// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import Testing

extension TestContext {
  /// Gives a server to the context. It may be there at the end.
  ///
  /// - Parameters:
  ///   - server: The value.
  ///   - sourceLocation: Where the test says so.
  public func install<S: Server>(_ server: S, sourceLocation: SourceLocation = #_sourceLocation) {
    attempt(sourceLocation) { () throws(StreamError) in
      let before = try context.stats().subscriptions
      let scope = try context.install(server)
      servers.append((scope, try context.stats().subscriptions - before))
    }
  }

  /// Adds a server that answers requests of a type with these answers, in order.
  ///
  /// One request more, or one less, than there are answers is an issue at the end.
  ///
  /// - Parameters:
  ///   - type: The type of request.
  ///   - answers: The answers.
  ///   - sourceLocation: Where the test says so.
  /// - Returns: The stub, which knows what it was asked.
  @discardableResult
  public func stub<R: Request>(
    _ type: R.Type, _ answers: [StubAnswer<R.Answer>],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Stub<R> {
    add(Stub(answers, nil, deadlines), sourceLocation)
  }

  /// Adds a server that answers requests of a type by a function, any number of times.
  ///
  /// - Parameters:
  ///   - type: The type of request.
  ///   - sourceLocation: Where the test says so.
  ///   - function: Gives the answer; what it throws is a response that failed.
  /// - Returns: The stub, which knows what it was asked.
  @discardableResult
  public func stub<R: Request>(
    _ type: R.Type, sourceLocation: SourceLocation = #_sourceLocation,
    _ function: @escaping (R) throws -> R.Answer
  ) -> Stub<R> {
    add(Stub([], function, deadlines), sourceLocation)
  }

  private func add<R: Request>(_ stub: Stub<R>, _ sourceLocation: SourceLocation) -> Stub<R> {
    stubs.append { stub.left }
    install(StubServer(stub: stub), sourceLocation: sourceLocation)
    return stub
  }
}
