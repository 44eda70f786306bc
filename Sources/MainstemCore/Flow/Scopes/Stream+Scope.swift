// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Scopes: who sends, and what ends together.
extension Stream {
  /// Makes a scope below another. Under the lock.
  ///
  /// - Parameter other: The number from which its own derives; nil: that of its parent.
  package func addScope(
    _ name: Bytes, below parent: Scope.Pointer, _ options: Scope.Options = Scope.Options(),
    numberedBelow other: UInt64? = nil
  ) throws(Refusal) -> Scope.Pointer {
    guard let scope = Memory.allocate(Scope.self) else { throw .noMemory }
    do throws(Refusal) {
      try initialize(scope, name, parent, options, other ?? parent.pointee.number)
    } catch {
      Memory.free(scope)
      throw error
    }
    state.pointee.scopes.add(scope, below: parent)
    return scope
  }

  /// Like `addScope`, for a server.
  package func addServer(
    _ name: Bytes, below parent: Scope.Pointer
  ) throws(Refusal) -> Scope.Pointer {
    let scope = try addScope(name, below: parent)
    state.pointee.scopes.servers.add(scope)
    return scope
  }

  /// Makes the context's own scope. Nobody knows the stream yet.
  package func addRoot() throws(Refusal) -> Scope.Pointer {
    guard let root = Memory.allocate(Scope.self) else { throw .noMemory }
    guard let (slot, handle) = state.pointee.slots.make(.root, stream: address, object: root) else {
      Memory.free(root)
      throw Refusal(.limit, "", "out of handles")
    }
    root.initialize(to: Scope(slot: slot, handle: handle, origin: 0, parent: nil))
    state.pointee.scopes.open(root)
    return root
  }

  @_optimize(speed)
  private func initialize(
    _ scope: Scope.Pointer, _ name: Bytes, _ parent: Scope.Pointer, _ options: Scope.Options,
    _ above: UInt64
  ) throws(Refusal) {
    let rights = state.pointee.scopes.origins.rights(of: parent.pointee.origin).narrowed(
      by: options.rights)
    guard let (number, identity) = drawNumbers(name, below: above) else { throw .noMemory }
    let described = Origins.Scope(number: number.number, parent: above)
    guard let origin = state.pointee.scopes.origins.add(name, rights, described) else {
      takeBack(number, identity)
      throw .noMemory
    }
    do throws(Refusal) {
      let budget = try joinBudget(options.observers, for: origin, below: parent)
      guard
        let (slot, handle) = state.pointee.slots.make(
          rights == .all ? .context : .limitedContext, stream: address, object: scope,
          origin: origin)
      else {
        Budget.leave(budget)
        throw Refusal.lacking(.handles)
      }
      if rights != .all { state.pointee.scopes.noteLimited() }
      scope.initialize(
        to: Scope(
          slot: slot, handle: handle, origin: origin, parent: parent,
          number: number, identity: identity, budget: budget))
    } catch {
      takeBack(number, identity)
      state.pointee.scopes.origins.takeBack(origin)
      throw error
    }
  }

  /// A scope's number; and outside of callbacks, where the number depends on chance, its identity. Nil without memory.
  @inline(__always)
  private func drawNumbers(
    _ name: Bytes, below parent: UInt64
  ) -> (number: ScopeNumbers.Drawn, identity: ScopeNumbers.Drawn)? {
    let position = positionOfCallback
    guard
      let number = state.pointee.scopes.numbers.draw(
        name, below: parent, at: position)
    else { return nil }
    guard position == 0 else { return (number, ScopeNumbers.Drawn(number: number.number, key: 0)) }
    guard let identity = state.pointee.scopes.numbers.drawIdentity(name) else {
      state.pointee.scopes.numbers.takeBack(number.key)
      return nil
    }
    return (number, identity)
  }

  /// The budget that a scope counts in: one of its own, or its parent's.
  @inline(__always)
  private func joinBudget(
    _ observers: UInt64, for origin: UInt32, below parent: Scope.Pointer
  ) throws(Refusal) -> Budget.Pointer? {
    var budget = parent.pointee.budget
    if observers != .max {
      budget = Budget.make(observers, for: origin, below: budget)
      guard budget != nil else { throw .noMemory }
    }
    Budget.join(budget)
    return budget
  }

