// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Ends that are events. MainstemEnded has the number of the scope. When it is delivered, what the scope had opened
/// ends, in a replay too; and so does the scope, if it was opened itself.
extension Stream {
  /// Lets the end of a scope be told. Under the lock.
  package func oweEnd(of scope: Scope.Pointer) throws(Refusal) {
    guard scope != state.pointee.scopes.root else { return }
    try reserveEnd(of: scope)
    scope.pointee.endNotice?.pointee.isOwed = true
  }

  /// Makes room for telling the end of a scope. Under the lock.
  func reserveEnd(of scope: Scope.Pointer) throws(Refusal) {
    guard scope.pointee.endNotice == nil else { return }
    guard let notice = EndNotice.make(scope) else { throw .noMemory }
    scope.pointee.endNotice = notice
  }

  /// Ends a scope that an open made, or any other: the first when its end is delivered, the other at once. One that is
  /// being filled ends at once if the callback that fills it ends it, which a replay repeats. Under the lock.
  ///
  /// - Parameters:
  ///   - isTold: Whether the ends are told here; otherwise a source tells them.
  ///   - ends: Gets those that are to be told.
  func end(
    _ scope: Scope.Pointer, isTold: Bool, _ ends: inout EndsToTell
  ) throws(Refusal) {
    guard let notice = scope.pointee.endNotice, notice.pointee.isBegun,
      notice.pointee.isOpened || !sendsOutput
    else {
      let origin = scope.pointee.origin
      ends.told.scope = scope.pointee.number
      endTree(scope, isTold: isTold, &ends)
      ends.told.isTree = ends.begins(with: origin)
      return
    }
    guard notice.pointee.room != nil else { throw Refusal(.stale, "scope", "is ending already") }
    guard isTold else { return }
    notice.pointee.isOwed = true
    guard let room = EndNotice.takeRoom(notice) else { return }
    ends.add(room, of: scope)
  }

  /// Tells ends, after the answers that they give. Under the lock; the caller holds the delivery lock or has marked the
  /// state word.
  ///
  /// - Parameter serial: See `countEnd`.
  func tell(_ ends: inout EndsToTell, _ serial: UInt32) {
    tellAbandoned(serial)
    while let room = ends.takeFirst() {
      let payload = QueuedEvent.payload(of: room)
      var draft = Draft(
        type: state.pointee.reports.ended, data: UnsafeRawPointer(payload),
        size: MemoryLayout<UInt64>.size, origin: room.pointee.event.origin)
      draft.reply = EndMark.reply
      if let event = Frame.scheduled(self)?.pointee.event {
        draft.cause = event.pointee.position
        draft.correlation = event.pointee.correlation
        draft.flags |= UInt32(MAINSTEM_EVENT_OUTSIDE)
      }
      enqueueShared(KeptEvent(draft, in: room))
      ends.told.add(room.pointee.event.position)
    }
  }

  /// Takes up an end that a source feeds, like one that is told here. It has its position. For the deliverer; no lock
  /// held.
  @inline(never)
  func takeUpEnd(_ event: UnsafeMutablePointer<mainstem_event>) {
    event.pointee.reply = EndMark.reply
    locked {
      // What is told now is told once: nobody else here can end it any more.
      let number = endedScope(event)
      guard let notice = state.pointee.scopes.origins[live: number]?.pointee.endNotice,
        notice.pointee.isBegun
      else { return }
      notice.pointee.isOwed = true
      QueuedEvent.free(EndNotice.takeRoom(notice))
    }
  }

  /// The number of the scope whose end an event tells. That is its origin: in a program of other shape, the scope that
  /// took the place of the recorded one has another number than the payload says. Under the lock.
  private func endedScope(_ event: UnsafeMutablePointer<mainstem_event>) -> UInt64 {
    state.pointee.scopes.origins.scope(of: event.pointee.origin).number
  }

  /// Ends an owner, what a scope had opened, and what it showed: the end has reached its observers. For the deliverer;
  /// no lock held.
  @inline(never)
  func endDelivered(_ event: UnsafeMutablePointer<mainstem_event>) {
    let origin = event.pointee.origin
    if isFed { noteEndFed(of: origin) }
    guard !isIn(.fedAll) else { return endStandIn(of: origin) }
    var ends = EndsToTell()
    if locked({ endsOpened(origin) }) {
      // Which of its requests are open, and which ends are told already, depends on what was accepted.
      let asking = readPoint(of: event.pointee.position, since: 2)
      var last: UInt64 = 0
      Frame.enter(self, event) { _ in
        settleAsRecorded()
        last = locked { endOpened(origin, &ends) }
        noteAnswersWaiting(after: last)
      }
      asking?.note(last)
    }
    locked { endShown(of: origin, &ends) }
    if ends.tellsHost { signal() }
  }

  /// Ends an owner, and what a scope had opened. Under the lock.
  ///
  /// - Returns: The last position before.
  private func endOpened(_ origin: UInt32, _ ends: inout EndsToTell) -> UInt64 {
    let last = position
    let number = state.pointee.scopes.origins.scope(of: origin).number
    let serial = state.pointee.scopes.countEnd()
    if let scope = state.pointee.scopes.origins[live: number],
      scope.pointee.endNotice?.pointee.isOpened == true
    {
      endTree(scope, &ends)
    }
    state.pointee.scopes.opened.each(askedBy: number) { notice in
      guard let room = EndNotice.takeRoom(notice) else { return }
      ends.add(room, of: notice.pointee.scope)
    }
    tell(&ends, serial)
    return last
  }

