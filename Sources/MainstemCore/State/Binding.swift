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
      binding.pointee.stream.drop(task(of: binding))
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
      stream.drop(task(of: binding))
      stream.watch(0, by: task(of: binding))
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
    binding.pointee.stream.watch(owner?.origin ?? 0, by: task(of: binding))
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