  /// The position that a scope made now is counted by; 0 outside callbacks.
  private var positionOfCallback: UInt64 {
    guard let frame = Frame.of(self), let event = frame.pointee.event else { return 0 }
    let position = event.pointee.position
    return frame.pointee.sendsInputs ? position | ScopeNumbers.unrepeated : position
  }

  private func takeBack(_ number: ScopeNumbers.Drawn, _ identity: ScopeNumbers.Drawn) {
    state.pointee.scopes.numbers.takeBack(number.key)
    state.pointee.scopes.numbers.takeBack(identity.key)
  }

  /// Takes back a scope that nobody has seen yet. Under the lock.
  package func removeScope(_ scope: Scope.Pointer) {
    state.pointee.slots.end(scope.pointee.slot)
    state.pointee.scopes.numbers.takeBack(scope.pointee.drawn.key)
    state.pointee.scopes.numbers.takeBack(scope.pointee.identityKey)
    state.pointee.scopes.origins.takeBack(scope.pointee.origin)
    state.pointee.scopes.remove(scope)
    Scope.free(scope)
  }

  /// Ends a scope: its subscriptions are cancelled, the last registered first.
  package static func endScope(_ handle: Handle) throws(Refusal) {
    let resolved = try ResolvedHandle.changing(handle, .context, "scope")
    let stream = resolved.stream
    // While the stream is fed, what the end of a scope reports comes from the source, unless a callback ends the scope.
    let isTold = (try? stream.goesAhead()) == true
    // The callback's event does not say which of the scope's requests are still open.
    let asking = stream.readPoint()
    stream.settleAsRecorded()
    stream.state.pointee.lock.acquire()
    let last = stream.position
    defer {
      asking?.note(last)
      stream.noteAnswersWaiting(after: last)
    }
    let serial = stream.state.pointee.scopes.countEnd()
    var ends = EndsToTell()
    do throws(Refusal) {
      try resolved.endScope(isTold: isTold, &ends)
    } catch {
      stream.state.pointee.lock.release()
      throw error
    }
    // The end of an owner takes effect when it is delivered.
    let isOfHost =
      stream.connectedRecorder != nil && stream.eventOfCallback == nil && !resolved.isLive
    let duty = stream.claimDelivery()
    if duty.isDeliverer {
      let delivered = isOfHost ? stream.delivered : 0
      stream.state.pointee.lock.release()
      stream.attendObservers(between: true)
      if isTold { stream.locked { stream.tell(&ends, serial) } }
      if isOfHost { stream.note(ends.told, after: delivered) }
      stream.fulfill(duty)
    } else {
      if isTold { stream.tell(&ends, serial) }
      if isOfHost { stream.leaveNote(of: ends.told) }
      stream.state.pointee.lock.release()
    }
    if ends.tellsHost { stream.signal() }
  }

  /// Cancels the subscriptions of a tree of scopes in one order, the last registered first, then ends the scopes.
  /// Constant stack, whatever the depth of the tree. Under the lock.
  ///
  /// - Parameter ends: Gets the ends that are to be told, parents before children.
  func endTree(_ root: Scope.Pointer, isTold: Bool = true, _ ends: inout EndsToTell) {
    Scope.eachDownwards(root) { scope in
      scope.pointee.hasEnded = true
      if isTold {
        oweEndIfShowing(scope)
        if let room = EndNotice.takeRoom(scope.pointee.endNotice) {
          ends.add(room, of: scope)
        }
      }
      tellEnding(scope)
    }
    cancelObservers(below: root)
    Scope.eachUpwards(root) { scope in
      endTimers(of: scope)
      if scope.pointee.endNotice?.pointee.isTold != true {
        endShown(of: scope.pointee.origin, &ends)
      }
      state.pointee.slots.end(scope.pointee.slot)
      state.pointee.scopes.numbers.end(scope.pointee.drawn.key)
      state.pointee.scopes.numbers.end(scope.pointee.identityKey)
      state.pointee.scopes.remove(scope)
      freeIfLeft(scope)
    }
  }

  /// Ends the handles of all scopes, their timers and what was retained. Under the lock; the context closes.
  package func endScopes() {
    state.pointee.scopes.each { scope in
      endTimers(of: scope)
      state.pointee.slots.end(scope.pointee.slot)
    }
    endAllRetained()
  }
}
