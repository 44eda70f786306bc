// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Adds a factory, which makes the owners of a name when they are asked for.
  ///
  ///     try context.addFactory("Cell") { (scope, title: String) in
  ///       try scope.install(CellServer(title: title))
  ///     }
  ///     let number = try view.open("Cell", "milk").get()
  ///
  /// An open is a request, so it is recorded, and a replay makes the owner again. The owner ends when its scope is
  /// closed, or after the scope that asked has ended; either is an event: ``EndReport``.
  ///
  /// - Parameters:
  ///   - name: The name of the owners' scopes, and that they are asked for by. There is one factory for each.
  ///   - layer: The layer of the request and of its answer.
  ///   - make: Gets a new scope and what was asked with, and fills the scope. What it returns is kept until the scope
  ///     ends: a subscription, an object. If it throws, that is the answer, and the scope ends.
  /// - Throws: ``Status/invalid`` after the first event, or the reason it was not added.
  public func addFactory<Value: Decodable, Made>(
    _ name: String, layer: Layer = .app, _ make: @escaping (Context, Value) throws -> Made
  ) throws(StreamError) {
    let form = ValueForm(Value.self)
    try addFactory(name, form.payload.contract, layer) { scope, delivery in
      do {
        let value = try form.value(Value.self, of: delivery.event.pointee, delivery.types)
        try scope.keep(try make(scope, value))
      } catch let error as DecodingError {
        let bytes = EventTypes.bytes(of: delivery.event.pointee)
        throw Failure(
          "\(name): \(CodingProblem(error, in: bytes)?.message ?? "\(error)")", code: .invalid)
      }
    }
    types.contracts.declare(Value.self, try types.number(named: "RequestOpen.\(name)"))
  }

  /// Adds a factory for owners that are all made alike.
  ///
  /// - Parameters:
  ///   - name: The name of the owners' scopes, and that they are asked for by.
  ///   - layer: The layer of the request and of its answer.
  ///   - make: Gets a new scope, and fills it. What it returns is kept until the scope ends.
  /// - Throws: ``Status/invalid`` after the first event, or the reason it was not added.
  public func addFactory<Made>(
    _ name: String, layer: Layer = .app, _ make: @escaping (Context) throws -> Made
  ) throws(StreamError) {
    try addFactory(name, Payload.none.contract, layer) { scope, _ in
      try scope.keep(try make(scope))
    }
  }

  /// Adds a factory for owners that are asked for with a type of their own.
  ///
  /// - Parameters:
  ///   - type: The type of the request.
  ///   - make: Gets a new scope and the request, and fills the scope. What it returns is kept until the scope ends.
  /// - Throws: ``Status/invalid`` after the first event, or the reason it was not added.
  public func addFactory<O: OpenRequest, Made>(
    _ type: O.Type, _ make: @escaping (Context, O) throws -> Made
  ) throws(StreamError) {
    let kept = type.record.contract | (type.isSecret ? MAINSTEM_SECRET : 0)
    try addFactory(type.owner, type.payload.contract | kept, type.layer) { scope, delivery in
      try scope.keep(try make(scope, try delivery.decode(type)))
    }
  }

  private func addFactory(
    _ name: String, _ contract: mainstem_contract, _ layer: Layer,
    _ make: @escaping (Context, borrowing Delivery) throws -> Void
  ) throws(StreamError) {
    let contract = contract | (try layer.contract(in: types.home))
    try countingDeclared { () throws(StreamError) in try add(factory: name, contract, make) }
  }

  /// Adds a factory.
  ///
  /// - Parameter contract: That of what is asked with, without a role.
  func add(
    factory name: String, _ contract: mainstem_contract,
    _ make: @escaping (Context, borrowing Delivery) throws -> Void
  ) throws(StreamError) {
    let types = types
    let maker = Maker(types) { scope, event in
      // There always is one: only services are made without.
      guard let event else { throw StreamError(.invalid, name) }
      let delivery = Delivery(event, types: types)
      do { try make(scope, delivery) } catch {
        throw delivery.isSecret && !(error is Failure) ? Failure("\(name): <secret>") : error
      }
    }
    try maker.keep { userData, release in
      mainstem_factory_add(handle, name, contract, Maker.call, userData, release)
    }
  }
}

