// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

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
      guard model.pointee.row(of: type) != nil, contract.isValue, contract.payload == .bool else {
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
      if name == nil { try resolved.stream.demandNoServer(resolved.scope) }
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
