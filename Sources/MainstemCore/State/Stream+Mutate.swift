// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Mutating: in a callback of the reactor, so that what it shows is owed, and a replay repeats it.
extension Stream {
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
  package static func stateOfReactor(_ handle: Handle) -> UnsafeRawPointer? {
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
      let show = frame.pointee.stream.showOfCall(in: frame),
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
    let isKept = reactor.pointee.table.pulse != nil && model.pointee.stream.allows(size)
    let told = isKept ? Told.make(size) : nil
    guard told != nil || !isKept else { throw .noMemory }
    do throws(Refusal) {
      let type = reactor.pointee.mutation
      if let action {
        try Stream.respondProgress(action, type, data, size)
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
