// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What signal handlers hand over: see `InterruptRing`.
extension Stream {
  /// Makes the ring of a new context, and lets signal handlers post.
  package static func openInterrupts(of handle: Handle) throws(Refusal) {
    let resolved = try ResolvedHandle.own(handle)
    let state = resolved.stream.state
    try resolved.locked { () throws(Refusal) in
      guard let ring = state.pointee.loop.interrupts ?? InterruptRing.make() else {
        throw .noMemory
      }
      state.pointee.loop.keep(ring)
      guard let descriptor = state.pointee.loop.wake.openEvent() else {
        throw Refusal(.limit, "options.flags", "out of file descriptors")
      }
      ring.pointee.open(descriptor)
      state.pointee.loop.wake.watch(ring)
    }
  }

  /// Posts from a signal handler: no lock, no allocation, no message.
  package static func postFromInterrupt(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .context)
    let stream = resolved.stream
    guard let ring = stream.state.pointee.loop.interrupts else { throw resolved.notOpen }
    let isOpen = try ring.pointee.enter { () throws(Refusal) in
      // Checked inside the ring: if the memory serves another context by now, this handle has ended.
      guard resolved.isLive, !stream.isClosed else { throw .ended }
      guard !stream.isFed else { throw .replays }
      guard !resolved.isLimited else {
        stream.state.pointee.scopes.countDenial()
        throw Refusal(.denied, "context", "has limited rights: checking them takes a lock")
      }
      guard size >= 0, size <= InterruptRing.largestPayload else {
        throw Refusal(.tooBig, "size", "is over 48 bytes")
      }
      let contract = stream.contract(of: type)
      guard contract.bits != 0 else { throw .noType(type) }
      guard stream.allows(size), contract.admits(data, size) else {
        // No message is written here, and a name would need the lock.
        throw Refusal(stream.allows(size) ? .invalid : .tooBig, "size", "breaks the contract")
      }
      let note = InterruptRing.Note(type: type, origin: resolved.origin, size: size)
      guard ring.pointee.put(note, data) else {
        stream.countRejection()
        throw Refusal(.full, "context", "already has 256 events from signal handlers waiting")
      }
      ring.pointee.ring()
    }
    guard isOpen else { throw resolved.notOpen }
  }

  /// Moves what signal handlers handed over to the inbox, behind earlier posts. Events for which there is no memory or
  /// no room stay in the ring. True: signal after unlocking. Under the lock.
  ///
  /// - Parameter post: The event that comes in behind them; its room is kept.
  func absorbInterrupts(before post: QueuedEvent.Pointer? = nil) -> Bool {
    guard let ring = state.pointee.loop.openInterrupts else { return false }
    let (events, bytes) = post.map { (1, Int($0.pointee.event.size)) } ?? (0, 0)
    var tells = false
    while let (note, payload) = ring.pointee.first {
      var draft = Draft(type: note.type, data: payload, size: note.size, origin: note.origin)
      draft.flags = contract(of: note.type).flags
      let load = (state.pointee.loop.inbox.count &+ events, state.pointee.loop.inbox.bytes &+ bytes)
      // An event without room waits where it is; it is not refused.
      guard hasRoom(forInterrupt: note.size, inInboxWith: load),
        let queued = QueuedEvent.make(copying: &draft)
      else { break }
      queued.pointee.event = draft.event(at: 0, cause: 0, chain: 0, time: 0, isOutside: true)
      ring.pointee.removeFirst()
      state.pointee.loop.inbox.append(queued)
      if state.pointee.loop.wake.arrive() { tells = true }
    }
    return tells
  }

  /// Marks the origins that posts name, with those of signal handlers. Under the lock.
  ///
  /// - Parameter tells: Becomes true if the caller must signal after unlocking.
  /// - Returns: How many posts there are; nil if a signal handler may be about to post through a scope that existed when
  ///   the handler checked.
  package func markOriginsOfPosts(_ tells: inout Bool) -> Int? {
    if absorbInterrupts() { tells = true }
    guard state.pointee.loop.interrupts?.pointee.isQuiet ?? true else { return nil }
    return state.pointee.loop.inbox.each { markOrigin(of: $0) }
  }
}

extension ResolvedHandle {
  /// Why signal handlers may not post: the context has ended or is closing, or was never prepared.
  fileprivate var notOpen: Refusal { isLive && !stream.isClosed ? .unprepared : .ended }
}