  /// Whether the end of a scope ends what was opened. Under the lock.
  private func endsOpened(_ origin: UInt32) -> Bool {
    let number = state.pointee.scopes.origins.scope(of: origin).number
    return number != 0
      && (state.pointee.scopes.opened.hasAny(askedBy: number)
        || state.pointee.scopes.origins[live: number]?.pointee.endNotice?.pointee.isOpened == true)
  }

  /// Notes that a source has told an end. Where it feeds every event, only the values of the scope end: the program may
  /// go on with it, unless it only stands in for another.
  private func noteEndFed(of origin: UInt32) {
    locked {
      state.pointee.scopes.origins.noteEndTold(of: origin)
      if isIn(.fedAll) { endValues(of: origin) }
    }
  }
}

extension ResolvedHandle {
  /// Ends the scope that the handle names: see `end`. Under the lock.
  func endScope(isTold: Bool, _ ends: inout EndsToTell) throws(Refusal) {
    guard isLive, !stream.isClosed, let scope else { throw Refusal(.stale, "scope", "has ended") }
    guard scope != stream.state.pointee.scopes.root else {
      throw Refusal(.wrongKind, "scope", "is a context: end it with mainstem_context_close")
    }
    try stream.end(scope, isTold: isTold, &ends)
  }
}

/// Scopes that opens make.
extension Stream {
  /// Opens a scope for another: below the factory's scope, whose rights and budget it has, and numbered below the scope
  /// that asked. In a callback of the delivery.
  ///
  /// - Parameters:
  ///   - service: The type that asks for the service it is an instance of; 0: it is of none.
  ///   - fill: Fills the scope. Returns a status.
  ///   - answer: Gets the number. If it returns false, nobody asks for the scope any longer.
  /// - Returns: What `fill` returned. If that is not OK, or `answer` false, the scope has ended.
  package func open(
    _ name: Bytes, below home: Handle, askedBy origin: UInt32, ofService service: UInt32,
    _ fill: (Handle) -> Int32, _ answer: (UInt64) -> Bool
  ) throws(Refusal) -> Int32 {
    let handle = try addOpened(name, below: home, askedBy: origin, ofService: service)
    let last = deliverer.pointee.shows.lastOwed
    let status = fill(handle)
    guard !isForked else { return status }
    guard status == Status.ok.rawValue else {
      discard(handle)
      return status
    }
    guard let number = conclude(handle, openedFor: origin) else {
      throw Refusal(.cancelled, "", "the factory has ended what it was to fill")
    }
    let added = deliverer.pointee.shows.lastOwed
    deliverer.pointee.shows.ofOpened = added == last ? nil : added
    if !answer(number) { discard(handle) }
    deliverer.pointee.shows.ofOpened = nil
    return status
  }

  private func addOpened(
    _ name: Bytes, below home: Handle, askedBy origin: UInt32, ofService service: UInt32
  ) throws(Refusal) -> Handle {
    try locked { () throws(Refusal) in
      guard let home = live(home) else { throw .ended }
      guard state.pointee.scopes.opened.reserve() else { throw .noMemory }
      if let asker = scope(of: origin) { try oweEnd(of: asker) }
      let opener = state.pointee.scopes.origins.scope(of: origin).number
      let scope = try addScope(name, below: home, numberedBelow: opener)
      scope.pointee.service = service
      do throws(Refusal) {
        try reserveEnd(of: scope)
        scope.pointee.endNotice?.pointee.isBegun = true
      } catch {
        removeScope(scope)
        throw error
      }
      return scope.pointee.handle
    }
  }

  /// From here on, what was opened ends with the scope that asked.
  ///
  /// - Returns: Its number; nil: it has ended.
  private func conclude(_ handle: Handle, openedFor origin: UInt32) -> UInt64? {
    locked {
      guard let scope = live(handle), let notice = scope.pointee.endNotice,
        state.pointee.scopes.opened.reserve()
      else { return nil }
      let opener = state.pointee.scopes.origins.scope(of: origin).number
      state.pointee.scopes.opened.add(notice, askedBy: opener)
      return scope.pointee.number
    }
  }

  /// Ends what nobody has been told of, unless it has a value.
  private func discard(_ handle: Handle) {
    let asking = readPoint()
    settleAsRecorded()
    var ends = EndsToTell()
    let last = locked {
      let last = position
      guard let scope = live(handle) else { return last }
      let serial = state.pointee.scopes.countEnd()
      scope.pointee.endNotice?.pointee.isOwed = false
      endTree(scope, &ends)
      tell(&ends, serial)
      return last
    }
    asking?.note(last)
    noteAnswersWaiting(after: last)
    if ends.tellsHost { signal() }
  }

  /// The scope that a handle names, if it lives. Under the lock.
  private func live(_ handle: Handle) -> Scope.Pointer? {
    guard let (slot, key) = Slot.find(handle),
      slot.pointee.state.load(ordering: .acquiring) == key
    else { return nil }
    return slot.pointee.object?.assumingMemoryBound(to: Scope.self)
  }
}
