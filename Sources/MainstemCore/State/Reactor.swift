// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What makes a model a reactor: its state, and what changes that. For the deliverer.
struct Reactor {
  let table: mainstem_reactor_table
  let state: UnsafeMutableRawPointer
  /// A copy of the state for the function that transforms it; nil: there is none.
  private let shown: UnsafeMutableRawPointer?
  /// The type of its mutations.
  var mutation: UInt32 = 0
  /// A function runs that must not mutate.
  var isReducing = false
  /// A test says what it shows.
  var isStub = false
  /// The mutations whose pulses have not been sent.
  var untold = List<Told, Told.OfReactor>()

  typealias Pointer = UnsafeMutablePointer<Reactor>
}

/// Memory.
extension Reactor {
  static func make(_ table: mainstem_reactor_table) throws(Refusal) -> Pointer {
    let size = Int(table.state_size)
    let reactor = Memory.allocate(Reactor.self)
    let state = Memory.allocate(UInt8.self, count: size)
    let shown = table.transform_state == nil ? nil : Memory.allocate(UInt8.self, count: size)
    guard let reactor, let state, shown != nil || table.transform_state == nil else {
      Memory.free(reactor)
      Memory.free(state)
      Memory.free(shown)
      throw .noMemory
    }
    if let initial = table.initial {
      UnsafeMutableRawPointer(state).copyMemory(from: initial, byteCount: size)
    } else {
      state.initialize(repeating: 0, count: size)
    }
    reactor.initialize(to: Reactor(table: table, state: state, shown: shown))
    return reactor
  }

  static func free(_ reactor: Pointer) {
    while let told = reactor.pointee.untold.first {
      reactor.pointee.untold.remove(told)
      Told.free(told)
    }
    Memory.free(reactor.pointee.state)
    Memory.free(reactor.pointee.shown)
    Memory.free(reactor)
  }

  /// A state that a test gives.
  mutating func force(_ given: UnsafePointer<mainstem_event>) {
    state.copyMemory(from: given.pointee.data, byteCount: Int(table.state_size))
  }
}

/// What its program does with it.
extension Reactor {
  /// Has the program look at an action; false: it is dropped.
  static func goesOn(
    _ reactor: Pointer, _ model: Model.Pointer, _ action: UnsafeMutablePointer<mainstem_event>
  ) -> Bool {
    guard let transform = reactor.pointee.table.transform_action else { return true }
    reactor.pointee.isReducing = true
    defer { reactor.pointee.isReducing = false }
    return transform(model.pointee.userData, reactor.pointee.state, action)
  }

  static func show(
    _ reactor: Pointer, of model: Model.Pointer, _ server: OpaquePointer?
  ) -> Int32 {
    let (table, state) = (reactor.pointee.table, reactor.pointee.state)
    let shown = reactor.pointee.shown
    if let shown, let transform = table.transform_state {
      shown.copyMemory(from: state, byteCount: Int(table.state_size))
      transform(model.pointee.userData, shown)
    }
    return table.show?(model.pointee.userData, server, model.pointee.types, shown ?? state) ?? 0
  }

  /// Sends the pulses of what was reduced. One that finds no room waits, and so do those behind it.
  static func tell(
    _ reactor: Pointer, of model: Model.Pointer, _ server: OpaquePointer?
  ) -> Int32 {
    var failure: Int32 = 0
    while let told = reactor.pointee.untold.first {
      let status =
        reactor.pointee.table.pulse?(
          model.pointee.userData, server, model.pointee.types, Told.bytes(of: told),
          told.pointee.size) ?? 0
      if model.pointee.stream.isForked || Status.isForLater(status) { return status }
      reactor.pointee.untold.remove(told)
      Told.free(told)
      if failure == 0 { failure = status }
    }
    return failure
  }
}

extension Status {
  /// Whether a show function that returns it is called again.
  static func isForLater(_ status: Int32) -> Bool {
    status == Status.full.rawValue || status == Status.noMemory.rawValue
  }
}

/// A mutation that was reduced, for the function that sends its pulse. Its bytes are behind it.
struct Told {
  let size: Int
  private var links = Links<Told>()

  typealias Pointer = UnsafeMutablePointer<Told>

  /// Where the bytes begin: as malloc would align them.
  private static var offset: Int { 32 }

  /// Makes one without its bytes; nil without memory.
  static func make(_ size: Int) -> Pointer? {
    guard let memory = Memory.allocate(UInt8.self, count: offset &+ size) else { return nil }
    let told = UnsafeMutableRawPointer(memory).bindMemory(to: Told.self, capacity: 1)
    told.initialize(to: Told(size: size))
    return told
  }

  static func bytes(of told: Pointer) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(told) + offset
  }

  static func free(_ told: Pointer) {
    // It may be a secret.
    mainstem_p_wipe(bytes(of: told), told.pointee.size)
    Memory.free(told)
  }
}

extension Told: Listed {
  enum OfReactor: ListName { static var number: Int { 0 } }

  static func links(of node: Pointer, in list: Int) -> Links<Told> { node.pointee.links }

  static func set(_ links: Links<Told>, of node: Pointer, in list: Int) {
    node.pointee.links = links
  }
}
