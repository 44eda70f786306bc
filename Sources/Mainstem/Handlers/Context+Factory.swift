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
    var bits: mainstem_contract = 0
    try StreamError.check(mainstem_layer_add(types.home, layer.name, &bits))
    try countingDeclared { () throws(StreamError) in
      try Factory(name, types, make).add(to: self, contract | bits)
    }
  }
}
