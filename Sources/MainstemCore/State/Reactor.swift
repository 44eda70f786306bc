// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What makes a model a reactor: its state, and what changes that. For the deliverer.
package struct Reactor {
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

/// Mutating: in a callback of the reactor, so that what it shows is owed, and a replay repeats it.
extension Reactor {
  /// Changes a state for an action.
  package static func mutate(
    _ action: UnsafePointer<mainstem_event>, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    if Frame.innermost?.pointee.stream.isForked == true { throw .forked }
    let reply = Handle(bits: action.pointee.reply)
    Frame.innermost?.pointee.stream.settleAsRecorded()
    // First: the reactor itself may have ended.
    if reply != .none, !Slot.isOpen(reply) {
      Frame.innermost?.pointee.stream.noteAnswersWaiting()
      throw Refusal(.stale, "action", "is over: it has its answer")
    }
    let mutating = try Mutating("action")
    guard reply != .none, action.pointee.origin == mutating.model.pointee.origin,
      mutating.model.pointee.row(of: action.pointee.type)?.command != nil
    else {
      throw Refusal(.invalid, "action", "is not an action of the reactor whose callback runs")
    }
    try mutating.take(data, size, of: action)
  }

  /// Changes a state for no action.
  package static func merge(
    _ handle: Handle, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.own(handle, .context, "reactor")
    let mutating = try Mutating("reactor")
    guard mutating.server == resolved.handle else {
      throw Refusal(.invalid, "reactor", "is not the one whose callback runs")
    }
    try mutating.take(data, size, of: nil)
  }

  /// The state of a reactor; nil: it is none.
  package static func state(of handle: Handle) -> UnsafeRawPointer? {
    guard let resolved = try? ResolvedHandle(handle, .context) else { return nil }
    let model = resolved.stream.locked { resolved.isLive ? resolved.reactor : nil }
    return model?.pointee.reactor.map { UnsafeRawPointer($0.pointee.state) }
  }
}

extension ResolvedHandle {
  /// The model of a scope, if that is a reactor. Under the lock.
  var reactor: Model.Pointer? { scope?.pointee.show.flatMap { Show.reactor(of: $0) } }
}

extension Slot {
  /// Whether a request has no answer yet.
  fileprivate static func isOpen(_ request: Handle) -> Bool {
    guard let (slot, key) = Slot.find(request) else { return false }
    return slot.pointee.state.load(ordering: .acquiring) == key
  }
}

extension Show {
  fileprivate static func reactor(of show: Pointer) -> Model.Pointer? {
    guard show.pointee.isOfModel,
      let model = show.pointee.userData?.assumingMemoryBound(to: Model.self),
      model.pointee.reactor != nil
    else { return nil }
    return model
  }
}

/// The reactor whose callback this thread is in.
private struct Mutating {
  let model: Model.Pointer
  let server: Handle
  private let reactor: Reactor.Pointer

  /// - Parameter argument: The argument's name, for the message.
  init(_ argument: Phrase) throws(Refusal) {
    guard let frame = Frame.innermost, !frame.pointee.sendsInputs,
      let show = frame.pointee.stream.deliverer.pointee.showOfCall(in: frame),
      let model = Show.reactor(of: show), let reactor = model.pointee.reactor
    else {
      throw Refusal(
        .invalid, argument,
        "is not in a callback of the reactor: mutate where its actions or its observers are called")
    }
    guard !reactor.pointee.isReducing, !frame.pointee.stream.isInShow else {
      throw Refusal(
        .busy, "", "a function of the reactor's table only looks: mutate in that of an action")
    }
    (self.model, self.reactor) = (model, reactor)
    server = Handle(bits: UInt64(UInt(bitPattern: show.pointee.server)))
    if let row = frame.pointee.row { model.pointee.origin = row.pointee.scope.pointee.origin }
  }

  /// Takes a mutation: sends it, then reduces it.
  func take(
    _ data: UnsafeRawPointer?, _ size: Int, of action: UnsafePointer<mainstem_event>?
  ) throws(Refusal) {
    if reactor.pointee.isStub { return }
    let userData = model.pointee.userData
    var (data, size) = (size == 0 ? data ?? Draft.nothing : data, size)
    if let transform = reactor.pointee.table.transform_mutation {
      reactor.pointee.isReducing = true
      let isDropped = !transform(userData, reactor.pointee.state, &data, &size)
      reactor.pointee.isReducing = false
      if isDropped || model.pointee.stream.isForked { return }
    }
    let told = try send(data, size, of: action)
    reactor.pointee.isReducing = true
    reactor.pointee.table.reduce?(userData, reactor.pointee.state, data, size)
    reactor.pointee.isReducing = false
    if let told { reactor.pointee.untold.append(told) }
  }

  /// Sends the notice, as a step of the action.
  ///
  /// - Returns: The copy for the pulse.
  private func send(
    _ data: UnsafeRawPointer?, _ size: Int, of action: UnsafePointer<mainstem_event>?
  ) throws(Refusal) -> Told.Pointer? {
    // What is too big is refused below.
    let isKept =
      reactor.pointee.table.pulse != nil
      && model.pointee.stream.state.pointee.admissions.allows(size)
    let told = isKept ? Told.make(size) : nil
    guard told != nil || !isKept else { throw .noMemory }
    do throws(Refusal) {
      let type = reactor.pointee.mutation
      if let action {
        try Requests.respondProgress(action, type, data, size)
      } else {
        try Stream.send(server, type, data, size)
      }
    } catch {
      told.map { Told.free($0) }
      throw error
    }
    if let told, let data { Told.bytes(of: told).copyMemory(from: data, byteCount: size) }
    return told
  }
}

/// Stubs: a reactor does nothing, and shows what a test gives.
extension Reactor {
  package static func stub(_ handle: Handle, _ state: UnsafeRawPointer?) throws(Refusal) {
    let resolved = try ResolvedHandle.changing(handle, .context, "reactor")
    let found = try resolved.locked { () throws(Refusal) in
      (resolved.reactor, resolved.stream.state.pointee.scopes.describe(resolved.origin)?.name)
    }
    guard let model = found.0, let reactor = model.pointee.reactor, let owner = found.1 else {
      throw Refusal(.invalid, "reactor", "is no reactor")
    }
    let size = Int(reactor.pointee.table.state_size)
    let contract = Contract.Payload.structure.rawValue << 32 | UInt64(size)
    let name = try Name(owner, Bytes("state"), Bytes(""))
    defer { name.free() }
    let type = try resolved.addType(
      name.bytes, Contract.of(contract, .notice, .view), response: nil)
    if !reactor.pointee.isStub {
      var options = Subscription.Options(
        { forceState($0, $1) }, UnsafeMutableRawPointer(model), nil, .one(type))
      (options.call.isOfOneOrigin, options.origin) = (true, resolved.origin)
      try resolved.stream.observe(options, through: resolved, handle, of: resolved, nil)
      reactor.pointee.isStub = true
    }
    if let state { try Stream.send(handle, type, state, size) }
  }
}

private func forceState(
  _ userData: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let event, let model = userData?.assumingMemoryBound(to: Model.self) else { return }
  model.pointee.reactor?.pointee.force(event)
}