/// A request for an owner, with what it is to be made of.
///
///     struct OpenCell: OpenRequest {
///       static let owner = "Cell"
///       var title: String
///     }
///     let number = try view.request(OpenCell(title: "milk")).get().number
///
/// Use it where an owner is opened by name, too: ``Context/open(_:_:timeout:)``. A handler can ask for it like for
/// everything else.
public protocol OpenRequest: Request where Answer == OpenResponse<Self> {
  /// The name of the factory, and of the owner's scope.
  static var owner: String { get }
}

extension OpenRequest {
  /// The request of the factory: `RequestOpen.Cell`.
  public static var name: String { "RequestOpen.\(owner)" }
}

/// The answer to an ``OpenRequest``: an owner has been made.
public struct OpenResponse<Request: OpenRequest>: Response {
  /// The number of its scope, for ``Context/scope(number:)``.
  public var number: UInt64

  /// The answer of the factory: `ResponseOpen.Cell`.
  public static var name: String { "ResponseOpen.\(Request.owner)" }
  /// The layer of the request.
  public static var layer: Layer { Request.layer }
  /// The number alone.
  public static var payload: Payload { .integer }

  /// Makes an answer to compare with.
  ///
  /// - Parameter number: The number of the owner's scope.
  public init(number: UInt64) { self.number = number }

  /// Returns the bytes of the number.
  public func encoded(by coder: any PayloadCoder) -> [UInt8] { number.payload }

  /// Makes the answer from the bytes of its number.
  public static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) throws -> Self {
    Self(number: try UInt64(payload: bytes))
  }
}

// MARK: - Opening

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
    Result { () throws(Failure) in
      let answered = try awaited { answered throws(StreamError) in
        try ask(name, value, timeout, .immediate) { answered.take($0) }
      }
      return try answered.number()
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
    return try ask(number, bytes, timeout, shared: false, scheduler, answer: answer)
  }
}

extension Delivery {
  /// The number in an answer of a factory.
  var opened: Result<UInt64, Failure> {
    outcome { UInt64(bitPattern: mainstem_event_integer(event)) }
  }
}

// MARK: - As C calls it

/// Fills the scopes of a factory or a service.
final class Maker: Kept {
  private let types: EventTypes
  private let fill: (Context, UnsafePointer<mainstem_event>?) throws -> Void

  init(
    _ types: EventTypes, _ fill: @escaping (Context, UnsafePointer<mainstem_event>?) throws -> Void
  ) {
    self.types = types
    self.fill = fill
  }

  /// Fills a scope; what that throws is the answer, if there is a request.
  static let call: mainstem_make_fn = { userData, scope, event in
    guard let maker = Kept.behind(userData, as: Maker.self) else {
      return mainstem_status(MAINSTEM_INVALID)
    }
    do {
      try maker.fill(Context(scope, types: maker.types, ownership: .none), event)
      return 0
    } catch {
      let failure = Failure(error)
      // Refused: the request has been cancelled meanwhile.
      if let event { _ = failure.answer(event) }
      return failure.code.rawValue
    }
  }
}

extension Context {
  /// Keeps what a factory has made until the scope ends.
  func keep<Made>(_ made: Made) throws(StreamError) {
    if made is Void { return }
    // A binding that points nowhere: it needs no rights, and ends with the scope.
    try Held(made).keep { userData, release in
      let size = MemoryLayout<mainstem_binding_row>.stride
      return mainstem_binding_add(handle, nil, nil, size, 0, userData, release, nil)
    }
  }
}
