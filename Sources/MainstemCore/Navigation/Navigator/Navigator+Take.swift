// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// What a navigator is told. Everything it does, it does in these calls, in the completions of what it has asked and in
/// the hooks of its moves.
package func tellNavigator(
  _ userData: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
) {
  guard let navigator = Navigator(userData), let event,
    event.pointee.flags & UInt32(MAINSTEM_EVENT_LATE) == 0, navigator.goesOn
  else { return }
  let types = navigator.types
  switch event.pointee.type {
  case types.move: navigator.take(event)
  case types.ready: navigator.becomeReady()
  case types.gone: navigator.close(gone: event)
  case types.finish: navigator.finish(event)
  case types.ended: navigator.close(endedBy: event)
  default: break
  }
  navigator.advance()
}

/// Moves that come in.
extension Navigator {
  /// A move is requested.
  fileprivate func take(_ event: UnsafePointer<mainstem_event>) {
    do throws(Refusal) {
      guard event.pointee.flags & UInt32(MAINSTEM_EVENT_TRACKED) != 0 else {
        throw Refusal(.invalid, "", "is to be requested: nobody would get the result")
      }
      begin(try track(event))
    } catch {
      Requests.answer(event, .error(ErrorValue(of: error)))
    }
  }

  /// Makes the move that a request is.
  private func track(_ event: UnsafePointer<mainstem_event>) throws(Refusal) -> Move.Pointer {
    let asker = component(ofOrigin: event.pointee.origin)?.pointee.number ?? 0
    var made: Move.Pointer?
    try stream.trying { _ throws(Refusal) in
      var given = try MoveGiven(event)
      guard let move = Memory.allocate(Move.self) else {
        given.free()
        throw .noMemory
      }
      move.initialize(
        to: Move(
          self, given.verb, at: event.pointee.position, asker: asker, target: given.component,
          how: given.how, slot: given.slot, url: given.url, isForAll: given.isForAll,
          hops: given.hops))
      hold()
      do throws(Refusal) {
        move.pointee.request = try Stream.retain(event)
      } catch {
        Move.drop(move)
        throw error
      }
      made = move
    }
    guard let made else { throw .noMemory }
    // An attempt of its own: a replay that refuses the first does not come here.
    Move.hold(made)
    do throws(Refusal) {
      try Requests.onSettled(event, giveUpMove, UnsafeMutableRawPointer(made), dropMove)
    } catch {
      try? Stream.endRetained(made.pointee.request)
      Move.drop(made)
      Move.drop(made)
      throw error
    }
    stream.locked { moving.pointee.moves.append(made) }
    if made.pointee.isShared { moving.pointee.shared.append(made) }
    if made.pointee.verb.opens { tree[made.pointee.asker]?.pointee.asking &+= 1 }
    return made
  }

  /// Begins a move: sees where it leads, and asks the guards.
  @inline(never)
  func begin(_ move: Move.Pointer) {
    do throws(Refusal) {
      if move.pointee.verb == .link, !moving.pointee.isReady {
        move.pointee.step = .waitsForReady
        return
      }
      if move.pointee.verb.opens {
        if move.pointee.verb == .link { try stripScheme(of: move) }
        if move.pointee.isForAll { return try tellFlows(move) }
        try match(move)
        if move.pointee.verb == .replace { try aim(move) }
      } else {
        try aim(move)
      }
      if let leader = leader(of: move) { return Move.follow(move, leader) }
      try noteLeaves(of: move)
      move.pointee.guardian = guards
      askNext(for: move)
    } catch {
      fail(move, ErrorValue(of: error))
    }
  }

  /// The app can be seen: links that wait begin, in their order.
  fileprivate func becomeReady() {
    guard !moving.pointee.isReady else { return }
    moving.pointee.isReady = true
    var next = moving.pointee.moves.first
    while let move = next {
      next = List<Move, Move.OfNavigator>.next(after: move)
      if move.pointee.step == .waitsForReady {
        move.pointee.step = .begun
        begin(move)
      }
    }
  }

  /// Tells all flows of a link: what they make of it is theirs.
  private func tellFlows(_ move: Move.Pointer) throws(Refusal) {
    guard let url = move.pointee.url else { throw .null("url") }
    try Stream.send(home, types.link, url.bytes.start, url.count)
    conclude(move, .payload(nil, 0))
  }

  /// Finds what a move's URL leads to.
  @inline(never)
  func match(_ move: Move.Pointer) throws(Refusal) {
    guard let url = move.pointee.url else { throw .null("url") }
    guard let destination = try destination(of: url) else {
      throw Refusal(.noRoute, "url", "takes no route")
    }
    if let how = move.pointee.how, how != destination.pointee.kind {
      throw Refusal(
        .invalid, "how", "is not how this route is opened: its kind is",
        .name(Bytes(destination.pointee.kind.name)))
    }
    guard move.pointee.verb != .replace || destination.pointee.kind.isOfStack else {
      throw Refusal(
        .invalid, "url", "replaces no screen: the kind of its route is",
        .name(Bytes(destination.pointee.kind.name)))
    }
    move.pointee.destination = destination
  }

  /// What a URL leads to.
  func destination(of url: Name) throws(Refusal) -> Destination.Pointer? {
    try stream.trying { _ throws(Refusal) in
      let (route, _) = try RouteMatch.find(url.text, in: state.pointee.router, isWanted: false)
      return state.pointee.destinations[route]
    }
  }

