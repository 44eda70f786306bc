// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// How moves end.
extension Navigator {
  /// A move cannot be done: what it has begun is taken down.
  @inline(never)
  func fail(_ move: Move.Pointer, _ error: ErrorValue) {
    guard move.pointee.step != .done else { return }
    guard let root = move.pointee.root else {
      return conclude(move, .error(error))
    }
    close(
      root, Removal(cause: move.pointee.position, finished: root, answer: .error(error)))
  }

  /// Answers a move, and those that share its answer.
  @inline(never)
  func conclude(_ move: Move.Pointer, _ answer: Requests.Answer) {
    guard move.pointee.step != .done else { return }
    respond(to: move, answer)
    while let other = follower(of: move) {
      respond(to: other, answer)
      forget(other)
    }
    let asker = move.pointee.asker
    forget(move)
    settleStart(askedBy: asker, answer)
  }

  /// Answers; with the reason, if there is no memory for the answer: for that there is always room.
  @inline(never)
  private func respond(to move: Move.Pointer, _ answer: Requests.Answer) {
    guard let event = try? Stream.retained(move.pointee.request) else { return }
    do throws(Refusal) {
      try Requests.respond(event, answer)
    } catch {
      guard error.status != .stale else { return Stream.noteClosing() }
      Requests.answer(event, .error(ErrorValue(of: error)))
    }
  }

  /// Forgets a move that is answered, or for which nobody waits. What it has asked for is not needed any more.
  @inline(never)
  func forget(_ move: Move.Pointer) {
    move.pointee.step = .done
    if current == move { current = nil }
    if let asked = move.pointee.asked { try? Requests.cancelRequest(asked) }
    move.pointee.pending = nil
    if move.pointee.request != .none { try? Stream.endRetained(move.pointee.request) }
    move.pointee.request = .none
    stream.locked { moving.pointee.moves.remove(move) }
    if move.pointee.isShared { moving.pointee.shared.remove(move) }
    if move.pointee.verb.opens { tree[move.pointee.asker]?.pointee.asking &-= 1 }
    Move.unfollow(move)
    Move.drop(move)
  }

  /// Nobody waits for a move's answer any more.
  fileprivate func giveUp(_ move: Move.Pointer) {
    guard move.pointee.step != .done else { return }
    if let root = move.pointee.root {
      root.pointee.opener = nil
      close(root, Removal(cause: move.pointee.position))
    } else if move.pointee.step == .opened {
      handDown(move)
    }
    // Its hook still holds its memory.
    forget(move)
    // The first that shares its answer goes on by itself, and the others with it.
    while let other = follower(of: move) {
      Move.unfollow(other)
      begin(other)
    }
  }

  /// What a move has opened is now another one's that shares its answer, if there is one.
  private func handDown(_ move: Move.Pointer) {
    let heir = follower(of: move)
    if let component = tree[move.pointee.opened], component.pointee.opener == move {
      component.pointee.opener = heir
    }
    guard let heir else { return }
    Move.unfollow(heir)
    heir.pointee.step = .opened
    heir.pointee.opened = move.pointee.opened
    while let other = follower(of: move) { Move.follow(other, heir) }
  }

  /// A move that shares the answer of another one: of one that closes something, or is for a guard.
  func follower(of move: Move.Pointer) -> Move.Pointer? {
    move.pointee.followers.first
  }

  /// The first move whose answer others may share, that is not answered, and for which something holds.
  @inline(never)
  func firstShared(_ holds: (Move.Pointer) -> Bool) -> Move.Pointer? {
    var next = moving.pointee.shared.first
    while let move = next, !holds(move) { next = List<Move, Move.Shared>.next(after: move) }
    return next
  }
}

/// The hook of a move's request: somebody else has settled it.
func giveUpMove(_ userData: UnsafeMutableRawPointer?) {
  guard let move = Move.of(userData) else { return }
  let navigator = move.pointee.navigator
  guard navigator.goesOn else { return }
  navigator.hold()
  navigator.giveUp(move)
  navigator.advance()
  navigator.drop()
}

/// The end of a use of a move's memory: by a hook, or by a request that it has asked.
func dropMove(_ userData: UnsafeMutableRawPointer?) {
  guard let move = Move.of(userData) else { return }
  Move.drop(move)
}

/// The answer to what a move has asked for.
private func answerMove(
  _ userData: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let move = Move.of(userData), let event else { return }
  let navigator = move.pointee.navigator
  guard navigator.goesOn else { return }
  switch move.pointee.step {
  case .leaving, .entering, .after:
    move.pointee.pending = nil
    navigator.guardAnswered(event, for: move)
  case .making:
    move.pointee.pending = nil
    navigator.made(event, for: move)
  case .showing:
    move.pointee.pending = nil
    navigator.shown(event, for: move)
  default: break
  }
  navigator.advance()
}

