// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// A table of what a server shows and can be told: the user data of that server, whose show function and handlers are
/// the core's own. For the deliverer, but for what never changes.
package struct Model {
  let stream: Stream
  let show: mainstem_show_fn?
  let userData: UnsafeMutableRawPointer?
  let release: mainstem_release_fn?
  let rows: UnsafeMutablePointer<ModelRow>
  let commands: UnsafeMutablePointer<Command>
  /// The numbers of the rows' types, for the show function.
  let types: UnsafeMutablePointer<mainstem_event_type>
  /// Its state, and what changes that; nil: the program keeps a state of its own.
  var reactor: Reactor.Pointer?
  private(set) var count = 0
  private(set) var commandCount = 0
  /// That of its scope, known when it is first called.
  var origin: UInt32 = 0

  package typealias Pointer = UnsafeMutablePointer<Model>
}

/// One row of a model.
struct ModelRow {
  let type: UInt32
  /// The type's name, which lives as long as the context.
  let name: UnsafePointer<CChar>?
  let flags: UInt32
  let function: mainstem_event_fn?
  /// Nil: it is no command.
  let command: Command.Pointer?
}

/// Memory.
extension Model {
  /// Makes a model without rows.
  static func make(
    _ stream: Stream, _ count: Int, _ show: mainstem_show_fn?, _ userData: UnsafeMutableRawPointer?,
    _ release: mainstem_release_fn?
  ) throws(Refusal) -> Pointer {
    let room = max(count, 1)
    let model = Memory.allocate(Model.self)
    let rows = Memory.allocate(ModelRow.self, count: room)
    let commands = Memory.allocate(Command.self, count: room)
    let types = Memory.allocate(mainstem_event_type.self, count: room)
    guard let model, let rows, let commands, let types else {
      Memory.free(model)
      Memory.free(rows)
      Memory.free(commands)
      Memory.free(types)
      throw .noMemory
    }
    model.initialize(
      to: Model(
        stream: stream, show: show, userData: userData, release: release, rows: rows,
        commands: commands, types: types))
    return model
  }

  /// Frees a model that no server has.
  package static func free(_ model: Pointer) {
    Memory.free(model.pointee.rows)
    Memory.free(model.pointee.commands)
    Memory.free(model.pointee.types)
    model.pointee.reactor.map { Reactor.free($0) }
    Memory.free(model)
  }

  mutating func append(_ row: ModelRow) {
    (rows + count).initialize(to: row)
    types[count] = row.type
    count &+= 1
  }

  mutating func append(_ command: Command) -> Command.Pointer {
    let place = commands + commandCount
    place.initialize(to: command)
    commandCount &+= 1
    return place
  }

  /// The row of a type.
  func row(of type: UInt32) -> ModelRow? {
    var index = 0
    while index < count {
      if types[index] == type { return rows[index] }
      index &+= 1
    }
    return nil
  }

  func eachCommand(_ visit: (Command.Pointer) -> Void) {
    var index = 0
    while index < commandCount {
      visit(commands + index)
      index &+= 1
    }
  }
}

/// Ends a model, when its server has ended. Its requests have their answers later.
package func freeModel(_ userData: UnsafeMutableRawPointer?) {
  guard let model = userData?.assumingMemoryBound(to: Model.self) else { return }
  model.pointee.eachCommand { command in
    command.pointee.forgetFailure()
    command.pointee.runs.each { run in
      run.pointee.command = nil
      run.pointee.release()
    }
  }
  let (release, userData) = (model.pointee.release, model.pointee.userData)
  Model.free(model)
  release?(userData)
}

/// What a host says of one row of a model.
package struct ModelRowGiven {
  let name: Bytes
  let kind: Kind
  let contract: UInt64
  let function: mainstem_event_fn?
  let enabled: Bytes?
  let policy: Command.Policy
  let cancelledBy: Bytes?
  let answer: UInt64

  enum Kind: UInt32 {
    case shows = 1
    case writable = 2
    case pulses = 3
    case command = 4
  }

  /// Checks what a row says about itself.
  package init(_ row: mainstem_viewmodel_row) throws(Refusal) {
    guard let kind = Kind(rawValue: row.kind) else {
      throw Refusal(
        .invalid, "rows.kind", "is not MAINSTEM_VIEWMODEL_VALUE, _WRITABLE, _PULSE or _COMMAND")
    }
    guard let policy = Command.Policy(rawValue: row.policy) else {
      throw Refusal(.invalid, "rows.policy", "is not MAINSTEM_COMMAND_…")
    }
    name = try Name.check(row.name, "rows.name")
    enabled = row.enabled == nil ? nil : try Name.check(row.enabled, "rows.enabled")
    cancelledBy =
      row.cancelled_by == nil ? nil : try Name.check(row.cancelled_by, "rows.cancelled_by")
    (self.kind, self.policy, contract, answer) = (kind, policy, row.contract, row.answer)
    function = row.fn
    if kind == .command {
      guard function != nil else { throw .null("rows.fn") }
    } else {
      guard policy == .refuse, answer == 0, enabled == nil, cancelledBy == nil,
        function == nil || kind == .writable
      else {
        throw Refusal(
          .invalid, "rows", "has what only a command has: leave it out, or make it one")
      }
    }
    guard Contract(bits: contract).role == nil, Contract(bits: answer).role == nil else {
      throw Refusal(.invalid, "rows.contract", "has a role: leave it out, the kind says it")
    }
  }
}

