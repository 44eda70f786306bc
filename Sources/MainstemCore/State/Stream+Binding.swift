// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Binding a view to an owner, and pointing it at another one.
extension Stream {
  /// Adds a binding with all its rows, or nothing.
  ///
  /// - Parameters:
  ///   - owner: The scope that it points at; none: nowhere.
  ///   - given: Receives the handle before a row is called.
  package static func bind(
    _ view: Handle, to owner: Handle, count: Int, _ row: (Int) -> BindingRowGiven,
    _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
    _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let view = try ResolvedHandle.changing(view, .context, "view")
    // What has not been shown yet comes first.
    view.stream.endLeftovers()
    let binding = try Binding.make(view.stream, view.handle, count, row, userData)
    do throws(Refusal) {
      let owner = try view.owner(owner, of: binding)
      try view.join(binding, to: owner, try view.stream.attempt(looks: true)) { handle in
        binding.pointee.handle = handle
        binding.pointee.release = release
        given?.pointee = handle.pointer
      }
    } catch {
      given?.pointee = nil
      Binding.free(binding)
      throw error
    }
  }

  /// Points a binding at another owner, or nowhere: its observers of the old one end, then its rows get the values of the
  /// new one. If there is no memory or no room for those, it points nowhere.
  package static func point(_ handle: Handle, at owner: Handle) throws(Refusal) {
    let resolved = try ResolvedHandle.changing(handle, .binding, "binding")
    var isDone = false
    // Another thread may point it somewhere meanwhile.
    while !isDone {
      let attempt = try resolved.stream.attempt(looks: true)
      let binding = try resolved.binding()
      var view: ResolvedHandle
      var target: ResolvedHandle?
      do throws(Refusal) {
        view = try ResolvedHandle.own(binding.pointee.view, .context, "binding")
        target = try view.owner(owner, of: binding)
      } catch {
        Binding.unuse(binding)
        throw error
      }
      Binding.cancelRows(binding)
      Binding.dropRuns(of: binding)
      isDone = try view.join(binding, resolved, to: target, attempt)
    }
  }

  /// Ends a binding. Its release hook follows when its last call is over.
  package static func endBinding(_ handle: Handle) throws(Refusal) {
    let resolved = try ResolvedHandle.own(handle, .binding, "binding")
    let binding = try resolved.binding()
    Binding.cancelRows(binding)
    Binding.dropRuns(of: binding)
    // Given back before the end: the hook belongs to whoever ends it.
    Binding.unuse(binding)
    try cancel(handle, .binding, "binding")
  }
}

extension ResolvedHandle {
  /// The binding that the handle names, which stays until `unuse`.
  func binding() throws(Refusal) -> Binding.Pointer {
    let found = stream.locked { () -> Binding.Pointer? in
      let binding = liveSubscription?.pointee.userData?.assumingMemoryBound(to: Binding.self)
      if let binding { Binding.use(binding) }
      return binding
    }
    guard let found else { throw Refusal(.stale, "binding", "has ended") }
    return found
  }

  /// Checks the owner that a binding of this view is to point at, and that the view may observe its values.
  fileprivate func owner(
    _ handle: Handle, of binding: Binding.Pointer
  ) throws(Refusal) -> ResolvedHandle? {
    guard handle != .none else { return nil }
    let owner = try ResolvedHandle(handle, .context, "owner")
    guard owner.stream.state == stream.state else {
      throw Refusal(.invalid, "owner", "is of another context")
    }
    var index = 0
    while index < binding.pointee.count {
      do throws(Refusal) {
        let type = try stream.locked { () throws(Refusal) in
          try stream.typeOfRow(binding.pointee.rows[index].name.bytes, of: owner)
        }
        guard type != 0 else {
          index &+= 1
          continue
        }
        guard !binding.pointee.rows[index].isTwoWay || stream.contract(of: type).isValue else {
          throw Refusal(
            .invalid, "rows.flags", "MAINSTEM_BINDING_TWO_WAY needs a type with MAINSTEM_ROLE_VALUE"
          )
        }
        try demand(.observe, of: type)
      } catch {
        throw error.inRow(index)
      }
      index &+= 1
    }
    return owner
  }

