// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// A handle that was looked up: where a call enters a stream.
package struct ResolvedHandle {
  package let slot: Slot.Pointer
  package let key: UInt64
  package let stream: Stream

  /// Looks up a handle.
  ///
  /// - Parameter argument: The argument's name, for the message.
  @inline(__always)
  package init(
    _ handle: Handle, _ kind: Kind, _ argument: Phrase = "context"
  ) throws(Refusal) {
    guard let (slot, key) = Slot.find(handle),
      slot.pointee.state.load(ordering: .acquiring) == key,
      kind.fits(key),
      let stream = Stream(address: slot.pointee.stream)
    else { throw ResolvedHandle.refusal(handle, kind, argument) }
    self.slot = slot
    self.key = key
    self.stream = stream
  }

  /// Like `init`, for a call that only the stream's own thread may make.
  ///
  /// - Parameter whileClosing: Whether the call works in the last callbacks of a closing context.
  @_optimize(speed)
  package static func own(
    _ handle: Handle, _ kind: Kind = .context, _ argument: Phrase = "context",
    whileClosing: Bool = false
  ) throws(Refusal) -> ResolvedHandle {
    let resolved = try ResolvedHandle(handle, kind, argument)
    if !whileClosing { try resolved.stream.demandOpen() }
    // In a guarded stream anybody may give a request up.
    guard resolved.stream.isMine || kind == .request && resolved.stream.isGuarded else {
      guard resolved.isLive else { throw refusal(handle, kind, argument) }
      throw .wrongThread(argument)
    }
    return resolved
  }

  /// Like `own`, for a call that changes the stream: a show function may not make it.
  package static func changing(
    _ handle: Handle, _ kind: Kind = .context, _ argument: Phrase = "context"
  ) throws(Refusal) -> ResolvedHandle {
    let resolved = try own(handle, kind, argument)
    try resolved.stream.demandNoShow()
    return resolved
  }

  /// Like `own`, for a send.
  package static func sending(_ handle: Handle) throws(Refusal) -> ResolvedHandle {
    do throws(Refusal) {
      return try own(handle)
    } catch {
      throw error.status == .wrongThread ? .wrongThreadToSend : error
    }
  }

  /// Like `own`, for a request.
  @_optimize(speed)
  package static func asking(_ handle: Handle) throws(Refusal) -> ResolvedHandle {
    do throws(Refusal) {
      return try own(handle)
    } catch {
      throw error.status == .wrongThread ? .wrongThreadToAsk : error
    }
  }

  /// Like `own`, for a call that waits.
  package static func blocking(
    _ handle: Handle, _ kind: Kind = .context, _ argument: Phrase = "context"
  ) throws(Refusal) -> ResolvedHandle {
    let resolved = try ResolvedHandle(handle, kind, argument)
    guard Frame.of(resolved.stream) == nil, !resolved.stream.isInWake else { throw .busy }
    return try own(handle, kind, argument)
  }

  /// The handle that was looked up.
  package var handle: Handle { Slot.handle(of: slot, key) }

  /// Whether the handle still names what it was looked up for.
  package var isLive: Bool { slot.pointee.state.load(ordering: .acquiring) == key }

  /// Whether it is the handle of a limited scope.
  @inline(__always)
  package var isLimited: Bool { key & UInt64(Kind.limited) != 0 }

  /// The origin of the scope that the handle names.
  package var origin: UInt32 { slot.pointee.origin.load(ordering: .acquiring) }

  /// Runs `body` under the stream's lock, with the handle still live and the stream not closed.
  package func locked<Result: ~Copyable>(_ body: () throws(Refusal) -> Result) throws(Refusal)
    -> Result
  {
    stream.state.pointee.lock.acquire()
    defer { stream.state.pointee.lock.release() }
    guard isLive, !stream.isClosed else { throw .ended }
    return try body()
  }

  /// Like `locked`, for a call that only reads: it also works in the callbacks of a closing context.
  package func reading<Result>(_ body: () throws(Refusal) -> Result) throws(Refusal) -> Result {
    stream.state.pointee.lock.acquire()
    defer { stream.state.pointee.lock.release() }
    guard isLive else { throw .ended }
    return try body()
  }

  /// The scope that a context's handle names. Under the lock.
  package var scope: Scope.Pointer? {
    slot.pointee.object?.assumingMemoryBound(to: Scope.self)
  }

  /// Why a handle was not accepted.
  @inline(never)
  package static func refusal(
    _ handle: Handle, _ kind: Kind, _ argument: Phrase = "context"
  ) -> Refusal {
    guard handle.bits != 0 else { return .null(argument) }
    guard !Slot.isOfParent(handle) else {
      return Refusal(
        .forked, argument,
        "was made before fork, in the parent process: create a context in the child")
    }
    let unknown = Refusal(
      .stale, argument, "has ended, or is not a handle: set it to NULL when it ends")
    guard let (slot, key) = Slot.find(handle) else { return unknown }
    guard !kind.fits(key) else {
      guard isOfClosed(slot, key) else { return unknown }
      return .closed(argument)
    }
    // Nobody was given the handle of an observer of the library itself.
    guard slot.pointee.state.load(ordering: .acquiring) == key, key & 0xFF != 0,
      !Kind.inner.fits(key)
    else { return unknown }
    guard key & 0xFF != UInt64(Kind.answered.rawValue) else {
      return .answered(argument)
    }
    var subject = SubjectWriter()
    subject.add(Kind.name(of: key))
    subject.add(" was passed: pass ")
    subject.add(Kind.name(of: UInt64(kind.rawValue)))
    return Refusal(.wrongKind, argument, "instead", .name(subject.bytes))
  }

  /// Whether a handle that is not live is known to be of a context that is closed: it is the
  /// context's own, or was the last in its slot.
  @inline(never)
  private static func isOfClosed(_ slot: Slot.Pointer, _ key: UInt64) -> Bool {
    // Before the slot's state: another handle would have another stream.
    let isClosed = Stream(address: slot.pointee.stream).map(hasEndedHandles) == true
    let state = slot.pointee.state.load(ordering: .acquiring)
    if key & 0xFF == UInt64(Kind.root.rawValue) { return key >> 8 < state >> 8 }
    return isClosed && (key >> 8 &+ 1) << 8 == state
  }

  /// Whether a stream is closed, as far as this thread can tell: in the last callbacks of a closing one the handles live.
  private static func hasEndedHandles(_ stream: Stream) -> Bool {
    stream.isClosed && Frame.of(stream)?.pointee.event == nil
  }
}

