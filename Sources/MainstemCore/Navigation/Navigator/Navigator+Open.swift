// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Opening: what stands where, the factory, the stage.
extension Navigator {
  /// Lets moves do what they are for, one after the other, while the stage owes no answer.
  func advance() {
    payOwed()
    while current == nil, moving.pointee.hides == 0, let move = moving.pointee.queue.takeFirst() {
      if move.pointee.step != .done {
        current = move
        perform(move)
      }
      Move.drop(move)
    }
  }

  private func perform(_ move: Move.Pointer) {
    guard move.pointee.verb.opens else { return close(by: move) }
    if move.pointee.verb == .link,
      close(Removal(cause: move.pointee.position), { eachClosed(by: move, $0) })
    {
      // Its turn comes again when the stage has hidden them.
      current = nil
      Move.hold(move)
      return moving.pointee.queue.prepend(move)
    }
    do throws(Refusal) {
      guard let destination = move.pointee.destination, let url = move.pointee.url else {
        throw .null("url")
      }
      let parent = try parent(for: destination.pointee.kind, of: move)
      let slot = destination.pointee.kind == .embed ? move.pointee.slot : nil
      let component = try add(destination, url.bytes, slot?.bytes, on: parent)
      component.pointee.opener = move
      if destination.pointee.kind == .overlay, move.pointee.verb == .open {
        component.pointee.asker = move.pointee.base
      }
      guard destination.pointee.kind == .group else { return try make(component, for: move) }
      move.pointee.group = component
      move.pointee.rest = destination.pointee.parts?.bytes ?? Bytes("")
      try makePart(for: move)
    } catch {
      fail(move, ErrorValue(of: error))
    }
  }

  /// What a component of a kind stands on; nil: on nothing.
  private func parent(
    for kind: ComponentKind, of move: Move.Pointer
  ) throws(Refusal) -> Component.Pointer? {
    guard kind != .overlay, kind == .embed || move.pointee.verb != .replaceRoot else { return nil }
    let base = try base(of: move)
    // Beside what it replaces, so that what is below stays covered.
    if move.pointee.verb == .replace { return base?.pointee.parent }
    if kind.isOfStack { return topOfStack(of: base) }
    let asker = base.map { $0.pointee.kind.hasView ? $0 : tree.top(of: $0) }
    if kind == .embed, asker?.pointee.kind.hasView != true {
      throw Refusal(.invalid, "how", "is embedded, and nothing with a slot asks for it")
    }
    return asker
  }

  /// The component for which a move opens something; nil: none.
  private func base(of move: Move.Pointer) throws(Refusal) -> Component.Pointer? {
    guard move.pointee.base != 0, move.pointee.verb == .open || move.pointee.verb == .replace
    else { return nil }
    guard let base = tree[move.pointee.base] else {
      throw Refusal(.cancelled, "component", "has closed that this was to be opened on")
    }
    return base
  }

  /// Makes a component: its scope, and its place.
  @inline(never)
  private func add(
    _ destination: Destination.Pointer, _ url: Bytes, _ slot: Bytes?, on parent: Component.Pointer?
  ) throws(Refusal) -> Component.Pointer {
    let slot = destination.pointee.kind == .embed ? slot ?? destination.pointee.parts?.bytes : nil
    let made = try stream.trying { _ throws(Refusal) -> Component.Pointer in
      let copy = Name(copying: url)
      let keptSlot = slot.flatMap { Name(copying: $0) }
      guard let copy, slot == nil || keptSlot != nil,
        let component = Memory.allocate(Component.self)
      else {
        copy?.free()
        keptSlot?.free()
        throw .noMemory
      }
      do throws(Refusal) {
        try stream.locked { () throws(Refusal) in
          let scope = try addScope()
          component.initialize(
            to: Component(
              number: scope.pointee.number, scope: scope.pointee.handle, destination: destination,
              url: copy, slot: keptSlot, parent: parent))
          guard components.pointee.add(component) else {
            stream.removeScope(scope)
            throw .noMemory
          }
        }
      } catch {
        copy.free()
        keptSlot?.free()
        Memory.free(component)
        throw error
      }
      return component
    }
    stream.countInCallback()
    return made
  }