/// What the navigator asks and tells.
extension Navigator {
  /// Asks for a move; `answerMove` gets the answer.
  @inline(never)
  func ask(
    _ type: UInt32, through scope: Handle, _ data: UnsafeRawPointer?, _ size: Int,
    for move: Move.Pointer, timeout: Int64 = 0
  ) throws(Refusal) {
    var completion = Request.Completion(answerMove, UnsafeMutableRawPointer(move))
    completion.release = dropMove
    completion.timeout = timeout
    Move.hold(move)
    do throws(Refusal) {
      try Requests.request(scope, type, data, size, completion, &move.pointee.pending)
    } catch {
      Move.drop(move)
      throw error
    }
  }

  /// Copies a text; the caller frees it.
  func copy(_ text: Bytes) throws(Refusal) -> Name {
    try stream.trying { _ throws(Refusal) -> Name in
      guard let copy = Name(copying: text) else { throw .noMemory }
      return copy
    }
  }

  /// Writes a payload, and does something with it.
  @inline(never)
  func write(
    _ put: (inout JSONWriter) -> Void, then use: (UnsafeRawPointer, Int) throws(Refusal) -> Void
  ) throws(Refusal) {
    var measure = JSONWriter(nil)
    put(&measure)
    let room = try stream.trying { _ throws(Refusal) -> UnsafeMutablePointer<UInt8> in
      guard let room = Memory.allocate(UInt8.self, count: measure.length) else { throw .noMemory }
      return room
    }
    defer { Memory.free(room) }
    var writer = JSONWriter(UnsafeMutableRawPointer(room))
    put(&writer)
    try use(UnsafeRawPointer(room), writer.length)
  }

  /// Tells that a component is shown.
  func tellOpened(_ component: Component.Pointer, at cause: UInt64) throws(Refusal) {
    try tell(List(), component, at: cause)
  }

  /// Tells which components have closed, if any of them was shown.
  func tellClosed(_ closed: List<Component, Component.InTree>, at cause: UInt64) {
    let owing = moving.pointee.owing
    guard !closed.all({ !$0.pointee.owesNotice }) || !owing.all({ !$0.pointee.owesNotice })
    else { return }
    guard (try? tell(closed, nil, at: cause)) != nil else { return }
    closed.each { $0.pointee.owesNotice = false }
    owing.each { $0.pointee.owesNotice = false }
  }

  @inline(never)
  private func tell(
    _ closed: List<Component, Component.InTree>, _ opened: Component.Pointer?, at cause: UInt64
  ) throws(Refusal) {
    try write { writer in
      writer.open()
      writer.member("move", unsigned: cause)
      writer.member("top", unsigned: tree.top?.pointee.number ?? 0)
      writer.openList("closed")
      closed.eachBackwards { if $0.pointee.owesNotice { writer.element($0.pointee.number) } }
      if opened == nil {
        moving.pointee.owing.eachBackwards {
          if $0.pointee.owesNotice { writer.element($0.pointee.number) }
        }
      }
      writer.closeList()
      if let opened { Component.write(opened, to: &writer) }
      writer.close()
    } then: { data, size throws(Refusal) in
      try Stream.send(home, types.tree, data, size)
    }
  }
}

extension Component {
  /// Writes what a stage is to know of a component.
  @inline(never)
  static func write(_ component: Pointer, to writer: inout JSONWriter) {
    let destination = component.pointee.destination.pointee
    writer.member("component", unsigned: component.pointee.number)
    writer.member("parent", unsigned: component.pointee.parent?.pointee.number ?? 0)
    writer.member("owner", unsigned: component.pointee.owner)
    writer.member("kind", Bytes(destination.kind.name))
    writer.member("name", destination.name?.bytes ?? Bytes(""))
    writer.member("url", component.pointee.url.bytes)
    writer.member("route", destination.pattern.bytes)
    writer.member("slot", component.pointee.slot?.bytes ?? Bytes(""))
  }
}

/// Who asks.
extension Navigator {
  /// The component in which a scope is: the nearest one that it is below, or in whose name it was opened.
  @inline(never)
  func component(ofOrigin origin: UInt32) -> Component.Pointer? {
    stream.locked { component(under: origin) }
  }

  /// The same, under the lock.
  func component(under origin: UInt32) -> Component.Pointer? {
    let origins = stream.state.pointee.scopes.origins
    var scope = origins.scope(of: origin)
    while scope.number != 0 {
      if let component = tree[scope.number] { return component }
      guard let above = origins[live: scope.parent] else { return nil }
      scope = origins.scope(of: above.pointee.origin)
    }
    return nil
  }
}
