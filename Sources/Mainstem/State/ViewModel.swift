// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A server whose state is seen by views: it has values that they show, some of which they write, and commands that they
/// run.
///
///     struct Lookup: ViewModel {
///       var username = ""
///       var isUsernameValid: Bool { 3...15 ~= username.count }
///
///       static func handlers(_ on: inout Handlers<Self>) {
///         on.writable("username", \.username)
///         on.shows("isUsernameValid", \.isUsernameValid)
///       }
///     }
///
///     let lookup = try context.open(Lookup())
///     let binding = try window.bind(to: lookup) { rows in
///       rows.show("isUsernameValid") { button.isEnabled = $0 }
///     }
///     try binding.set("username", "jack")
///
/// After each event that it has got, all that it shows is asked, and what differs is sent (law 14). A value is the event
/// type `Lookup.username`.
public protocol ViewModel: Server {}

extension Context {
  /// Opens a view model: from now on its values are seen, and its commands can be run.
  ///
  /// For the beginning of a program and for tests. While a session is recorded, this is refused after the first event,
  /// also in a callback: a replay could not know of it. What comes later is made by a factory, or is a child of another
  /// view model.
  ///
  /// - Parameters:
  ///   - model: The view model. The context owns it from now on.
  ///   - name: The name of its scope, and the first part of the names of its types.
  /// - Returns: Its scope, to bind views to; closing it ends the view model.
  /// - Throws: ``Status/busy`` in a recorded session that has begun; another reason why it was not opened; what the view
  ///   model itself throws when it is opened.
  @discardableResult
  public func open<M: ViewModel>(
    _ model: M, name: String = M.name
  ) throws -> Context {
    try opened(model, name).context
  }

  /// Opens a view model for the beginning of a program.
  func opened<M: ViewModel>(_ model: M, _ name: String) throws -> ModelHouse<M> {
    guard !isUnderWay else {
      throw StreamError(
        .busy,
        "open: \(name): this session is recorded and has begun: open view models before the first event, or say"
          + " context.addFactory(\(M.self).self) there")
    }
    let house = ModelHouse(model, try ModelKind<M>.of(name, in: types), types: types)
    try house.add(to: self, name: name, isInside: false)
    return house
  }

  /// Adds a factory for view models of a type.
  ///
  ///     try context.addFactory(Profile.self) { (id: Int) in Profile(id: id) }
  ///     let number = try window.open("Profile", 7).get()
  ///
  /// - Parameters:
  ///   - type: The type of the view models.
  ///   - layer: The layer of the request and of its answer.
  ///   - make: Makes a view model from what is asked with. A failure that it throws is the answer.
  /// - Throws: ``Status/invalid`` after the first event, or the reason it was not added.
  public func addFactory<M: ViewModel, Value: Decodable>(
    _ type: M.Type, layer: Layer = .viewModel, _ make: @escaping (Value) throws -> M
  ) throws(StreamError) {
    try addFactory(type.name, layer: layer) { (scope, value: Value) in
      try scope.become(try make(value))
    }
  }

  /// Adds a factory for view models that are all made alike.
  ///
  /// - Parameters:
  ///   - type: The type of the view models.
  ///   - layer: The layer of the request and of its answer.
  ///   - make: Makes a view model.
  /// - Throws: ``Status/invalid`` after the first event, or the reason it was not added.
  public func addFactory<M: ViewModel>(
    _ type: M.Type, layer: Layer = .viewModel, _ make: @escaping () throws -> M
  ) throws(StreamError) {
    try addFactory(type.name, layer: layer) { scope in try scope.become(try make()) }
  }

  /// Makes this scope, which a factory fills, a view model.
  func become<M: ViewModel>(_ model: M) throws { try become(model, isService: false) }

  /// Makes this scope, which a factory or a service fills, a view model.
  func become<M: ViewModel>(_ model: M, isService: Bool) throws {
    let kind = try ModelKind<M>.of(M.name, in: types)
    try ModelHouse(model, kind, types: types, isService: isService)
      .add(to: self, name: nil, isInside: true)
  }
}
