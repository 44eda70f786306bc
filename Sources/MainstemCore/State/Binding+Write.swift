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
      try owner.typeToWrite(name)
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

extension ResolvedHandle {
  /// The type of this owner's value if a view may write it; nobody but the library says what a command does. Under the
  /// lock.
  fileprivate func typeToWrite(_ name: Bytes) throws(Refusal) -> UInt32 {
    let type = try typeOfValue(name, "name")
    let role = stream.contract(of: type).role
    guard role != .request else {
      throw Refusal(.invalid, "name", "is a command: run it instead", .name(name))
    }
    guard role != .response, !stream.state.pointee.types.tellsOfCommand(type, name) else {
      throw Refusal(.invalid, "name", "tells what a command does: no view writes it", .name(name))
    }
    // A session of 0.10.0 is replayed as it was.
    guard stream.state.pointee.types[type]?.isOnlyShown != true || stream.followsOldSession else {
      throw Refusal(
        .invalid, "name", "is only shown: run a command, or make its row writable", .name(name))
    }
    return type
  }
}

extension EventTypes {
  /// Whether a type is `Owner.command.something`.
  fileprivate func tellsOfCommand(_ type: UInt32, _ name: Bytes) -> Bool {
    guard name.index(of: 0x2E) < name.count, let whole = self[type]?.name.bytes
    else { return false }
    var dot = whole.count
    repeat { dot &-= 1 } while whole[dot] != 0x2E
    return role(of: whole.part(0, dot)) == .request
  }
}

/// Rows that the host's scheduler calls. One that is two-way gets the newest only, and nothing that its view has written
/// or that is older: the view shows that, or something newer, already.
extension BindingRow {
  var isTwoWay: Bool { flags & UInt32(MAINSTEM_BINDING_TWO_WAY) != 0 }
  var isOnHost: Bool { flags != 0 }

  /// The observer of such a row. It counts as a user of the binding, because it may be called after the end.
  static func onHost(
    _ row: UnsafeMutablePointer<BindingRow>, _ type: UInt32
  ) -> Subscription.Options {
    var options = Subscription.Options(
      { BindingRow.callOnHost($0, $1) }, row, { BindingRow.end($0) }, .one(type))
    options.call.isScheduled = true
    options.call.failsForGaps = !row.pointee.isTwoWay
    options.scheduler = Schedulers.host
    options.bounds = SubscriptionQueue.Bounds(
      events: 65_536, bytes: 64 << 20, policy: row.pointee.isTwoWay ? .latest : .reject)
    return options
  }

  /// The observer's release hook.
  private static func end(_ address: UnsafeMutableRawPointer?) {
    guard let row = address?.assumingMemoryBound(to: BindingRow.self) else { return }
    Binding.unuse(row.pointee.binding)
  }

  /// The observer's function.
  private static func callOnHost(
    _ address: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
  ) {
    guard let row = address?.assumingMemoryBound(to: BindingRow.self), let event else { return }
    let stream = row.pointee.binding.pointee.stream
    guard row.pointee.isTwoWay else { return call(row, event) }
    // What was lost is older than what comes.
    guard event.pointee.flags & UInt32(MAINSTEM_EVENT_GAP) == 0 else { return }
    var isOuter = false
    let isNew = stream.locked { () -> Bool in
      guard event.pointee.position > row.pointee.written else { return false }
      isOuter = row.pointee.thread == 0
      if isOuter { ShowingRows(stream: stream).begin(row, showing: event.pointee.origin) }
      return true
    }
    guard isNew else { return }
    call(row, event)
    if !isOuter || stream.isForked { return }
    stream.locked { ShowingRows(stream: stream).end(row) }
  }
}

/// What a toolkit echoes: while the function of a two-way row runs, what its thread sets of the value it shows.
private struct ShowingRows {
  let stream: Stream

  private var first: UnsafeMutablePointer<BindingRow>? {
    stream.state.pointee.showing?.assumingMemoryBound(to: BindingRow.self)
  }

  /// Under the lock, like the others.
  func begin(_ row: UnsafeMutablePointer<BindingRow>, showing origin: UInt32) {
    row.pointee.thread = Frame.thread
    row.pointee.shown = origin
    row.pointee.next = first
    stream.state.pointee.showing = UnsafeMutableRawPointer(row)
  }

  func end(_ row: UnsafeMutablePointer<BindingRow>) {
    row.pointee.thread = 0
    guard let first, first != row else {
      stream.state.pointee.showing = row.pointee.next.map { UnsafeMutableRawPointer($0) }
      return
    }
    var before = first
    while let next = before.pointee.next, next != row { before = next }
    before.pointee.next = row.pointee.next
  }

  /// Whether setting a value is an echo, whichever binding sets it. What a row's own binding sets is one, too, where the
  /// function has pointed it elsewhere.
  func isEcho(_ name: Bytes, of origin: UInt32, by binding: Binding.Pointer) -> Bool {
    var next = first
    while let row = next {
      if row.pointee.thread == Frame.thread, row.pointee.name.bytes == name,
        row.pointee.shown == origin || row.pointee.binding == binding
      {
        return true
      }
      next = row.pointee.next
    }
    return false
  }
}

extension Binding {
  /// How many of its rows the host's scheduler calls.
  var rowsOnHost: Int {
    var (index, found) = (0, 0)
    while index < count {
      if rows[index].isOnHost { found &+= 1 }
      index &+= 1
    }
    return found
  }

  /// What a two-way row knows of a name. Under the lock.
  enum Knowledge {
    /// There is no such row.
    case nothing
    case something
    /// The function of one that shows this value runs on this thread: what that writes is what it shows.
    case echo
  }

  static func knowledge(_ binding: Pointer, of name: Bytes, of origin: UInt32) -> Knowledge {
    let showing = ShowingRows(stream: binding.pointee.stream)
    if showing.isEcho(name, of: origin, by: binding) { return .echo }
    var found = Knowledge.nothing
    binding.pointee.eachTwoWay(name) { _ in found = .something }
    return found
  }

  /// Notes the position of what its view has written. Under the lock.
  func noteWritten(_ name: Bytes, at position: UInt64) {
    eachTwoWay(name) { $0.pointee.written = position }
  }

  /// It points at another owner, to which its view has written nothing. Under the lock.
  func forgetWrites() {
    var index = 0
    while index < count {
      rows[index].written = 0
      index &+= 1
    }
  }

  private func eachTwoWay(_ name: Bytes, _ visit: (UnsafeMutablePointer<BindingRow>) -> Void) {
    var index = 0
    while index < count {
      if rows[index].isTwoWay, rows[index].name.bytes == name { visit(rows + index) }
      index &+= 1
    }
  }
}

extension BindingRowGiven {
  var hasUnknownFlag: Bool {
    flags & ~UInt32(MAINSTEM_BINDING_TWO_WAY | MAINSTEM_BINDING_ON_HOST) != 0
  }
}
