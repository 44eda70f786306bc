// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// A view's hold on an owner: for each row an observer of the owner's values, and one more that has the binding's handle,
/// keeps this memory, and ends last. Under the stream's lock, but for what never changes.
package struct Binding {
  /// Tells the changes. First: it has the binding's address.
  var task: DrainTask
  package let stream: Stream
  /// The view, whose rights it has.
  let view: Handle
  let rows: UnsafeMutablePointer<BindingRow>
  let count: Int
  let userData: UnsafeMutableRawPointer?
  /// Set, as the release hook, by the last step of the call that makes it.
  var handle = Handle.none
  var release: mainstem_release_fn?
  /// The scope that it points at; none: nowhere.
  var owner = Handle.none
  /// Counts the owners it has pointed at.
  private(set) var turn: UInt32 = 0
  var changes = ChangeSet()
  /// Told when the owner has ended.
  var ended: mainstem_ended_fn?
  var endedData: UnsafeMutableRawPointer?
  /// What it has run, and waits for.
  var runs = List<RunHold, RunHold.OfBinding>()
  /// One for the observer that keeps it, one for each that the host's scheduler calls, and one while it is used.
  private var uses = 1

  package typealias Pointer = UnsafeMutablePointer<Binding>
}

/// One row of a binding.
struct BindingRow {
  /// The part of the type's name behind the owner's.
  let name: Name
  let function: mainstem_event_fn?
  let flags: UInt32
  let binding: Binding.Pointer
  /// Its observer; none: it has none now.
  var observer = Handle.none
  /// Of a two-way row: the position of its last write.
  var written: UInt64 = 0
  /// While its function runs: the thread, whose value it shows, and the next row in the list of those.
  var thread: UInt = 0
  var shown: UInt32 = 0
  var next: UnsafeMutablePointer<BindingRow>?
  /// Its name is in the change set.
  var isChanged = false
}

/// What a host says of one row.
package struct BindingRowGiven {
  package let name: UnsafePointer<CChar>?
  package let function: mainstem_event_fn?
  package let flags: UInt32

  package init(_ row: mainstem_binding_row) {
    name = row.name
    function = row.changed
    flags = row.flags
  }
}

extension Binding {
  /// Makes a binding that points nowhere, with a copy of its rows.
  static func make(
    _ stream: Stream, _ view: Handle, _ count: Int, _ given: (Int) -> BindingRowGiven,
    _ userData: UnsafeMutableRawPointer?
  ) throws(Refusal) -> Pointer {
    guard let rows = Memory.allocate(BindingRow.self, count: max(count, 1)) else { throw .noMemory }
    guard let binding = Memory.allocate(Binding.self) else {
      Memory.free(rows)
      throw .noMemory
    }
    var made = 0
    do throws(Refusal) {
      while made < count {
        let row = given(made)
        guard !row.hasUnknownFlag else {
          throw Refusal(.unsupported, "rows.flags", "has a flag that this library does not know")
        }
        let bytes = try Name.check(row.name, "rows.name")
        guard let name = Name(copying: bytes) else { throw .noMemory }
        (rows + made).initialize(
          to: BindingRow(name: name, function: row.function, flags: row.flags, binding: binding))
        made &+= 1
      }
    } catch {
      free(rows, made)
      Memory.free(binding)
      throw error.inRow(made)
    }
    let task = DrainTask(
      of: binding, hold: { Binding.use(Binding.at($0)) }, run: { Binding.tell(Binding.at($0)) })
    binding.initialize(
      to: Binding(
        task: task, stream: stream, view: view, rows: rows, count: count, userData: userData))
    return binding
  }

  static func at(_ address: UnsafeMutableRawPointer) -> Pointer {
    address.assumingMemoryBound(to: Binding.self)
  }

  private static func free(_ rows: UnsafeMutablePointer<BindingRow>, _ count: Int) {
    var index = 0
    while index < count {
      rows[index].name.free()
      index &+= 1
    }
    Memory.free(rows)
  }

  /// Frees a binding that was never used.
  static func free(_ binding: Pointer) {
    free(binding.pointee.rows, binding.pointee.count)
    binding.pointee.changes.free()
    Memory.free(binding)
  }

  /// Keeps the memory while it is used. Under the lock, and of this field alone: others are read without it.
  static func use(_ binding: Pointer, _ count: Int = 1) { binding.pointee.uses &+= count }

  /// Gives a use back; after the last one the binding is gone. No lock held.
  static func unuse(_ binding: Pointer) {
    let isLast = binding.pointee.stream.locked { () -> Bool in
      binding.pointee.uses &-= 1
      guard binding.pointee.uses == 0 else { return false }
      binding.pointee.stream.state.pointee.loop.drop(task(of: binding))
      return true
    }
    guard isLast else { return }
    binding.pointee.release?(binding.pointee.userData)
    if binding.pointee.stream.isForked { return }
    free(binding)
  }
}

/// What it observes.
extension Binding {
  /// The observer that keeps it: of nothing, with its handle.
  static func keeper(of binding: Pointer) -> Subscription.Options {
    var options = Subscription.Options({ _, _ in }, binding, { Binding.end($0) }, .nothing)
    options.kind = .binding
    options.call.isOfView = true
    return options
  }

