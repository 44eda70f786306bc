// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Writing: what a view says to the owner that it is bound to.
extension Binding {
  /// Writes a value of the owner, unless its bytes are there already. It is an input with the owner as its origin, wherever the view is: a replay has it from the
  /// journal, so there the call does nothing.
  package static func write(
    _ handle: Handle, _ name: Bytes, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.changing(handle, .binding, "binding")
    let stream = resolved.stream
    let (view, owner, known) = try resolved.ends(name)
    if case .echo = known { return }
    let type = try stream.locked { () throws(Refusal) in
      try stream.typeToWrite(name, of: owner)
    }
    var draft = try view.draft(type, data, size)
    draft.origin = owner.origin
    draft.flags |= UInt32(MAINSTEM_EVENT_OUTSIDE | MAINSTEM_EVENT_WRITTEN)
    guard try stream.goesAhead(isInput: true) else { return }
    guard stream.contract(of: type).isValue else {
      return try stream.accept(draft, through: view, .unnoted)
    }
    try stream.set(&draft) { draft throws(Refusal) in
      if case .nothing = known { return try stream.accept(draft, through: view, .unnoted) }
      try resolved.accept(draft, name, of: owner, through: view)
    }
  }

  /// The owner, if it has not ended. Under the lock.
  fileprivate func liveOwner() throws(Refusal) -> ResolvedHandle {
    guard owner != .none else {
      throw Refusal(.stale, "binding", "points nowhere: point it at an owner first")
    }
    guard let resolved = try? ResolvedHandle(owner, .context) else {
      throw Refusal(.stale, "binding", "points at an owner that has ended")
    }
    return resolved
  }
}

extension ResolvedHandle {
  /// The view of the binding that the handle names, the owner that it points at, and what two-way rows know of a name.
  func ends(
    _ name: Bytes
  ) throws(Refusal) -> (view: ResolvedHandle, owner: ResolvedHandle, known: Binding.Knowledge) {
    let binding = try binding()
    // Given back before anything is delivered: a callback may end the binding.
    defer { Binding.unuse(binding) }
    let view = try ResolvedHandle.sending(binding.pointee.view)
    return try stream.locked { () throws(Refusal) in
      let owner = try binding.pointee.liveOwner()
      return (view, owner, Binding.knowledge(binding, of: name, of: owner.origin))
    }
  }

  /// Accepts what the view of the binding writes, and lets the two-way rows of the name know its position before it is
  /// delivered.
  fileprivate func accept(
    _ draft: Draft, _ name: Bytes, of owner: ResolvedHandle, through view: ResolvedHandle
  ) throws(Refusal) {
    var draft = draft
    try stream.letInSeldom(&draft, .program, .unnoted) { _ throws(Refusal) in
      guard view.isLive, !stream.isClosed else { throw .ended }
    } then: { draft, arrival throws(Refusal) in
      let placed = try arrival.takePosition(for: &draft)
      note(name, of: owner, writtenAt: placed.position)
      return placed
    }
    if Frame.holding(stream) == nil { try stream.acknowledge() }
  }

  /// Under the lock.
  private func note(_ name: Bytes, of owner: ResolvedHandle, writtenAt position: UInt64) {
    let binding = liveSubscription?.pointee.userData?.assumingMemoryBound(to: Binding.self)
    guard let binding, binding.pointee.owner == owner.handle else { return }
    binding.pointee.noteWritten(name, at: position)
  }
}

extension Stream {
  /// The type of a value that a view may write; nobody but the library says what a command does. Under the lock.
  fileprivate func typeToWrite(
    _ name: Bytes, of owner: ResolvedHandle
  ) throws(Refusal) -> UInt32 {
    let type = try typeOfValue(name, of: owner, "name")
    let role = contract(of: type).role
    guard role != .request else {
      throw Refusal(.invalid, "name", "is a command: run it instead", .name(name))
    }
    guard role != .response, !tellsOfCommand(type, name) else {
      throw Refusal(.invalid, "name", "tells what a command does: no view writes it", .name(name))
    }
    // A session of 0.10.0 is replayed as it was.
    guard state.pointee.types[type]?.isOnlyShown != true || followsOldSession else {
      throw Refusal(
        .invalid, "name", "is only shown: run a command, or make its row writable", .name(name))
    }
    return type
  }

  /// Whether a type is `Owner.command.something`. Under the lock.
  private func tellsOfCommand(_ type: UInt32, _ name: Bytes) -> Bool {
    guard name.index(of: 0x2E) < name.count, let whole = state.pointee.types[type]?.name.bytes
    else { return false }
    var dot = whole.count
    repeat { dot &-= 1 } while whole[dot] != 0x2E
    return state.pointee.types.role(of: whole.part(0, dot)) == .request
  }
}