extension ModelRowGiven {
  /// The row of a reactor's mutations.
  init(mutations contract: UInt64) throws(Refusal) {
    try self.init(
      mainstem_viewmodel_row(
        name: ("mutation" as Phrase).text, kind: Kind.pulses.rawValue, contract: contract, fn: nil,
        enabled: nil, policy: 0, answer: 0, cancelled_by: nil))
  }

  /// The contract of the row's type.
  var bits: UInt64 {
    switch kind {
    case .shows: Contract.of(contract, .value, .viewModel)
    case .writable:
      // A secret is never kept.
      Contract.of(contract, Contract(bits: contract).isSecret ? .notice : .value, .view)
    case .pulses: Contract.of(contract, .notice, .viewModel)
    case .command: Contract.of(contract, .request, .view)
    }
  }

  /// The contract of a command's answer.
  var answerBits: UInt64 { Contract.of(answer, .response, .viewModel) }

  /// The flags of its handler.
  var flags: UInt32 {
    UInt32(MAINSTEM_HANDLER_OWN) | (kind == .writable ? UInt32(MAINSTEM_HANDLER_WRITTEN) : 0)
  }

  var isTold: Bool { kind == .command || kind == .writable }
}

/// The layers of what models show and are told.
extension Contract {
  enum Layer: UInt64 {
    case viewModel = 2
    case view = 3
  }

  static func of(_ bits: UInt64, _ role: Role, _ layer: Layer) -> UInt64 {
    let given = Contract(bits: bits)
    return bits | role.rawValue << 36 | (given.layer == 0 ? layer.rawValue << 40 : 0)
  }

  /// Of the values that the library sets for a command.
  static func ofCommand(_ payload: Payload) -> UInt64 {
    of(payload.rawValue << 32, .value, .viewModel)
  }
}

/// Making a model from what a host says.
extension Model {
  /// Registers the types of a model, and makes the user data of its server. The caller adds that server, with `handler`,
  /// `showModel` and `freeModel`.
  ///
  /// - Parameter name: Nil: that of the scope.
  package static func prepare(
    _ handle: Handle, _ name: Bytes?, _ count: Int, _ row: (Int) throws(Refusal) -> ModelRowGiven,
    _ show: mainstem_show_fn?, reactor table: mainstem_reactor_table? = nil,
    _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?
  ) throws(Refusal) -> Pointer {
    let resolved = try ResolvedHandle.own(handle)
    let owner = try Name(ofOwner: name, resolved)
    defer { owner.free() }
    let model = try make(
      resolved.stream, table == nil ? count : count &+ 1, show, userData, release)
    var index = 0
    do throws(Refusal) {
      if let table { model.pointee.reactor = try Reactor.make(table) }
      while index < count {
        try add(try row(index), to: model, owner, resolved)
        index &+= 1
      }
      if let reactor = model.pointee.reactor {
        try add(
          ModelRowGiven(mutations: reactor.pointee.table.mutation), to: model, owner, resolved)
        reactor.pointee.mutation = model.pointee.types[count]
      }
      index = 0
      while index < count {
        try enable(try row(index), index, of: model, owner, resolved)
        index &+= 1
      }
    } catch {
      free(model)
      throw error.status == .noMemory || index == count ? error : error.inRow(index)
    }
    return model
  }

  private static func add(
    _ row: ModelRowGiven, to model: Pointer, _ owner: Name, _ resolved: ResolvedHandle
  ) throws(Refusal) {
    guard row.kind == .shows || !Contract(bits: row.bits).isList else {
      throw Refusal(.invalid, "rows.kind", "is not MAINSTEM_VIEWMODEL_VALUE, as a list must be")
    }
    let isCommand = row.kind == .command
    // The longest is that of a command's "executing".
    guard owner.count &+ row.name.count &+ (isCommand ? 11 : 1) <= 255 else {
      throw Refusal(
        .tooBig, owner.count > row.name.count ? "name" : "rows.name",
        "makes a name of a type that is longer than 255 bytes")
    }
    let done =
      isCommand ? try addType(owner, row.name, ".done", row.answerBits, in: resolved) : nil
    defer { done?.name.free() }
    let made = try addType(
      owner, row.name, "", row.bits, response: done?.name.bytes,
      isWritable: row.kind == .writable, in: resolved)
    made.name.free()
    guard model.pointee.row(of: made.type) == nil else {
      throw Refusal(.invalid, "rows.name", "is the name of another row")
    }
    let command = isCommand ? try addCommand(row, to: model, owner, resolved) : nil
    let name = try resolved.locked { () throws(Refusal) in
      resolved.stream.state.pointee.types[made.type]?.name.text
    }
    model.pointee.append(
      ModelRow(
        type: made.type, name: UnsafePointer(name), flags: row.isTold ? row.flags : 0,
        function: row.function,
        command: command))
  }