// MARK: - The stream of an event

extension Stream {
  /// The stream of an event that a callback got or that was retained.
  package static func of(_ event: UnsafePointer<mainstem_event>) throws(Refusal) -> Stream {
    if let frame = Frame.of(event) {
      guard !frame.pointee.stream.isForked else { throw .forked }
      return frame.pointee.stream
    }
    let context = UInt64(UInt(bitPattern: event.pointee.context))
    // A request and its answer know their stream even after the scope has ended.
    let reply = Handle(bits: event.pointee.reply)
    if reply != .none, let (slot, key) = Slot.find(reply),
      slot.pointee.state.load(ordering: .acquiring) >> 8 == key >> 8,
      let stream = Stream(address: slot.pointee.stream)
    {
      return stream
    }
    let home = Handle(bits: event.pointee.home)
    if home != .none { return try ResolvedHandle(home, .retained, "event").stream }
    return try ResolvedHandle(Handle(bits: context), .context, "event").stream
  }
}

/// Handles of what belongs to no stream. Their slots come from the process and return there.
package enum LooseHandle {
  package static func make(_ kind: Kind, _ object: UnsafeMutableRawPointer) throws(Refusal)
    -> Handle
  {
    var slots = FreeSlots()
    guard let (_, handle) = slots.make(kind, stream: 0, object: object) else {
      throw .lacking(.handles)
    }
    return handle
  }

  /// Finds what a handle names. Under the lock of all handles.
  package static func find(
    _ handle: Handle, _ kind: Kind, _ argument: Phrase
  ) throws(Refusal) -> Slot.Pointer {
    guard let (slot, key) = Slot.find(handle), kind.fits(key),
      slot.pointee.state.load(ordering: .acquiring) == key, slot.pointee.object != nil
    else { throw ResolvedHandle.refusal(handle, kind, argument) }
    return slot
  }

  /// Ends a handle that `find` finds under the lock, so that no thread is between finding it and using it.
  package static func end(
    _ find: () throws(Refusal) -> Slot.Pointer
  ) throws(Refusal) -> UnsafeMutableRawPointer? {
    var slots = FreeSlots()
    defer { slots.empty() }
    mainstem_p_handles_lock()
    defer { mainstem_p_handles_unlock() }
    let slot = try find()
    let object = slot.pointee.object
    slots.end(slot)
    return object
  }
}
