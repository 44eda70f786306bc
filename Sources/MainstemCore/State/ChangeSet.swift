// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Which rows of a binding have changed since the host was told, in the order in which they first did. Under the
/// stream's lock.
struct ChangeSet {
  var function: mainstem_changes_fn?
  var userData: UnsafeMutableRawPointer?
  /// What is gathered, and what is being told; made when the host first asks to be told.
  private var gathered: Names?
  private var told: Names?
  private(set) var count = 0

  typealias Names = UnsafeMutablePointer<UnsafePointer<CChar>?>

  /// Makes room for the names of so many rows; false without memory.
  mutating func reserve(_ rows: Int) -> Bool {
    if gathered == nil { gathered = Memory.allocate(UnsafePointer<CChar>?.self, count: rows) }
    if told == nil { told = Memory.allocate(UnsafePointer<CChar>?.self, count: rows) }
    return gathered != nil && told != nil
  }

  mutating func append(_ name: Name) {
    gathered?[count] = UnsafePointer(name.text)
    count &+= 1
  }

  /// Takes what was gathered; the names stay until the next time.
  mutating func take() -> (names: Names?, count: Int) {
    (gathered, told) = (told, gathered)
    defer { count = 0 }
    return (told, count)
  }

  mutating func free() {
    Memory.free(gathered)
    Memory.free(told)
  }
}

/// Change sets: the host is told once per drain which values have changed.
extension Binding {
  /// Sets the function that is told; nil: none.
  package static func tellChanges(
    _ handle: Handle, _ function: mainstem_changes_fn?, _ userData: UnsafeMutableRawPointer?
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.own(handle, .binding, "binding")
    let binding = try resolved.binding()
    defer { unuse(binding) }
    try resolved.locked { () throws(Refusal) in
      guard function == nil || binding.pointee.changes.reserve(max(binding.pointee.count, 1)) else {
        throw .noMemory
      }
      binding.pointee.changes.function = function
      binding.pointee.changes.userData = userData
    }
  }

  /// Whether somebody is told. In a context of one thread nobody else says so meanwhile.
  static func tellsChanges(_ binding: Pointer) -> Bool {
    let stream = binding.pointee.stream
    if stream.isOwned { return binding.pointee.changes.function != nil }
    return stream.locked { binding.pointee.changes.function != nil }
  }

  /// Notes that a row has changed. For the deliverer; no lock held.
  static func noteChange(of row: UnsafeMutablePointer<BindingRow>) {
    let binding = row.pointee.binding
    let stream = binding.pointee.stream
    let tells = stream.locked { () -> Bool in
      if !row.pointee.isChanged {
        row.pointee.isChanged = true
        binding.pointee.changes.append(row.pointee.name)
      }
      return stream.state.pointee.loop.leave(task(of: binding))
    }
    if tells { stream.signal() }
  }

  static func task(of binding: Pointer) -> DrainTask.Pointer {
    UnsafeMutableRawPointer(binding).assumingMemoryBound(to: DrainTask.self)
  }

  /// Tells what has changed, then that the owner has ended. Its memory was kept by a use. For the host's drain.
  static func tell(_ binding: Pointer) {
    let stream = binding.pointee.stream
    Frame.enterScheduled(stream, nil, nil) { _ in
      tellChanges(binding)
      if !stream.isForked { tellEnd(binding) }
      unuse(binding)
    }
  }

  /// Unless the binding has ended.
  private static func tellChanges(_ binding: Pointer) {
    let stream = binding.pointee.stream
    var set: (names: ChangeSet.Names?, count: Int) = (nil, 0)
    var (function, userData) = (mainstem_changes_fn?.none, UnsafeMutableRawPointer?.none)
    stream.locked {
      guard binding.pointee.isLive else { return }
      (function, userData) = (binding.pointee.changes.function, binding.pointee.changes.userData)
      set = takeChanges(of: binding)
    }
    if set.count > 0 { function?(userData, set.names, set.count) }
  }

  /// Takes what has changed. Under the lock.
  private static func takeChanges(of binding: Pointer) -> (names: ChangeSet.Names?, count: Int) {
    var index = 0
    while index < binding.pointee.count {
      binding.pointee.rows[index].isChanged = false
      index &+= 1
    }
    return binding.pointee.changes.take()
  }

  /// Whether it has not been ended. Under the lock.
  var isLive: Bool {
    guard let resolved = try? ResolvedHandle(handle, .binding, "binding") else { return false }
    return resolved.liveSubscription != nil
  }
}

/// The end of an owner: the host is told once, after the owner's last value.
extension Binding {
  /// Sets the function that is told; nil: none. If the owner has ended and nobody was told, it is told.
  package static func tellEnd(
    _ handle: Handle, _ function: mainstem_ended_fn?, _ userData: UnsafeMutableRawPointer?
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.own(handle, .binding, "binding")
    let stream = resolved.stream
    let binding = try resolved.binding()
    defer { unuse(binding) }
    let tells = try resolved.locked { () throws(Refusal) -> Bool in
      (binding.pointee.ended, binding.pointee.endedData) = (function, userData)
      binding.pointee.task.wantsEnd = function != nil
      return function != nil && binding.pointee.task.hasEnded
        && stream.state.pointee.loop.leave(task(of: binding))
    }
    if tells { stream.signal() }
  }

  /// Tells that the owner has ended, if it has. From then on the rows hear nothing, also of what was posted before.
  static func tellEnd(_ binding: Pointer) {
    let stream = binding.pointee.stream
    let turn = stream.locked { takeEnd(of: binding) }
    guard let turn else { return }
    cancelRows(binding, of: turn)
    var (function, userData) = (mainstem_ended_fn?.none, UnsafeMutableRawPointer?.none)
    stream.locked {
      guard binding.pointee.isLive, binding.pointee.turn == turn else { return }
      (function, userData) = (binding.pointee.ended, binding.pointee.endedData)
    }
    function?(userData)
  }

  /// The turn whose end is to be told now; nil: none. Where values wait for rows on the host, the next drain tells it.
  /// Under the lock.
  private static func takeEnd(of binding: Pointer) -> UInt32? {
    let stream = binding.pointee.stream
    guard binding.pointee.isLive, binding.pointee.task.hasEnded, binding.pointee.ended != nil else {
      return nil
    }
    var index = 0
    while index < binding.pointee.count {
      let row = binding.pointee.rows + index
      if row.pointee.isOnHost, stream.waits(for: row.pointee.observer) {
        _ = stream.state.pointee.loop.leave(task(of: binding))
        return nil
      }
      index &+= 1
    }
    binding.pointee.task.hasEnded = false
    return binding.pointee.turn
  }
}