  private static func addCommand(
    _ row: ModelRowGiven, to model: Pointer, _ owner: Name, _ resolved: ResolvedHandle
  ) throws(Refusal) -> Command.Pointer? {
    guard let function = row.function else { return nil }
    let answersItself = Contract(bits: row.answer).payload == Contract.Payload.none
    guard answersItself || model.pointee.reactor == nil else {
      throw Refusal(.invalid, "rows.answer", "carries something: an action's answer does not")
    }
    func value(_ suffix: Phrase, _ payload: Contract.Payload) throws(Refusal) -> UInt32 {
      let made = try addType(owner, row.name, suffix, Contract.ofCommand(payload), in: resolved)
      made.name.free()
      return made.type
    }
    let enabled = try value(".enabled", .bool)
    let executing = try value(".executing", .bool)
    let error = try value(".error", .text)
    return model.pointee.append(
      Command(
        model: model, function: function, policy: row.policy,
        answersItself: answersItself,
        enabled: enabled, executing: executing, error: error))
  }

  /// Registers one type of a model. The caller frees its name.
  @inline(never)
  private static func addType(
    _ owner: Name, _ name: Bytes, _ suffix: Phrase, _ bits: UInt64, response: Bytes? = nil,
    isWritable: Bool = false, in resolved: ResolvedHandle
  ) throws(Refusal) -> (type: UInt32, name: Name) {
    let whole = try Name(owner.bytes, name, suffix.bytes)
    do throws(Refusal) {
      let type = try resolved.addType(whole.bytes, bits, response: response)
      try resolved.locked { () throws(Refusal) in
        resolved.stream.state.pointee.types.note(
          type, ownerCount: owner.count, isWritable: isWritable)
      }
      return (type, whole)
    } catch {
      whole.free()
      throw error
    }
  }

  /// Notes the rows that enable a command, and that end it.
  private static func enable(
    _ row: ModelRowGiven, _ index: Int, of model: Pointer, _ owner: Name, _ resolved: ResolvedHandle
  ) throws(Refusal) {
    guard let command = model.pointee.rows[index].command else { return }
    if let enabled = row.enabled {
      let type = try find(enabled, owner, resolved)
      let contract = resolved.stream.contract(of: type)
      guard model.pointee.row(of: type) != nil, contract.isValue, contract.payload == .bool,
        !contract.isList
      else {
        throw Refusal(.invalid, "rows.enabled", "is not a row of the model that is a BOOL")
      }
      command.pointee.enabler = type
    }
    if let cancelledBy = row.cancelledBy {
      let type = try find(cancelledBy, owner, resolved)
      guard model.pointee.row(of: type)?.command != nil else {
        throw Refusal(.invalid, "rows.cancelled_by", "is not a command of the model")
      }
      command.pointee.ender = type
    }
  }

  /// The number of a type of a model; 0: there is none.
  private static func find(
    _ name: Bytes, _ owner: Name, _ resolved: ResolvedHandle
  ) throws(Refusal) -> UInt32 {
    let whole = try Name(owner.bytes, name, Bytes(""))
    defer { whole.free() }
    return try resolved.locked { () throws(Refusal) in
      resolved.stream.state.pointee.types.find(whole.bytes)
    }
  }

  /// The rows that have handlers, and what is said of each.
  package func handler(_ index: Int) -> HandlerRow {
    var (left, next) = (index, 0)
    while rows[next].flags == 0 || left > 0 {
      if rows[next].flags != 0 { left &-= 1 }
      next &+= 1
    }
    return HandlerRow(
      mainstem_handler_row(type: rows[next].name, fn: tellModel, flags: rows[next].flags))
  }

  package var handlerCount: Int {
    var found = 0
    var index = 0
    while index < count {
      if rows[index].flags != 0 { found &+= 1 }
      index &+= 1
    }
    return found
  }
}

extension Name {
  /// The name of a model's scope. The caller frees it.
  fileprivate init(ofOwner name: Bytes?, _ resolved: ResolvedHandle) throws(Refusal) {
    let copy = try resolved.locked { () throws(Refusal) in
      if name == nil { try resolved.stream.requests.demandNoServer(resolved.scope) }
      let scopes = resolved.stream.state.pointee.scopes.describe(resolved.origin)
      return Name(copying: name ?? scopes?.name ?? Bytes(""))
    }
    guard let copy else { throw .noMemory }
    self = copy
  }

  /// The name of a model's type. The caller frees it.
  init(_ owner: Bytes, _ row: Bytes, _ suffix: Bytes) throws(Refusal) {
    var text = SubjectWriter()
    text.add(owner)
    text.add(".")
    text.add(row)
    text.add(suffix)
    guard let copy = Name(copying: text.bytes) else { throw .noMemory }
    self = copy
  }
}
