// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

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
      return stream.leave(task(of: binding))
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
