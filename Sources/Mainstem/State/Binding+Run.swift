// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Binding {
  /// Runs a command of the owner, as its view. It is an input, also inside a callback.
  ///
  ///     try binding.run("go") { result in
  ///       if case .failure(let failure) = result { label.text = failure.userMessage }
  ///     }
  ///
  /// - Parameters:
  ///   - name: The part of the command's name behind the owner's.
  ///   - value: What the command is run with.
  ///   - body: Gets the outcome, once; it is released unheard when the binding ends or points elsewhere.
  /// - Returns: The run, which can be cancelled.
  /// - Throws: ``Status/disabled`` or ``Status/executing``: nothing has happened; ``Status/stale`` if the owner has
  ///   ended; or the reason the run was not accepted. Where something waits on the stream, a refusal is the outcome.
  @discardableResult
  public func run(
    _ name: String, _ value: (any Encodable)? = nil,
    _ body: @escaping (Result<Void, Failure>) -> Void = { _ in }
  ) throws(StreamError) -> Pending {
    try run(
      name, value,
      answer: { delivery in
        body(delivery.outcome {})
      })
  }

  /// Runs a command that answers with something.
  ///
  /// - Parameters:
  ///   - name: The part of the command's name behind the owner's.
  ///   - value: What the command is run with.
  ///   - type: The type of the answer.
  ///   - body: Gets the answer or the failure, once.
  /// - Returns: The run, which can be cancelled.
  /// - Throws: As ``run(_:_:_:)``.
  @discardableResult
  public func run<Answer: Decodable>(
    _ name: String, _ value: (any Encodable)? = nil, answer type: Answer.Type,
    _ body: @escaping (Result<Answer, Failure>) -> Void
  ) throws(StreamError) -> Pending {
    try rows.contract(of: "\(name).done")?.checkReading(as: type)
    return try run(
      name, value,
      answer: { delivery in
        body(delivery.outcome { try delivery.types.value(type, of: delivery.event) })
      })
  }

  /// Asks the owner for a child of it.
  ///
  /// - Parameters:
  ///   - name: The part of the child's name behind the owner's.
  ///   - body: Gets the number of the child's scope, for ``Context/scope(number:)``, or the failure; once.
  /// - Returns: The run, which can be cancelled.
  /// - Throws: As ``run(_:_:_:)``.
  @discardableResult
  public func open(
    _ name: String, _ body: @escaping (Result<UInt64, Failure>) -> Void
  ) throws(StreamError) -> Pending {
    try run(name, nil, answer: { body($0.opened) })
  }

  private func run(
    _ name: String, _ value: (any Encodable)?, answer: @escaping (borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    var bytes: [UInt8] = []
    if let contract = try rows.contract(of: name) {
      bytes = try contract.bytes(ofGiven: value, types)
    }
    var pending: OpaquePointer?
    try Callback(types, answer).keep { userData, release in
      mainstem_binding_run(
        handle, name, bytes, bytes.count, Callback.call, userData, release, &pending)
    }
    return Pending(pending)
  }
}

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
