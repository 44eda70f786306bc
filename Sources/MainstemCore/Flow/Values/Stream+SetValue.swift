// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Setting and reading values.
extension Stream {
  /// Sends a value, unless its bytes are there already.
  ///
  /// - Parameter payloads: What the type must carry.
  package static func setValue(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int,
    as payloads: Contract.Payloads
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.sending(handle)
    let stream = resolved.stream
    try stream.trying { attempt throws(Refusal) in
      try stream.demandValue(type, as: payloads)
      var draft = try resolved.draft(type, data, size)
      guard try stream.goesAhead() else { return }
      try stream.set(&draft) { draft throws(Refusal) in
        try stream.demandOwner(of: draft)
        try stream.demandNoFetch(draft)
        try stream.accept(draft, through: resolved, attempt)
      }
    }
  }

  /// Sends a checked value, unless its bytes are there already.
  ///
  /// - Parameter accept: Accepts it.
  func set(_ draft: inout Draft, by accept: (Draft) throws(Refusal) -> Void) throws(Refusal) {
    guard !withValues({ isThere(draft) }) else { return }
    draft.isSet = true
    do throws(Refusal) {
      try accept(draft)
    } catch {
      // Another thread has set the same meanwhile.
      guard error.status == .ok else { throw error }
    }
  }

  /// Whether a type carries one of these payloads; false also if the handle is no context's.
  @_optimize(speed)
  package static func fits(
    _ handle: Handle, _ type: UInt32, _ payloads: Contract.Payloads
  ) -> Bool {
    guard let (slot, _) = Slot.find(handle), let stream = Stream(ofContext: slot) else {
      return false
    }
    return payloads.fit(stream.contract(of: type))
  }

  /// Refuses a type that is registered with another role, or that carries something else.
  private func demandValue(
    _ type: UInt32, as payloads: Contract.Payloads = .all
  ) throws(Refusal) {
    let contract = contract(of: type)
    guard contract.bits != 0 else { throw .noType(type) }
    guard contract.isValue else {
      throw refusal(type, "is not a value: register it with MAINSTEM_ROLE_VALUE")
    }
    guard payloads.fit(contract) else {
      throw refusal(
        type, "has another payload: call the function made for it, or mainstem_value_set")
    }
  }

  /// Refuses a value that a model shows in a scope of another name: no view would find it there. A session of 0.10.0 is
  /// replayed as it was.
  private func demandOwner(of draft: Draft) throws(Refusal) {
    guard withValues({ values.pointee.find(draft.type, draft.origin) }) == nil else { return }
    try locked { () throws(Refusal) in
      guard let entry = state.pointee.types[draft.type], let owner = entry.owner,
        state.pointee.scopes.describe(draft.origin)?.name != owner,
        !followsOldSession
      else { return }
      throw Refusal(
        .invalid, "context", "is not the scope of the model that shows it: set it there",
        .name(entry.name.bytes))
    }
  }

  private func refusal(_ type: UInt32, _ reason: Phrase) -> Refusal {
    locked {
      Refusal(
        .invalid, "type", reason, .name(state.pointee.types[type]?.name.bytes ?? Bytes("")))
    }
  }

  /// Whether what a set would send is there, or on its way. Under the lock, if it is needed.
  func isThere(_ draft: Draft) -> Bool {
    guard let value = values.pointee.find(draft.type, draft.origin) else { return false }
    // What a view writes is an input, wherever it does so.
    let isOutput = draft.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) == 0 && sendsOutput
    return value.pointee.hasInTime(draft.data, draft.size, isOutput: isOutput)
  }

  /// Whether what this thread sends now is an output: a replay repeats it.
  var sendsOutput: Bool {
    guard let frame = Frame.holding(self), frame.pointee.event != nil else { return false }
    return !frame.pointee.sendsInputs
  }

  /// Reads the value of a scope, as a retained event.
  package static func value(_ handle: Handle, _ type: UInt32) throws(Refusal) -> Handle {
    let resolved = try ResolvedHandle.own(handle, whileClosing: true)
    let stream = resolved.stream
    try stream.demandValue(type)
    try resolved.demand(.observe, of: type)
    return try resolved.reading { () throws(Refusal) in
      guard let value = stream.values.pointee.find(type, resolved.origin), value.pointee.isSet
      else { throw stream.unset(type) }
      var event = value.pointee.event
      guard let queued = QueuedEvent.make(copying: &event) else { throw .noMemory }
      queued.pointee.event.context = handle.pointer
      return try stream.retain(queued, through: resolved.origin)
    }
  }

  /// Under the lock.
  private func unset(_ type: UInt32) -> Refusal {
    Refusal(
      .unset, "type", "has no value in this scope yet: observe it, or set it first",
      .name(state.pointee.types[type]?.name.bytes ?? Bytes("")))
  }
}
