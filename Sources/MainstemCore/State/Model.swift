// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
