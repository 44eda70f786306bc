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
    let (view, owner) = try resolved.ends()
    let type = try stream.locked { () throws(Refusal) in
      try stream.typeOfValue(name, of: owner, "name")
    }
    var draft = try view.draft(type, data, size)
    draft.origin = owner.origin
    draft.flags |= UInt32(MAINSTEM_EVENT_OUTSIDE | MAINSTEM_EVENT_WRITTEN)
    guard try stream.goesAhead(isInput: true) else { return }
    guard stream.contract(of: type).isValue else {
      return try stream.accept(draft, through: view, .unnoted)
    }
    try stream.set(&draft, through: view, .unnoted)
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
  /// The view of the binding that the handle names, and the owner that it points at.
  func ends() throws(Refusal) -> (view: ResolvedHandle, owner: ResolvedHandle) {
    let binding = try binding()
    // Given back before anything is delivered: a callback may end the binding.
    defer { Binding.unuse(binding) }
    let view = try ResolvedHandle.sending(binding.pointee.view)
    return (view, try stream.locked { () throws(Refusal) in try binding.pointee.liveOwner() })
  }
}
