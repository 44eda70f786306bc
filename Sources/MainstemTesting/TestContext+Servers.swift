// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import Testing

extension TestContext {
  /// Installs a server. It may remain at the end of the test.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - sourceLocation: The place of the call in the test.
  public func install<S: Server>(_ server: S, sourceLocation: SourceLocation = #_sourceLocation) {
    attempt(sourceLocation) {
      let before = try context.otherSubscriptions()
      let scope = try context.install(server)
      servers.append((scope, try context.otherSubscriptions(since: before)))
    }
  }

  /// Adds a server that answers requests of a type with these answers, in order.
  ///
  /// It is an issue at the end if there were more requests than answers, or fewer.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - answers: The answers.
  ///   - sourceLocation: The place of the call in the test.
  /// - Returns: The stub, which knows what it was asked.
  @discardableResult
  public func stub<R: Request>(
    _ type: R.Type, _ answers: [StubAnswer<R.Answer>],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Stub<R> {
    add(Stub(answers, nil, deadlines), sourceLocation)
  }

  /// Adds a server that answers requests of a type with a function, any number of times.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - sourceLocation: The place of the call in the test.
  ///   - function: Returns the answer; if it throws, the response fails.
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