  /// A link loses the app's own scheme.
  @inline(never)
  private func stripScheme(of move: Move.Pointer) throws(Refusal) {
    guard let scheme = state.pointee.scheme, let url = move.pointee.url,
      url.count >= scheme.count &+ 3
    else { return }
    guard url.bytes.part(0, scheme.count).order(scheme.bytes, folding: true) == 0,
      url.bytes.part(scheme.count, scheme.count &+ 3) == Bytes("://")
    else { return }
    move.pointee.url = try copy(url.bytes.part(scheme.count &+ 3, url.count))
    url.free()
  }
}

/// What is closed.
extension Navigator {
  /// Finds what a move is to close, as it is asked for.
  @inline(never)
  private func aim(_ move: Move.Pointer) throws(Refusal) {
    let asker = tree[move.pointee.asker]
    switch move.pointee.verb {
    case .replace where move.pointee.target == 0 || tree[move.pointee.target] != nil:
      var top = topOfStack(of: tree[move.pointee.base])
      while let part = top, part.pointee.isOfGroup { top = part.pointee.parent }
      guard let top, top.pointee.kind == .screen || top.pointee.kind == .group else {
        throw Refusal(.invalid, "verb", "finds no screen to replace: open the URL")
      }
      move.pointee.target = top.pointee.number
    case .pop:
      let top = topOfStack(of: asker)
      guard let top, top.pointee.kind.isOfStack, Component.hasView(below: top) else {
        throw Refusal(.invalid, "verb", "finds no screen below the topmost one: nothing to pop")
      }
      move.pointee.target = top.pointee.number
    case .dismiss:
      var found = asker
      while let each = found, !each.pointee.kind.isDismissed { found = each.pointee.parent }
      guard let target = found ?? tree.dismissed.last(where: { $0.pointee.isShown }) else {
        throw Refusal(.invalid, "verb", "finds no dialog: nothing to dismiss")
      }
      move.pointee.target = target.pointee.number
    default:
      guard let target = tree[move.pointee.target] else {
        throw Refusal(
          .stale, "component", "is not there", .number(move.pointee.target))
      }
      move.pointee.target = target.pointee.number
    }
  }

  /// The topmost of the stack that a component is in; without one, of the newest root.
  func topOfStack(of component: Component.Pointer?) -> Component.Pointer? {
    component.map { tree.top(of: Component.frame(of: $0)) } ?? tree.topOfRoot
  }

  /// A move that closes the same, or opens the same for another guard, and is not done yet.
  @inline(never)
  private func leader(of move: Move.Pointer) -> Move.Pointer? {
    guard move.pointee.isShared else { return nil }
    return firstShared { other in
      other != move && other.pointee.leader == nil && other.pointee.verb == move.pointee.verb
        && other.pointee.step != .begun && Navigator.areSame(move, other)
        && !waits(other, for: move)
    }
  }

  /// Whether a move waits for another one: for what its guard wants first, or for one whose answer it shares.
  private func waits(_ move: Move.Pointer, for other: Move.Pointer) -> Bool {
    var next: Move.Pointer? = move
    while let each = next, each != other {
      next = each.pointee.leader
      if next == nil, each.pointee.step == .after, let asked = each.pointee.asked {
        next = firstShared {
          (try? Stream.retained($0.pointee.request))?.pointee.reply == asked.bits
        }
      }
    }
    return next != nil
  }

  private static func areSame(_ move: Move.Pointer, _ other: Move.Pointer) -> Bool {
    guard move.pointee.verb.opens else { return move.pointee.target == other.pointee.target }
    return move.pointee.isForGuard && other.pointee.isForGuard
      && move.pointee.url?.bytes == other.pointee.url?.bytes
  }

  /// Notes which components a move is to close, for their guards.
  @inline(never)
  private func noteLeaves(of move: Move.Pointer) throws(Refusal) {
    guard RouteGuard.hasLeaving(guards) else { return }
    var marked = ClosingComponents()
    eachClosed(by: move) { marked.mark($0) }
    defer { marked.unmark() }
    guard !marked.isEmpty else { return }
    marked.sort()
    move.pointee.leaves = try stream.trying { _ throws(Refusal) -> Leaves in
      guard let leaves = Leaves(marked) else { throw .noMemory }
      return leaves
    }
  }

  /// Visits the components that a move closes, with what stands on them.
  @inline(never)
  func eachClosed(by move: Move.Pointer, _ visit: (Component.Pointer) -> Void) {
    let target = tree[move.pointee.target]
    switch move.pointee.verb {
    case .open: break
    case .link: tree.dismissed.each(visit)
    case .replaceRoot: tree.roots.each(visit)
    case .popTo:
      target?.pointee.children.each { if $0.pointee.kind != .embed { visit($0) } }
    default: if let target { visit(target) }
    }
  }
}

extension ErrorValue {
  /// A refusal as an answer. The message is in the memory of subjects.
  init(of refusal: Refusal) {
    var message = SubjectWriter()
    if case .kept(let name) = refusal.subject {
      message.add(name.bytes)
    } else {
      message.add(refusal.argument)
    }
    message.add(" ")
    message.add(refusal.reason)
    self.init(
      code: refusal.status.rawValue, message: message.bytes, text: Bytes(""), subject: Bytes(""))
  }
}
