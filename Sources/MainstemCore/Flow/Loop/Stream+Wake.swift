// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Waking: the host is told that something waits for it.
extension Stream {
  /// Tells the host that something waits. No lock held; exactly once for each true from `Wake`.
  package func signal() {
    var call = Wake.Call(thread: Frame.thread)
    withUnsafeMutablePointer(to: &call) { call in
      let (event, hook) = locked { state.pointee.loop.wake.begin(call) }
      hook.function?(hook.userData)
      if event >= 0 { mainstem_p_wake_signal(event) }
      locked {
        state.pointee.loop.wake.end(call)
        state.pointee.lock.wakeAll()
      }
    }
  }

  /// Whether this thread is inside a call of the wake hook.
  package var isInWake: Bool { locked { state.pointee.loop.wake.isCalling(on: Frame.thread) } }

  /// Waits, under the lock, until no other thread drains, waits or signals. From then on the host is told nothing: closing
  /// is the last drain.
  package func beginLastDrain() {
    while state.pointee.loop.wake.drains > 0 || state.pointee.loop.wake.waits > 0
      || state.pointee.loop.wake.signals > 0
    {
      state.pointee.loop.wake.rouse()
      state.pointee.lock.wait()
    }
    state.pointee.loop.wake.beginDrain()
  }

  /// Wakes waiting threads, because nothing more is delivered.
  package func rouseWaiters() {
    locked {
      state.pointee.loop.wake.rouse()
      state.pointee.lock.wakeAll()
    }
  }

  /// Sets the hook to call when something waits; waits for calls of the previous hook.
  package static func onWake(_ handle: Handle, _ hook: Wake.Hook) throws(Refusal) {
    let resolved = try ResolvedHandle.blocking(handle)
    let stream = resolved.stream
    let (old, isDue) = try resolved.locked { () throws(Refusal) in
      while stream.state.pointee.loop.wake.signals > 0 {
        stream.state.pointee.lock.wait()
        guard resolved.isLive, !stream.isClosed else { throw .ended }
      }
      return stream.state.pointee.loop.wake.replace(hook)
    }
    old.end()
    if isDue { stream.signal() }
  }
}
