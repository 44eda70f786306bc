// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Declares a service, before the first event: a server that is made when it is first asked for, once in a context.
  ///
  ///     try context.addService(Diary.self) { Diary() }
  ///     let diary = try context.find(Diary.self)
  ///
  /// The first request that it handles makes it, or `find(_:)`. ``open(_:_:timeout:)`` with its name opens an instance
  /// of one's own, which gets what is sent through its scope. Closing the scope of an instance ends it, and the next
  /// request makes another. A replay makes the same services at the same places.
  ///
  /// - Parameters:
  ///   - type: The type of the server.
  ///   - layer: The layer of the requests that find and open it.
  ///   - make: Makes it. If it throws, that is the answer, and the next request tries again.
  /// - Throws: ``Status/invalid`` after the first event, or the reason it was not added.
  public func addService<S: Server>(
    _ type: S.Type, layer: Layer = .model, _ make: @escaping () throws -> S
  ) throws(StreamError) {
    let table = try ServerTable<S>(types)
    let handled = table.handled.filter { !$0.isOwn }.map { $0.type.name }
    try addService(S.name, handled, layer) { scope in try scope.become(try make()) }
  }

  /// Declares a service that shows values and runs commands like a view model; several view models hear it. The first
  /// request that it handles makes it, or `find(_:)`; a command does not, as it is run through the service's scope.
  ///
  /// - Parameters:
  ///   - type: The type of the view model.
  ///   - layer: The layer of the requests that find and open it.
  ///   - make: Makes it. If it throws, that is the answer, and the next request tries again.
  /// - Throws: ``Status/invalid`` after the first event, or the reason it was not added.
  public func addService<M: ViewModel>(
    _ type: M.Type, layer: Layer = .model, _ make: @escaping () throws -> M
  ) throws(StreamError) {
    let kind = try ModelKind<M>.of(M.name, in: types)
    let asked = kind.table.handled.filter { !$0.isOwn && $0.type.role == .request }
    try addService(M.name, asked.map { $0.type.name }, layer) { scope in
      try scope.become(try make(), isService: true)
    }
  }

  private func addService(
    _ name: String, _ handled: [String], _ layer: Layer, _ make: @escaping (Context) throws -> Void
  ) throws(StreamError) {
    let contract = Payload.none.contract | (try layer.contract(in: types.home))
    let maker = Maker(types) { scope, _ in try scope.countingService { try make(scope) } }
    try countingDeclared { () throws(StreamError) in
      try maker.keep { userData, release in
        CStrings(handled).withPointers { names in
          mainstem_service_add(
            handle, name, names, names.count, contract, Maker.call, userData, release)
        }
      }
    }
  }

  /// Finds a service, and makes it if there is none yet.
  ///
  /// In a callback that a replay repeats, it is made at once. Elsewhere that is a request, which is recorded; so in a
  /// context that delivers on the host it throws ``Status/unset``, and the service is there after a drain.
  ///
  /// - Parameter name: The service's name.
  /// - Returns: Its scope.
  /// - Throws: ``Status/denied`` if the service may do more than this scope; the reason it is not there.
  public func find(_ name: String) throws(StreamError) -> Context {
    var service: OpaquePointer?
    try StreamError.check(mainstem_service_find(handle, name, &service))
    return Context(service, types: types, ownership: .none)
  }

  /// Finds a service by its type: see ``find(_:)-(String)``.
  ///
  /// - Parameter type: The type of the server.
  /// - Returns: Its scope.
  /// - Throws: The reason it is not there.
  public func find<S: Server>(_ type: S.Type) throws(StreamError) -> Context {
    try find(S.name)
  }
}

/// What factories and services have subscribed in a context under test, where nothing may be left at the end.
final class Census {
  /// By what declares them.
  var declared: UInt64 = 0
  /// By instances of services.
  var services: [(scope: Context, subscriptions: UInt64)] = []
}

extension Context {
  /// From now on what factories and services subscribe is counted.
  package func beginCensus() { types.census = Census() }

  /// How many subscriptions factories and services have, which may be there at the end.
  package var declaredSubscriptions: UInt64 { types.census?.declared ?? 0 }

  /// How many the instances of services have that live.
  package var serviceSubscriptions: UInt64 {
    (types.census?.services ?? []).reduce(0) { $1.scope.isLive ? $0 + $1.subscriptions : $0 }
  }

  /// How many subscriptions there are that neither a declaration nor an instance of a service has. Opening something
  /// may make such an instance, which lives on when that has ended.
  ///
  /// - Parameter before: How many there were before something was opened; only those that came with it count.
  package func otherSubscriptions(since before: UInt64 = 0) throws(StreamError) -> UInt64 {
    let counted = before + declaredSubscriptions + serviceSubscriptions
    let all = try stats().subscriptions
    return all - min(all, counted)
  }

  /// Whether its scope has not ended.
  package var isLive: Bool { (try? number) != nil }

  /// Ends the instances of services.
  package func endServices() {
    for service in types.census?.services ?? [] { try? service.scope.close() }
  }

  /// Counts what a declaration subscribes.
  func countingDeclared(_ declare: () throws(StreamError) -> Void) throws(StreamError) {
    guard let census = types.census else { return try declare() }
    let before = try otherSubscriptions()
    try declare()
    census.declared += try otherSubscriptions(since: before)
  }

  /// Counts what an instance of a service subscribes, which fills this scope.
  func countingService(_ make: () throws -> Void) throws {
    guard let census = types.census else { return try make() }
    let before = try otherSubscriptions()
    try make()
    census.services.append((self, try otherSubscriptions(since: before)))
  }
}