  /// Makes the scope of a component, whose end is told: whoever finds it may end it. Under the lock.
  private func addScope() throws(Refusal) -> Scope.Pointer {
    guard let resolved = try? ResolvedHandle(home, .context), let scope = resolved.scope else {
      throw .ended
    }
    let made = try stream.addScope(Bytes("Component"), below: scope)
    do throws(Refusal) {
      try stream.oweEnd(of: made)
    } catch {
      stream.removeScope(made)
      throw error
    }
    return made
  }
}

/// Asking the factory and the stage.
extension Navigator {
  /// Has a component's owner made, if it has one.
  @inline(never)
  private func make(_ component: Component.Pointer, for move: Move.Pointer) throws(Refusal) {
    move.pointee.component = component
    let destination = component.pointee.destination
    guard destination.pointee.open != 0 else { return try show(component, for: move) }
    let url = component.pointee.url.bytes
    move.pointee.step = .making
    try ask(
      destination.pointee.open, through: component.pointee.scope, url.start,
      destination.pointee.tellsURL ? url.count : 0, for: move)
  }

  /// The next part of a group.
  @inline(never)
  private func makePart(for move: Move.Pointer) throws(Refusal) {
    var rest = move.pointee.rest
    while rest.count > 0, rest[0] == 0x20 { rest = rest.part(1, rest.count) }
    let end = rest.index(of: 0x20)
    move.pointee.rest = rest.part(end, rest.count)
    guard let group = move.pointee.group else { return }
    guard rest.count > 0 else { return try becomeShown(group, by: move) }
    let url = try copy(rest.part(0, end))
    defer { url.free() }
    guard let destination = try destination(of: url),
      destination.pointee.kind.hasView || destination.pointee.kind == .flow
    else { throw Refusal(.invalid, "parts", "of a group must not be groups") }
    let part = try add(destination, url.bytes, nil, on: group)
    part.pointee.isOfGroup = true
    try make(part, for: move)
  }

  /// A factory has answered.
  func made(_ event: UnsafePointer<mainstem_event>, for move: Move.Pointer) {
    guard event.pointee.status == Status.ok.rawValue, let component = move.pointee.component else {
      return fail(move, ErrorValue(of: event))
    }
    let owner = event.pointee.data.loadUnaligned(as: UInt64.self)
    do throws(Refusal) {
      try stream.trying { _ throws(Refusal) in
        guard stream.locked({ components.pointee.setOwner(owner, of: component) }) else {
          throw .noMemory
        }
      }
      try show(component, for: move)
    } catch {
      fail(move, ErrorValue(of: error))
    }
  }

  /// Has the stage show a component, if it has a view.
  @inline(never)
  private func show(_ component: Component.Pointer, for move: Move.Pointer) throws(Refusal) {
    if component.pointee.kind == .flow, move.pointee.group == nil, isStarting(component) {
      move.pointee.step = .starting
      current = nil
      return
    }
    guard component.pointee.kind.hasView else { return try becomeShown(component, by: move) }
    move.pointee.step = .showing
    try write { writer in
      writer.open()
      writer.member("move", unsigned: move.pointee.position)
      Component.write(component, to: &writer)
      writer.close()
    } then: { data, size throws(Refusal) in
      try ask(
        types.show, through: home, data, size, for: move, timeout: state.pointee.showTimeout)
    }
    stream.locked {
      component.pointee.asked = move.pointee.asked
      // The stage need not keep the event: `answerShow` can answer it.
      if let asked = move.pointee.asked { stream.requests.keepOpen(asked) }
    }
  }

  /// The stage has answered.
  func shown(_ event: UnsafePointer<mainstem_event>, for move: Move.Pointer) {
    guard let component = move.pointee.component else { return }
    guard event.pointee.status == Status.ok.rawValue else {
      if event.pointee.status == Status.unhandled.rawValue {
        stream.locked { component.pointee.asked = nil }
      }
      return fail(move, ErrorValue(of: event))
    }
    do throws(Refusal) {
      try becomeShown(component, by: move)
    } catch {
      fail(move, ErrorValue(of: error))
    }
  }