  /// Lets a binding's rows join, all or none. Gives a use of an old binding back before anything is delivered: a row may
  /// end it.
  ///
  /// - Parameters:
  ///   - keeper: The observer that keeps the binding; nil: it joins with them.
  ///   - given: Gets the handle of a new binding.
  /// - Returns: False if it has observers already: nothing has happened.
  @discardableResult
  fileprivate func join(
    _ binding: Binding.Pointer, _ keeper: ResolvedHandle? = nil, to owner: ResolvedHandle?,
    _ attempt: Attempt, _ given: (Handle) -> Void = { _ in }
  ) throws(Refusal) -> Bool {
    let isNew = keeper == nil
    let asking = stream.readPoint(looks: true)
    var duty = Duty.nothing
    stream.state.pointee.lock.acquire()
    let last = stream.position
    let isDone = !binding.pointee.hasObservers
    do throws(Refusal) {
      guard isLive, !stream.isClosed, let scope else { throw .ended }
      // A hook of a run, or another thread, may have ended one of them.
      if let keeper, keeper.liveSubscription == nil {
        throw Refusal(.stale, "binding", "has ended")
      }
      guard owner?.isLive ?? true else { throw Refusal(.stale, "owner", "has ended") }
      if isDone {
        Binding.turn(binding, to: owner)
        try enroll(binding, owner, in: scope, isNew, attempt, &duty, given)
      }
    } catch {
      if isDone { Binding.forgetRows(binding) }
      stream.state.pointee.lock.release()
      if !isNew { Binding.unuse(binding) }
      stream.fulfill(duty)
      asking?.note(last)
      stream.noteRefusal(error, of: attempt)
      throw error
    }
    stream.state.pointee.lock.release()
    if !isNew { Binding.unuse(binding) }
    stream.fulfill(duty)
    asking?.note(last)
    return isDone
  }

  /// Registers what a binding observes. Under the lock.
  private func enroll(
    _ binding: Binding.Pointer, _ owner: ResolvedHandle?, in scope: Scope.Pointer, _ isNew: Bool,
    _ attempt: Attempt, _ duty: inout Duty, _ given: (Handle) -> Void
  ) throws(Refusal) {
    let first = isNew ? 1 : 0
    let rows = owner == nil ? 0 : binding.pointee.count
    try stream.enroll(
      first &+ rows, in: scope, handle, attempt, &duty,
      given: { index, handle in
        if index < first {
          given(handle)
        } else {
          binding.pointee.rows[index &- first].observer = handle
        }
      }
    ) { index in
      guard index >= first, let owner else { return Binding.keeper(of: binding) }
      let row = binding.pointee.rows + (index &- first)
      let type = (try? stream.typeOfValue(row.pointee.name.bytes, of: owner, "")) ?? 0
      return BindingRow.options(row, type, of: owner.origin)
    }
    if rows > 0 { Binding.use(binding, binding.pointee.rowsOnHost) }
  }
}

extension Stream {
  /// The type that a row observes; 0: a session that is shown again has not told it, so it will not. Under the lock.
  fileprivate func typeOfRow(
    _ name: Bytes, of owner: ResolvedHandle
  ) throws(Refusal) -> UInt32 {
    do throws(Refusal) {
      return try typeOfValue(name, of: owner, "rows.name")
    } catch {
      guard isIn(.fedAll) else { throw error }
      return 0
    }
  }

  /// The type of an owner's value: `Owner.name`. Under the lock.
  func typeOfValue(
    _ name: Bytes, of owner: ResolvedHandle, _ argument: Phrase
  ) throws(Refusal) -> UInt32 {
    let first = state.pointee.scopes.describe(owner.origin)?.name ?? Bytes("")
    var whole = SubjectWriter()
    whole.add(first)
    whole.add(".")
    whole.add(name)
    let type = state.pointee.types.find(whole.bytes)
    guard type != 0 else { throw state.pointee.types.unknown(whole.bytes, argument) }
    return type
  }
}
