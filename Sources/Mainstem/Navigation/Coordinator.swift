// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A flow: a component without a view, which decides where to go when its components say what has happened.
///
///     struct DiaryFlow: Coordinator {
///       static func routes(_ on: inout Routes<Self>) {
///         on.screen("diary") { _, _ in DiaryList() }
///         on.screen("diary/<int:id>") { _, route in DiaryPage(id: try route.int("id")) }
///       }
///       static func intents(_ on: inout Intents<Self>) {
///         on.intent(EntryPicked.self, of: DiaryList.self) { _, intent in .open("diary/\(intent.id)") }
///       }
///     }
///
///     try context.addRoutes { on in on.flow("app") { _, _ in DiaryFlow() } }
///     try context.navigator.open("app")
///
/// It is opened and closed like any other component, and ends with the last component on it. It is a server, too:
/// `handlers` hears events of everybody.
public protocol Coordinator: Server {
  /// Fills the table of its routes. Called once in a context.
  ///
  /// - Parameter on: The table.
  static func routes(_ on: inout Routes<Self>)

  /// Fills the table of what its components say. Called once in a context.
  ///
  /// - Parameter on: The table.
  static func intents(_ on: inout Intents<Self>)

  /// Opens what the flow shows first. The default is the first route of its table.
  ///
  /// - Returns: What is done. With it, the flow is shown; if it fails, the flow does.
  mutating func start() throws -> Moves<Self>
}

extension Coordinator {
  /// No handlers.
  public static func handlers(_ on: inout Handlers<Self>) {}

  /// No routes of its own.
  public static func routes(_ on: inout Routes<Self>) {}

  /// Nothing is heard.
  public static func intents(_ on: inout Intents<Self>) {}

  /// Opens the first route of its table.
  public mutating func start() throws -> Moves<Self> {
    var routes = Routes<Self>()
    Self.routes(&routes)
    guard let first = routes.rows.first else {
      throw Failure("\(Self.name): it opens nothing: write start()", code: .invalid)
    }
    return .open(first.pattern)
  }
}

/// Holds a flow while it is open.
final class FlowHouse<Flow: Coordinator>: ServerHouse<Flow> {
  /// The scope of the flow, to ask and send through.
  let context: Context
  /// The number of its component.
  let component: UInt64
  /// Whether `start` has returned. With what that opens first, the flow itself fails.
  private(set) var hasStarted = false
  /// The number of its scope.
  private let number: UInt64

  init(
    _ flow: Flow, _ table: FlowTable<Flow>, in scope: Context, _ component: UInt64
  ) throws(StreamError) {
    (context, self.component) = (scope, component)
    number = try scope.number
    super.init(
      flow, table.server, types: scope.types, on: .immediate)
  }

  /// Hears what a component says.
  func hear(_ row: IntentRow<Flow>, _ delivery: borrowing Delivery) {
    var component: UInt64 = 0
    // UNSET: a link comes from none.
    _ = mainstem_event_component(delivery.event, &component)
    go(delivery, component) { try row.decide(&$0, delivery, component) }
  }

  /// Takes a step, and goes where that says. A flow that has ended meanwhile takes none.
  func go(
    _ delivery: borrowing Delivery, _ component: UInt64, _ step: (inout Flow) throws -> Moves<Flow>
  ) {
    guard isOpen else { return }
    do { try go(component, step) } catch { delivery.fail(Failure(error)) }
  }

  private var isOpen: Bool {
    var found: OpaquePointer?
    return mainstem_scope_find(types.home, number, &found, nil) == 0 && found != nil
  }

  /// Opens what is shown first.
  func start() throws {
    try go(0) { try $0.start() }
    hasStarted = true
  }

  /// Takes a step, and goes where that says.
  func go(_ component: UInt64, _ step: (inout Flow) throws -> Moves<Flow>) throws {
    for move in try change(step).steps { try move(self, component) }
  }

  /// Reports a move that has failed. Who closes something, or refuses, meant to.
  func report(_ result: Result<Void, Failure>, _ delivery: borrowing Delivery) {
    guard case .failure(let failure) = result else { return }
    if failure.code != .cancelled, failure.code != .denied { delivery.fail(failure) }
  }
}

/// What all flows of a type have in common, in one context.
final class FlowTable<Flow: Coordinator> {
  let server: ServerTable<Flow>
  let guards: [GuardRow<Flow>]
  let intents: [IntentRow<Flow>]

  init(server: ServerTable<Flow>, guards: [GuardRow<Flow>], intents: [IntentRow<Flow>]) {
    (self.server, self.guards, self.intents) = (server, guards, intents)
  }
}

extension Context {
  /// Makes this scope, which a factory fills for a component, a flow.
  func become<Flow: Coordinator>(flow: Flow, of component: UInt64) throws {
    guard let flows = types.routes.find(Flow.self), let table = flows.table else {
      throw StreamError(.invalid, "\(Flow.name): its routes are not added")
    }
    let house = try FlowHouse(flow, table, in: self, component)
    if !table.server.handled.isEmpty || table.server.shown != nil { try become(house) }
    for (number, row) in table.guards.enumerated() {
      try add(guard: number, of: Flow.name, row.judge, house) { house.change($0) }
    }
    for row in table.intents { try add(row, house) }
    try keep(house)
    flows.add(house)
    try house.start()
  }

  private func add<Flow: Coordinator>(
    _ row: IntentRow<Flow>, _ house: FlowHouse<Flow>
  ) throws(StreamError) {
    let flags =
      switch row.hidden {
      case .dropped: 0 as UInt32
      case .queued: UInt32(MAINSTEM_INTENT_QUEUED)
      case .allowed: UInt32(MAINSTEM_INTENT_ALLOWED)
      }
    let texts = CStrings([row.type, row.name ?? ""])
    try Callback(types) { house.hear(row, $0) }.keep { userData, release in
      texts.withPointers { texts in
        var intent = mainstem_intent_row()
        intent.type = texts[0]
        intent.name = row.name == nil ? nil : texts[1]
        intent.fn = Callback.call
        intent.flags = flags
        return mainstem_intents_add(
          handle, &intent, MemoryLayout<mainstem_intent_row>.stride, 1, userData, release)
      }
    }
  }
}

/// The flows of a type that are open in a context, and their table.
final class OpenFlows<Flow: Coordinator> {
  var table: FlowTable<Flow>?
  private var open: [Open] = []

  private struct Open { weak var house: FlowHouse<Flow>? }

  func add(_ house: FlowHouse<Flow>) {
    open.removeAll { $0.house == nil }
    open.append(Open(house: house))
  }

  /// The one that a component stands on, as it is now; if it stands on none, the one that was opened last.
  func around(_ component: UInt64) throws(Failure) -> Flow {
    let houses = open.compactMap(\.house)
    guard let last = houses.last else {
      throw Failure("\(Flow.name): it is not open, and this is a route of it", code: .invalid)
    }
    guard houses.count > 1 else { return last.server }
    var number = component
    while let below = try? last.context.navigator.component(number) {
      if let house = houses.first(where: { $0.component == number }) { return house.server }
      number = below.parent
    }
    return last.server
  }
}
