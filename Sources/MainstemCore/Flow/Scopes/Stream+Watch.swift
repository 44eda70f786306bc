// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Tasks of a drain that watch a scope: the host hears that it has ended. Under the lock.
extension Stream {
  /// Lets a task watch the scope of an origin, and no other; 0: none.
  package func watch(_ origin: UInt32, by task: DrainTask.Pointer) {
    if let before = state.pointee.scopes.origins.find(task.pointee.watched) {
      before.pointee.watchers.remove(task)
    }
    task.pointee.hasEnded = false
    // The context itself does not end before its drains.
    let entry = state.pointee.scopes.origins.find(origin)
    entry?.pointee.watchers.append(task)
    task.pointee.watched = entry == nil ? 0 : origin
  }

  /// A scope has said its last: those that watch it wait for the next drain.
  ///
  /// - Returns: Whether `signal` must be called after unlocking.
  func tellWatchers(of origin: UInt32) -> Bool {
    guard let entry = state.pointee.scopes.origins.find(origin) else { return false }
    var tells = false
    while let task = entry.pointee.watchers.first {
      entry.pointee.watchers.remove(task)
      task.pointee.watched = 0
      task.pointee.hasEnded = true
      if task.pointee.wantsEnd, leave(task) { tells = true }
    }
    return tells
  }
}