  /// The keeper's release hook: the last call is over.
  private static func end(_ address: UnsafeMutableRawPointer?) {
    guard let address else { return }
    let binding = at(address)
    let stream = binding.pointee.stream
    stream.locked {
      stream.state.pointee.loop.drop(task(of: binding))
      stream.state.pointee.scopes.watch(0, by: task(of: binding))
    }
    // Who ended it may have pointed it somewhere meanwhile: a hook of a run, or another thread.
    cancelRows(binding)
    dropRuns(of: binding)
    unuse(binding)
  }

  /// Whether it has observers of an owner. Under the lock.
  var hasObservers: Bool { count > 0 && rows[0].observer != .none }

  /// Points at another owner, or nowhere. Under the lock.
  static func turn(_ binding: Pointer, to owner: ResolvedHandle?) {
    binding.pointee.owner = owner?.handle ?? .none
    binding.pointee.turn &+= 1
    binding.pointee.forgetWrites()
    binding.pointee.stream.state.pointee.scopes.watch(owner?.origin ?? 0, by: task(of: binding))
  }

  /// Ends the observers that it has.
  ///
  /// - Parameter turn: Those of one owner; nil: of any.
  static func cancelRows(_ binding: Pointer, of turn: UInt32? = nil) {
    let (stream, rows) = (binding.pointee.stream, binding.pointee.rows)
    var index = 0
    while index < binding.pointee.count {
      let observer = stream.locked { () -> Handle in
        guard turn ?? binding.pointee.turn == binding.pointee.turn else { return .none }
        defer { rows[index].observer = .none }
        return rows[index].observer
      }
      if observer != .none { try? Stream.cancel(observer, .inner) }
      index &+= 1
    }
  }

  /// Its rows have not joined. Under the lock.
  static func forgetRows(_ binding: Pointer) {
    turn(binding, to: nil)
    var index = 0
    while index < binding.pointee.count {
      binding.pointee.rows[index].observer = .none
      index &+= 1
    }
  }
}

extension BindingRow {
  /// The observer of a row.
  ///
  /// - Parameter type: 0: a session that is shown again never told it.
  static func options(
    _ row: UnsafeMutablePointer<BindingRow>, _ type: UInt32, of origin: UInt32
  ) -> Subscription.Options {
    var options = Subscription.Options(
      { BindingRow.call($0, $1) }, row, nil, type == 0 ? .nothing : .one(type))
    if type != 0, row.pointee.isOnHost { options = onHost(row, type) }
    options.kind = .inner
    options.call.isOfView = true
    options.call.isOfOneOrigin = true
    options.origin = origin
    return options
  }

  /// The row's function.
  private static func call(
    _ address: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
  ) {
    if let address { call(address.assumingMemoryBound(to: BindingRow.self), event) }
  }

  /// Calls a row's function, and notes that it has changed.
  static func call(
    _ row: UnsafeMutablePointer<BindingRow>, _ event: UnsafePointer<mainstem_event>?
  ) {
    let binding = row.pointee.binding
    if Binding.tellsChanges(binding) { Binding.noteChange(of: row) }
    row.pointee.function?(binding.pointee.userData, event)
  }
}

/// Binding a view to an owner, and pointing it at another one.
extension Binding {
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
  package static func end(_ handle: Handle) throws(Refusal) {
    let resolved = try ResolvedHandle.own(handle, .binding, "binding")
    let binding = try resolved.binding()
    Binding.cancelRows(binding)
    Binding.dropRuns(of: binding)
    // Given back before the end: the hook belongs to whoever ends it.
    Binding.unuse(binding)
    try Stream.cancel(handle, .binding, "binding")
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
          try owner.typeOfRow(binding.pointee.rows[index].name.bytes)
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
        guard !binding.pointee.rows[index].isTwoWay || !stream.contract(of: type).isList else {
          throw Refusal(.invalid, "rows.flags", "MAINSTEM_BINDING_TWO_WAY cannot be of a list")
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
      let type = (try? owner.typeOfValue(row.pointee.name.bytes, "")) ?? 0
      return BindingRow.options(row, type, of: owner.origin)
    }
    if rows > 0 { Binding.use(binding, binding.pointee.rowsOnHost) }
  }
}

extension ResolvedHandle {
  /// The type that a row of this owner observes; 0: a session that is shown again has not told it, so it will not. Under
  /// the lock.
  fileprivate func typeOfRow(_ name: Bytes) throws(Refusal) -> UInt32 {
    do throws(Refusal) {
      return try typeOfValue(name, "rows.name")
    } catch {
      guard stream.isIn(.fedAll) else { throw error }
      return 0
    }
  }

  /// The type of this owner's value: `Owner.name`. Under the lock.
  func typeOfValue(_ name: Bytes, _ argument: Phrase) throws(Refusal) -> UInt32 {
    let first = stream.state.pointee.scopes.describe(origin)?.name ?? Bytes("")
    var whole = SubjectWriter()
    whole.add(first)
    whole.add(".")
    whole.add(name)
    let type = stream.state.pointee.types.find(whole.bytes)
    guard type != 0 else { throw stream.state.pointee.types.unknown(whole.bytes, argument) }
    return type
  }
}