  @inline(never)
  func becomeShown(
    _ component: Component.Pointer, by move: Move.Pointer
  ) throws(Refusal) {
    let root = move.pointee.root ?? component
    try start(root.pointee.parent)
    try start(tree[move.pointee.asker])
    // A flow that has become the root has closed all that does not stand on it: this, too, maybe.
    guard move.pointee.step != .done else { return }
    try note(root, at: move.pointee.position)
    try note(component, at: move.pointee.position)
    guard component == root else { return try makePart(for: move) }
    move.pointee.component = nil
    move.pointee.group = nil
    guard move.pointee.verb != .replaceRoot else { return replaceAll(by: component, move) }
    move.pointee.step = .opened
    move.pointee.opened = component.pointee.number
    if current == move { current = nil }
    if component.pointee.kind == .embed {
      close(Removal(cause: move.pointee.position)) { visit in
        component.pointee.parent?.pointee.children.each {
          if Navigator.isReplaced($0, by: component) { visit($0) }
        }
      }
    }
    guard let event = try? Stream.retained(move.pointee.request) else { return }
    var number = component.pointee.number
    withUnsafeBytes(of: &number) { bytes in
      try? Requests.respondProgress(event, types.opened, bytes.baseAddress, bytes.count)
    }
    guard move.pointee.verb == .replace, let replaced = tree[move.pointee.target] else { return }
    close(replaced, Removal(cause: move.pointee.position))
  }

  /// Notes that a component is shown, and tells it once.
  private func note(_ component: Component.Pointer, at cause: UInt64) throws(Refusal) {
    guard !component.pointee.isShown else { return }
    stream.locked { components.pointee.setShown(true, component) }
    do throws(Refusal) {
      try tellOpened(component, at: cause)
    } catch {
      stream.locked { components.pointee.setShown(false, component) }
      throw error
    }
  }

  /// Closes all but the new root; whatever becomes of that later is nobody's answer.
  private func replaceAll(by component: Component.Pointer, _ move: Move.Pointer) {
    component.pointee.opener = nil
    let closing = Removal(cause: move.pointee.position, done: move)
    if !close(closing, { visit in tree.roots.each { if $0 != component { visit($0) } } }) {
      conclude(move, .payload(nil, 0))
    }
  }

  /// Whether a component is in the slot of another one.
  private static func isReplaced(
    _ old: Component.Pointer, by component: Component.Pointer
  ) -> Bool {
    old != component && old.pointee.kind == .embed && old.pointee.isShown
      && old.pointee.parent == component.pointee.parent
      && old.pointee.slot?.bytes == component.pointee.slot?.bytes
  }
}

/// Flows, which are ready when the first component that they open is shown.
extension Navigator {
  /// Whether a flow has asked for something that is not answered yet.
  func isStarting(_ flow: Component.Pointer) -> Bool { flow.pointee.asking > 0 }

  /// Something is shown on a flow that waits for that, or that a flow has asked for.
  func start(_ flow: Component.Pointer?) throws(Refusal) {
    guard let flow, let move = flow.pointee.opener, move.pointee.step == .starting,
      move.pointee.component == flow
    else { return }
    do throws(Refusal) {
      try becomeShown(flow, by: move)
    } catch {
      // It closes with all that stands on it.
      fail(move, ErrorValue(of: error))
      throw error
    }
  }

  /// What a flow has asked for is over. If nothing else can make it ready, it fails where that has failed; after a
  /// result, it is ready.
  func settleStart(askedBy number: UInt64, _ answer: Requests.Answer) {
    guard let flow = tree[number], flow.pointee.kind == .flow, let move = flow.pointee.opener,
      move.pointee.component == flow, !flow.pointee.isClosing, !isStarting(flow)
    else { return }
    guard case .error(let error) = answer else {
      try? start(flow)
      return
    }
    guard move.pointee.step == .starting || move.pointee.step == .making,
      flow.pointee.openChildren == 0
    else { return }
    fail(move, error)
  }
}
