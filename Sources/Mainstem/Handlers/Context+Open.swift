// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Asks for an owner, and waits until it is made. Only outside callbacks.
  ///
  ///     let number = try view.open("Cell", "milk").get()
  ///     let cell = try context.scope(number: number)
  ///
  /// The owner ends after this scope has ended. To ask in a handler, use an ``OpenRequest``.
  ///
  /// - Parameters:
  ///   - name: The name of the factory: `addFactory(_:layer:_:)`.
  ///   - value: What the owner is to be made of.
  ///   - timeout: How long to wait, by the context's clock.
  /// - Returns: The number of the owner's scope, for ``scope(number:)``; or the failure of the factory or of the call.
  @available(
    *, noasync, message: "This call blocks the thread. Write: try await context.open(…)"
  )
  public func open(
    _ name: String, _ value: (any Encodable)? = nil, timeout: Duration? = nil
  ) -> Result<UInt64, Failure> {
    do throws(Failure) {
      let answered = try awaited { answered throws(StreamError) in
        try ask(name, value, timeout, .immediate) { answered.take($0) }
      }
      return .success(try answered.number())
    } catch {
      return .failure(error)
    }
  }

  /// Asks for an owner, whose number is passed to a callback. May be called inside a callback.
  ///
  /// - Parameters:
  ///   - name: The name of the factory: `addFactory(_:layer:_:)`.
  ///   - value: What the owner is to be made of.
  ///   - timeout: How long to wait, by the context's clock.
  ///   - scheduler: When the callback runs.
  ///   - body: Gets the number of the owner's scope or the failure, once.
  /// - Returns: The open request, which can be cancelled.
  /// - Throws: The reason it was not accepted; no answer comes then.
  @discardableResult
  public func open(
    _ name: String, _ value: (any Encodable)? = nil, timeout: Duration? = nil,
    on scheduler: Scheduler = .immediate,
    _ body: @escaping (Result<UInt64, Failure>, borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    try ask(name, value, timeout, scheduler) { delivery in body(delivery.opened, delivery) }
  }

  /// Asks for an owner, and awaits it, in a context of an actor.
  ///
  /// If the task is cancelled, the request is: it is answered with ``Status/cancelled``.
  ///
  /// - Parameters:
  ///   - name: The name of the factory: `addFactory(_:layer:_:)`.
  ///   - value: What the owner is to be made of.
  ///   - timeout: How long to wait, by the context's clock.
  ///   - isolation: The context's actor.
  /// - Returns: The number of the owner's scope, for ``scope(number:)``.
  /// - Throws: The failure of the factory or of the call; ``Status/wrongThread`` if the context was not made for an
  ///   actor.
  public func open(
    _ name: String, _ value: (any Encodable)? = nil, timeout: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> UInt64 {
    try await types.answer { answered throws(StreamError) in
      try self.ask(name, value, timeout, .immediate) { answered($0.opened) }
    }
  }

  private func ask(
    _ name: String, _ value: (any Encodable)?, _ timeout: Duration?, _ scheduler: Scheduler,
    _ answer: @escaping (borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    var number: mainstem_event_type = 0
    if mainstem_type_find(types.home, "RequestOpen.\(name)", &number) != 0 {
      throw StreamError(.invalid, "open: \(name) has no factory: add one with addFactory")
    }
    let bytes = try types.contract(of: number).bytes(ofGiven: value, types)
    return try ask(number, bytes, timeout, shared: false, scheduler.number) { _ in
    } answer: { delivery in
      answer(delivery)
    }
  }
}

extension Delivery {
  /// The number in an answer of a factory.
  var opened: Result<UInt64, Failure> {
    if let failure { return .failure(failure) }
    return .success(UInt64(bitPattern: mainstem_event_integer(event)))
  }
}
