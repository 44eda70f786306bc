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
      noteEnding(of: draft.origin)
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
      let number = state.pointee.scopes.endedScope(event)
      guard let notice = state.pointee.scopes.origins[live: number]?.pointee.endNotice,
        notice.pointee.isBegun
      else { return }
      notice.pointee.isOwed = true
      QueuedEvent.free(EndNotice.takeRoom(notice))
      noteEnding(of: event.pointee.origin)
    }
  }

  /// Ends an owner, what a scope had opened, and what it showed: the end has reached its observers. For the deliverer;
  /// no lock held.
  @inline(never)
  func endDelivered(_ event: UnsafeMutablePointer<mainstem_event>) {
    let origin = event.pointee.origin
    if isFed { noteEndFed(of: origin) }
    guard !isIn(.fedAll) else { return endStandIn(of: origin) }
    var ends = EndsToTell()
    if locked({ state.pointee.scopes.endsOpened(origin) }) {
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

  /// Notes that a source has told an end. Where it feeds every event, only the values of the scope end: the program may
  /// go on with it, unless it only stands in for another.
  private func noteEndFed(of origin: UInt32) {
    locked {
      state.pointee.scopes.origins.noteEndTold(of: origin)
      if isIn(.fedAll) { endValues(of: origin) }
    }
  }
}

extension Scopes {
  /// The number of the scope whose end an event tells. That is its origin: in a program of other shape, the scope that
  /// took the place of the recorded one has another number than the payload says. Under the lock.
  fileprivate func endedScope(_ event: UnsafeMutablePointer<mainstem_event>) -> UInt64 {
    origins.scope(of: event.pointee.origin).number
  }

  /// Whether the end of a scope ends what was opened. Under the lock.
  fileprivate func endsOpened(_ origin: UInt32) -> Bool {
    let number = origins.scope(of: origin).number
    return number != 0
      && (opened.hasAny(askedBy: number)
        || origins[live: number]?.pointee.endNotice?.pointee.isOpened == true)
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
      if let asker = state.pointee.scopes.scope(of: origin) { try oweEnd(of: asker) }
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
  func live(_ handle: Handle) -> Scope.Pointer? {
    guard let (slot, key) = Slot.find(handle),
      slot.pointee.state.load(ordering: .acquiring) == key
    else { return nil }
    return slot.pointee.object?.assumingMemoryBound(to: Scope.self)
  }
}

/// That the end of a scope is told on the stream: of one that an open made, of one that asked for an open, of one that has
/// a value. It has the room for the event, so that telling cannot fail. Under the stream's lock.
struct EndNotice {
  let scope: Scope.Pointer
  /// The room; nil once the end is told.
  var room: QueuedEvent.Pointer?
  /// Whether somebody knows of the scope who is to be told. Before that there is only the room.
  var isOwed = false
  /// Whether the end is told: what the scope shows stays until the event is delivered.
  var isTold = false
  /// Whether an open has begun the scope. Until it is opened, only the callback that fills it can end it at once.
  var isBegun = false
  /// Whether an open made the scope: then it ends when its end is delivered.
  var isOpened = false
  /// The number of the scope that asked for it.
  var opener: UInt64 = 0
  /// Others that the same scope asked for, in the order they were opened.
  fileprivate var previous: Pointer?
  fileprivate var next: Pointer?

  typealias Pointer = UnsafeMutablePointer<EndNotice>

  fileprivate init(_ scope: Scope.Pointer, _ room: QueuedEvent.Pointer) {
    self.scope = scope
    self.room = room
  }

  /// Makes one; nil without memory.
  static func make(_ scope: Scope.Pointer) -> Pointer? {
    guard let notice = Memory.allocate(EndNotice.self) else { return nil }
    guard let room = QueuedEvent.make(capacity: MemoryLayout<UInt64>.size) else {
      Memory.free(notice)
      return nil
    }
    notice.initialize(to: EndNotice(scope, room))
    return notice
  }

  static func free(_ notice: Pointer?) {
    guard let notice else { return }
    QueuedEvent.free(notice.pointee.room)
    Memory.free(notice)
  }

  /// Gives its room away, or nothing: the end is told already, or not owed.
  static func takeRoom(_ notice: Pointer?) -> QueuedEvent.Pointer? {
    guard let notice, notice.pointee.isOwed else { return nil }
    let room = notice.pointee.room
    notice.pointee.room = nil
    notice.pointee.isTold = true
    return room
  }
}

/// The scopes that opens made, by the number of the scope that asked. Under the stream's lock.
struct OpenedScopes {
  private struct Entry: HashTableEntry {
    var key: UInt64 = 0
    var first: EndNotice.Pointer?
    var last: EndNotice.Pointer?

    var isFree: Bool { first == nil }
    static func hash(_ number: UInt64) -> UInt64 { Hash.salted(number) }
  }

  private var table = HashTable<Entry>()

  /// Makes room for one more, so that `add` cannot fail; false without memory.
  mutating func reserve() -> Bool { table.reserve() }

  mutating func add(_ notice: EndNotice.Pointer, askedBy opener: UInt64) {
    notice.pointee.isOpened = true
    notice.pointee.isOwed = true
    notice.pointee.opener = opener
    guard let entry = table.find(opener) else {
      return table.insert(Entry(key: opener, first: notice, last: notice))
    }
    notice.pointee.previous = entry.pointee.last
    entry.pointee.last?.pointee.next = notice
    entry.pointee.last = notice
  }

  mutating func remove(_ notice: EndNotice.Pointer) {
    guard notice.pointee.isOpened, let entry = table.find(notice.pointee.opener) else { return }
    let (previous, next) = (notice.pointee.previous, notice.pointee.next)
    if previous == nil, next == nil { return table.remove(notice.pointee.opener) }
    if let previous { previous.pointee.next = next } else { entry.pointee.first = next }
    if let next { next.pointee.previous = previous } else { entry.pointee.last = previous }
  }

  func hasAny(askedBy opener: UInt64) -> Bool { table.find(opener) != nil }

  /// Visits what a scope asked for, in the order it was opened.
  func each(askedBy opener: UInt64, _ visit: (EndNotice.Pointer) -> Void) {
    var next = table.find(opener)?.pointee.first
    while let notice = next {
      next = notice.pointee.next
      visit(notice)
    }
  }

  mutating func free() { table.free() }
}

/// Ends that are to be told, in order.
struct EndsToTell {
  private var first: QueuedEvent.Pointer?
  private var last: QueuedEvent.Pointer?
  /// Whether the host must be told, too: something watched a scope that ended.
  var tellsHost = false
  /// Those that were told.
  var told = ToldEnds()

  mutating func add(_ room: QueuedEvent.Pointer, of scope: Scope.Pointer) {
    QueuedEvent.payload(of: room).storeBytes(of: scope.pointee.number, as: UInt64.self)
    room.pointee.event.origin = scope.pointee.origin
    room.pointee.next = nil
    if let last { last.pointee.next = room } else { first = room }
    last = room
  }

  /// Whether the first is that of an origin's scope.
  func begins(with origin: UInt32) -> Bool { first?.pointee.event.origin == origin }

  mutating func takeFirst() -> QueuedEvent.Pointer? {
    guard let room = first else { return nil }
    first = room.pointee.next
    if first == nil { last = nil }
    room.pointee.next = nil
    return room
  }
}

/// What a scope shows ends with it: its values, and the wait of those that watch it. If the end is told, that is when the
/// event is delivered, in a replay too. Under the lock.
extension Stream {
  /// Ends what the scope of an origin shows.
  func endShown(of origin: UInt32, _ ends: inout EndsToTell) {
    endValues(of: origin)
    if tellWatchers(of: origin) { ends.tellsHost = true }
  }

  /// Lets the end of a scope be told if it has a value, or will have when what was accepted is delivered. In a callback
  /// the end is a read point, so a replay knows of what waits.
  func oweEndIfShowing(_ scope: Scope.Pointer) {
    guard let notice = scope.pointee.endNotice, !notice.pointee.isOwed else { return }
    state.pointee.scopes.origins.eachValue(of: scope.pointee.origin) { value in
      if value.pointee.isThere { notice.pointee.isOwed = true }
    }
  }

  /// A value of an origin, which ends with the scope that has it; nil without memory, or if it is not kept.
  func makeValue(_ type: UInt32, _ origin: UInt32) -> Value.Pointer? {
    let scope = state.pointee.scopes.origins.find(origin)?.pointee.live
    if let scope {
      do throws(Refusal) { try reserveEnd(of: scope) } catch { return nil }
    }
    guard let value = values.pointee.make(type, origin) else { return nil }
    if scope?.pointee.endNotice?.pointee.isTold == true { value.pointee.noteEnding() }
    state.pointee.scopes.origins.add(value, to: origin)
    return value
  }
}

extension Value {
  /// Whether it is set, or something is on its way that sets it.
  fileprivate var isThere: Bool { isSet || output != nil || input != nil }
}

/// Tasks of a drain that watch a scope: the host hears that it has ended. Under the lock.
extension Stream {
  /// A scope has said its last: those that watch it wait for the next drain.
  ///
  /// - Returns: Whether `signal` must be called after unlocking.
  func tellWatchers(of origin: UInt32) -> Bool {
    guard let entry = state.pointee.scopes.origins.find(origin) else { return false }
    var tells = false
    while let task = entry.pointee.watchers.first {
      entry.pointee.watchers.remove(task)
      task.pointee.watched = 0
      task.pointee.hasEnded = true
      if task.pointee.wantsEnd, state.pointee.loop.leave(task) { tells = true }
    }
    return tells
  }
}

extension Scopes {
  /// Lets a task watch the scope of an origin, and no other; 0: none.
  package func watch(_ origin: UInt32, by task: DrainTask.Pointer) {
    if let before = origins.find(task.pointee.watched) {
      before.pointee.watchers.remove(task)
    }
    task.pointee.hasEnded = false
    // The context itself does not end before its drains.
    let entry = origins.find(origin)
    entry?.pointee.watchers.append(task)
    task.pointee.watched = entry == nil ? 0 : origin
  }
}
