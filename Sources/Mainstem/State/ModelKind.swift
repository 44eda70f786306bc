// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A kind of view model in one context: its table, and the numbers of its types.
final class ModelKind<S: Server> {
  /// The name of its owners' scopes.
  let owner: String
  let table: ServerTable<S>
  /// Of its rows, in their order; known when the first owner has been added.
  private(set) var numbers: [mainstem_event_type] = []
  /// What views see of the commands; known when `numbers` are.
  private(set) var commands: [CommandSeen<S>] = []
  /// The rows of pulses.
  let pulses: [Int]
  private let names: CStrings
  /// The rows that enable commands, by row.
  private let enablers: [Int?]
  /// The commands that end runs of commands, by row.
  private let enders: [Int?]

  private init(_ owner: String, _ types: EventTypes) throws(StreamError) {
    self.owner = owner
    table = try ServerTable(types)
    guard table.shown == nil else {
      throw StreamError(.invalid, "\(owner): a view model shows with on.shows, not with on.show")
    }
    names = CStrings(table.model.map(\.name))
    pulses = table.model.indices.filter { [table] in table.model[$0].kind == .pulses }
    enablers = try table.model.map { [table] row throws(StreamError) in
      guard let property = row.enabled else { return nil }
      guard let place = table.model.firstIndex(where: { $0.property == property }) else {
        throw StreamError(
          .invalid,
          "\(owner): the command \(row.name) is enabled by what no value shows: add on.shows for it"
        )
      }
      return place
    }
    enders = try table.model.map { [table] row throws(StreamError) in
      guard let name = row.cancelledBy else { return nil }
      guard let place = table.model.firstIndex(where: { $0.name == name && $0.kind == .command })
      else {
        throw StreamError(.invalid, "\(owner): \(row.name) is ended by \(name), which it has not")
      }
      return place
    }
  }

  /// The kind, as this context knows it.
  static func of(_ owner: String, in types: EventTypes) throws(StreamError) -> ModelKind {
    let key = ModelKey(type: ObjectIdentifier(S.self), owner: owner)
    if let known = types.kinds.locked({ $0[key] }) as? ModelKind { return known }
    try types.claim(owner: owner, S.self)
    let kind = try ModelKind(owner, types)
    types.kinds.locked { $0[key] = kind }
    return kind
  }

  /// Finds the numbers of its types, when the core has registered them.
  func learn(_ types: EventTypes) throws(StreamError) {
    guard numbers.count < table.model.count else { return }
    numbers = try table.model.map { row throws(StreamError) in
      let number = try types.number(named: "\(owner).\(row.name)")
      if let type = row.type { types.contracts.declare(type, number) }
      if let type = row.answerType {
        types.contracts.declare(type, try types.number(named: "\(owner).\(row.name).done"))
      }
      return number
    }
    let rows = table.model.filter { $0.kind == .command }
    commands = try rows.map { row throws(StreamError) in
      try CommandSeen("\(owner).\(row.name)", enabled: row.isEnabled, types)
    }
  }

  /// The number of a value or a pulse, whether or not a view model of this kind is open.
  func number(of name: String, _ types: EventTypes) throws(StreamError) -> mainstem_event_type {
    guard let row = values.first(where: { $0.name == name }) else {
      throw StreamError(.invalid, "\(owner) has no value \(name): it shows \(shown)")
    }
    let layer = row.kind == .writable ? Layer.view : .viewModel
    let role = row.kind == .pulses ? Role.notice : .value
    let contract =
      row.payload.contract | role.contract | row.record.contract | (row.isList ? MAINSTEM_LIST : 0)
    let number = try type(name, contract, layer, types)
    if let type = row.type { types.contracts.declare(type, number) }
    return number
  }

  private var shown: String { values.map { $0.name }.joined(separator: ", ") }

  private var values: [ModelRow<S>] { table.model.filter { $0.kind != .command && !$0.isSecret } }

  /// The notice that it is opened.
  func openingType(_ types: EventTypes) throws(StreamError) -> mainstem_event_type {
    try type("opened", MAINSTEM_PAYLOAD_NONE | MAINSTEM_ROLE_NOTICE, .viewModel, types)
  }

  /// A type of its owners.
  func type(
    _ name: String, _ contract: mainstem_contract, _ layer: Layer, _ types: EventTypes
  ) throws(StreamError) -> mainstem_event_type {
    let contract = contract | (try layer.contract(in: types.home))
    var number: mainstem_event_type = 0
    try StreamError.check(
      mainstem_type_add(types.home, "\(owner).\(name)", contract, nil, &number))
    return number
  }

  /// The place of the row of a name; it has one.
  func place(of name: String) -> Int { table.model.firstIndex { $0.name == name } ?? 0 }

  /// The place of the row for a type.
  func row(of number: mainstem_event_type) -> Int? { numbers.firstIndex(of: number) }

