// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Runs that are awaited, in a context of an actor. If the task is cancelled, the run is.
extension Binding {
  /// Runs a command of the owner, as its view, and awaits its end.
  ///
  ///     try await view.run("save")
  ///
  /// - Parameters:
  ///   - name: The part of the command's name behind the owner's.
  ///   - value: What the command is run with.
  ///   - isolation: The context's actor.
  /// - Throws: Why the run failed or was refused; ``Status/cancelled`` if the binding ends or points elsewhere
  ///   meanwhile, though the run may go on; ``Status/wrongThread`` if the context was not made for an actor.
  public func run(
    _ name: String, _ value: (any Encodable)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) {
    try await types.answer { answered throws(StreamError) in
      try self.run(name, value) { answered($0) }
    }
  }

  /// Runs a command that answers with something, and awaits the answer.
  ///
  ///     let id = try await view.run("add", "milk", answer: Int.self)
  ///
  /// - Parameters:
  ///   - name: The part of the command's name behind the owner's.
  ///   - value: What the command is run with.
  ///   - type: The type of the answer.
  ///   - isolation: The context's actor.
  /// - Returns: The answer.
  /// - Throws: As ``run(_:_:isolation:)``.
  public func run<Answer: Decodable & Sendable>(
    _ name: String, _ value: (any Encodable)? = nil, answer type: Answer.Type,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Answer {
    try await types.answer { answered throws(StreamError) in
      try self.run(name, value, answer: type) { answered($0) }
    }
  }
}

extension ModelBinding {
  /// Runs a command, as its view, and awaits its end.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - isolation: The context's actor.
  /// - Throws: As ``Binding/run(_:_:isolation:)``.
  public func run(
    _ command: KeyPath<M.Type, Command<Void, Void>>, isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) {
    try await run(M.self[keyPath: command].name)
  }

  /// Runs a command with something, and awaits its end.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - value: What it is run with.
  ///   - isolation: The context's actor.
  /// - Throws: As ``Binding/run(_:_:isolation:)``.
  public func run<Value: Encodable>(
    _ command: KeyPath<M.Type, Command<Value, Void>>, _ value: Value,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) {
    try await run(M.self[keyPath: command].name, value)
  }

  /// Runs a command that answers with something, and awaits the answer.
  ///
  ///     let sum = try await view.run(\.total)
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - isolation: The context's actor.
  /// - Returns: The answer.
  /// - Throws: As ``Binding/run(_:_:isolation:)``.
  public func run<Answer: Decodable & Sendable>(
    _ command: KeyPath<M.Type, Command<Void, Answer>>, isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Answer {
    try await run(M.self[keyPath: command].name, answer: Answer.self)
  }

  /// Runs a command with something, and awaits its answer.
  ///
  ///     let volume = try await view.run(\.louder, 1)
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - value: What it is run with.
  ///   - isolation: The context's actor.
  /// - Returns: The answer.
  /// - Throws: As ``Binding/run(_:_:isolation:)``.
  public func run<Value: Encodable, Answer: Decodable & Sendable>(
    _ command: KeyPath<M.Type, Command<Value, Answer>>, _ value: Value,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Answer {
    try await run(M.self[keyPath: command].name, value, answer: Answer.self)
  }
}
