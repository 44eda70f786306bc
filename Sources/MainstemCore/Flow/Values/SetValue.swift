// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

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
    guard !contract.isList || payloads.isAll else {
      throw refusal(type, "is a list: call mainstem_list_set")
    }
    guard payloads.fit(contract) else {
      throw refusal(
        type, "has another payload: call the function made for it, or mainstem_value_set")
    }
  }

  /// Refuses a value that a model shows in a scope of another name: no view would find it there. A session of 0.10.0 is
  /// replayed as it was.
  @inline(__always)
  func demandOwner(of draft: Draft) throws(Refusal) {
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

  func refusal(_ type: UInt32, _ reason: Phrase) -> Refusal {
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

/// Setting a value: the short ways. Anything unusual takes the full way instead: see `setValue`.
///
/// In a context of one thread, whose values need no lock, the value is found without a call, so that setting what is
/// there already costs next to nothing; a server may say after each event all that it shows.
extension Stream {
  /// A value that its owner found, and may set at once.
  package struct Found {
    fileprivate let stream: Stream
    fileprivate let value: UnsafeMutablePointer<Value>

    package var type: UInt32 { value.pointee.type }

    /// Whether it is this scalar, and nothing is on its way.
    @inline(__always)
    package func hasScalar(_ data: UnsafeRawPointer?, _ size: Int) -> Bool {
      value.pointee.output == nil && value.pointee.hasScalar(data, size)
    }
  }

  /// The value of a scope, if this thread owns the context, and is in none of its callbacks but those of a delivery whose
  /// event a replay has too; nil also if anything else is unusual.
  ///
  /// - Parameter searches: Whether to look on if it is not found at once.
  @inline(__always)
  package static func findOwned(
    _ handle: Handle, _ type: UInt32, searches: Bool = false
  ) -> Found? {
    guard hasShortWays, let (slot, key) = Slot.find(handle), let stream = Stream(ofContext: slot),
      stream.state.pointee.admissions.quickOwner.load(ordering: .relaxed) == Frame.thread,
      // Nobody else ends it, so it is looked at where registers are free.
      slot.pointee.state.load(ordering: .relaxed) == key,
      stream.isPlainHere(stream.stateWord(.relaxed))
    else { return nil }
    let origin = slot.pointee.origin.load(ordering: .relaxed)
    let value =
      searches
      ? stream.values.pointee.find(type, origin) : stream.values.pointee.findAtOnce(type, origin)
    guard let value else { return nil }
    return Found(stream: stream, value: value)
  }

  /// Whether nobody delivers, and this thread is in no callback; or it is in one of the delivery, whose event a replay
  /// has too.
  @inline(__always)
  private func isPlainHere(_ word: StateWord) -> Bool {
    guard let frame = Frame.innermost else { return word.isIdle }
    return frame.pointee.stream.state == state && !frame.pointee.sendsInputs
      && frame.pointee.event != nil && !word.isClosed
  }

  /// Sends a value that was found, if that is possible at once, unless its bytes are there or on their way; false:
  /// nothing has happened.
  @inline(__always)
  package static func setFound(
    _ found: Found, _ data: UnsafeRawPointer?, _ size: Int
  ) -> Bool {
    let (stream, value) = (found.stream, found.value)
    guard Frame.innermost == nil else {
      return value.pointee.hasInTime(data, size, isOutput: true)
    }
    if size != MemoryLayout<Int64>.size, value.pointee.has(data, size) { return true }
    guard let observers = stream.state.pointee.observers.find(value.pointee.type),
      let payload = stream.admitted(data, size, value, observers)
    else { return false }
    stream.takeNextOwned(after: stream.stateWord(.relaxed)) { position in
      stream.keepAndDeliver(value, observers, payload, size, at: position, locks: false)
    }
    return true
  }

  /// Like both, in any context.
  @_optimize(speed)
  package static func setAtOnce(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) -> Bool {
    if let found = findOwned(handle, type, searches: true) {
      return found.hasScalar(data, size) || setFound(found, data, size)
    }
    guard hasShortWays, let (slot, key) = Slot.find(handle), let stream = Stream(ofContext: slot),
      stream.state.pointee.admissions.quickOwner.load(ordering: .relaxed) == 0,
      let observers = stream.state.pointee.observers.find(type)
    else { return false }
    let origin = slot.pointee.origin.load(ordering: .acquiring)
    let word = stream.stateWord(.acquiring)
    guard slot.pointee.state.load(ordering: .acquiring) == key, stream.isPlainHere(word) else {
      return false
    }
    stream.state.pointee.lock.acquire()
    if let value = stream.values.pointee.find(type, origin) {
      let isInside = Frame.innermost != nil
      if value.pointee.hasInTime(data, size, isOutput: isInside) {
        stream.state.pointee.lock.release()
        return true
      }
      if !isInside, let payload = stream.admitted(data, size, value, observers),
        stream.takeNext(
          after: word,
          { stream.keepAndDeliver(value, observers, payload, size, at: $0, locks: true) })
      {
        return true
      }
    }
    stream.state.pointee.lock.release()
    return false
  }
}

extension Stream {
  /// The payload of a set, if the memory of the value does, and no queue is asked.
  @inline(__always)
  private func admitted(
    _ data: UnsafeRawPointer?, _ size: Int, _ value: Value.Pointer,
    _ observers: TypeObservers.Pointer
  ) -> UnsafeRawPointer? {
    guard value.pointee.hasRoom(for: size), !observers.pointee.isAsked else {
      return nil
    }
    return observers.pointee.admitsFreely(size) ? data : lookAt(data, size, observers)
  }

  @inline(never)
  private func lookAt(
    _ data: UnsafeRawPointer?, _ size: Int, _ observers: TypeObservers.Pointer
  ) -> UnsafeRawPointer? {
    state.pointee.admissions.allows(size) ? observers.pointee.contract.admitted(data, size) : nil
  }

  /// Keeps a value, and delivers its event. For the deliverer.
  ///
  /// - Parameter locks: Whether the lock is held, and released before the first observer is called.
  @inline(__always)
  private func keepAndDeliver(
    _ value: Value.Pointer, _ observers: TypeObservers.Pointer, _ payload: UnsafeRawPointer,
    _ size: Int, at position: UInt64, locks: Bool
  ) {
    var event = mainstem_event()
    withUnsafeMutablePointer(to: &event) { event in
      value.pointee.keepFitting(payload, size, at: position)
      mainstem_p_event_from_outside(
        event, position, value.pointee.type, value.pointee.payload, Draft.nothing, size,
        value.pointee.origin)
      values.pointee.putLast(value, observers)
      if locks { state.pointee.lock.release() }
      deliver(event, observers, from: 1)
    }
  }
}