  /// Passes the rows to `body` in the form C takes; valid for the call.
  func withRows(
    _ body: (UnsafeBufferPointer<mainstem_viewmodel_row>) -> mainstem_status
  ) -> mainstem_status {
    names.withPointers { names in
      let rows = table.model.indices.map { place in
        let row = table.model[place]
        var entry = mainstem_viewmodel_row()
        entry.name = names[place]
        entry.kind = row.kind.number
        entry.contract =
          row.payload.contract | row.record.contract | (row.isSecret ? MAINSTEM_SECRET : 0)
          | (row.isList ? MAINSTEM_LIST : 0)
        if row.kind == .writable || row.kind == .command { entry.fn = Callback.call }
        entry.enabled = enablers[place].flatMap { names[$0] }
        entry.policy = row.policy.rawValue
        if row.answer != .none { entry.answer = row.answer.contract }
        entry.cancelled_by = enders[place].flatMap { names[$0] }
        return entry
      }
      return rows.withUnsafeBufferPointer(body)
    }
  }
}

extension ModelRow.Kind {
  fileprivate var number: UInt32 {
    switch self {
    case .shows: UInt32(MAINSTEM_VIEWMODEL_VALUE)
    case .writable: UInt32(MAINSTEM_VIEWMODEL_WRITABLE)
    case .pulses: UInt32(MAINSTEM_VIEWMODEL_PULSE)
    case .command: UInt32(MAINSTEM_VIEWMODEL_COMMAND)
    }
  }
}

/// By which a context knows a kind of view models.
struct ModelKey: Hashable {
  let type: ObjectIdentifier
  let owner: String
}

/// What a view model shows, or can be told: a row of its table.
struct ModelRow<S: Server> {
  enum Kind { case shows, writable, pulses, command }

  /// The part of the type's name behind the owner's.
  let name: String
  let kind: Kind
  /// What its events carry.
  let payload: Payload
  /// Whether it is a list: then `payload` and `type` are those of a row.
  var isList = false
  /// The Swift type of that; nil: none.
  var type: Any.Type?
  /// What a journal keeps of them.
  var record = RecordMode.full
  /// Whether they are secrets.
  var isSecret = false
  /// The property that it shows, of the view model or of a reactor's state: so a command names what enables it.
  var property: AnyKeyPath?
  /// Of a command: the property that enables it.
  var enabled: AnyKeyPath?
  /// Of a command: whether it is enabled; nil: always.
  var isEnabled: ((S) -> Bool)?
  /// Of a command: what happens to a run while another executes.
  var policy = CommandPolicy.refuse
  /// Of a command: the name of the one that ends its runs.
  var cancelledBy: String?
  /// Of a command: what its answer carries, and the Swift type of that.
  var answer = Payload.none
  var answerType: Any.Type?
  /// Begins a row of one view model.
  let begin: (ModelHouse<S>) -> LiveRow
}

/// A row of one view model that lives.
///
/// It knows its view model, so that rows of all types are alike: what is generic costs a look-up at each use.
final class LiveRow {
  /// Says what is to be seen now.
  let show: ((ValueSetter) throws -> Void)?
  /// Takes the pulses that wait.
  let pulses: ((EventTypes) throws -> [[UInt8]])?
  /// Gets what views wrote, or a run.
  let call: ((borrowing Delivery) throws -> Void)?

  init(
    show: ((ValueSetter) throws -> Void)? = nil,
    pulses: ((EventTypes) throws -> [[UInt8]])? = nil,
    call: ((borrowing Delivery) throws -> Void)? = nil
  ) {
    self.show = show
    self.pulses = pulses
    self.call = call
  }
}

/// Sets one value of an owner.
struct ValueSetter {
  let scope: OpaquePointer?
  let number: mainstem_event_type
  let types: EventTypes

  /// Sets a value by its bytes; if they are there already, nothing is sent.
  func set(_ bytes: UnsafeRawBufferPointer) throws(StreamError) {
    try StreamError.check(mainstem_value_set(scope, number, bytes.baseAddress, bytes.count))
  }

  /// Sets a value by its bytes.
  func set(_ bytes: [UInt8]) throws(StreamError) {
    try StreamError.check(mainstem_value_set(scope, number, bytes, bytes.count))
  }
}

/// What views see of a command of a child.
///
/// The library says it after the child's own show function. A child's parent says earlier what the child shows, so that
/// views find it ready: then this is part of that.
struct CommandSeen<S: Server> {
  private let enabled, executing, error: mainstem_event_type
  /// Whether it is enabled; nil: always.
  private let isEnabled: ((S) -> Bool)?

  init(
    _ name: String, enabled isEnabled: ((S) -> Bool)?, _ types: EventTypes
  ) throws(StreamError) {
    enabled = try types.number(named: "\(name).enabled")
    executing = try types.number(named: "\(name).executing")
    error = try types.number(named: "\(name).error")
    self.isEnabled = isEnabled
  }

  /// Says whether it is enabled; the first time, too, that it is not executing and has not failed.
  func say(_ model: S, through scope: OpaquePointer?, isFirst: Bool) throws(StreamError) {
    let isEnabled = self.isEnabled?(model) ?? true
    try StreamError.check(mainstem_value_set_bool(scope, enabled, isEnabled))
    guard isFirst else { return }
    try StreamError.check(mainstem_value_set_bool(scope, executing, false))
    try StreamError.check(mainstem_value_set_text(scope, error, ""))
  }
}
