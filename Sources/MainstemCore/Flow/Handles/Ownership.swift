// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Whose a stream is. Set before the first event; every thread reads it.
package struct Ownership: ~Copyable {
  /// Whether the host sees to it that one thread at a time uses the stream, not always the same.
  var isGuarded = false
  /// The thread that the stream belongs to; 0: any thread.
  let owner = Atomic<UInt>(0)

  package init() {}
}

extension Stream {
  /// Says to whom the stream belongs. Before the first event.
  package func setOwner(_ threads: Threads) {
    state.pointee.ownership.isGuarded = threads == .guarded
    state.pointee.ownership.owner.store(threads == .one ? Frame.thread : 0, ordering: .relaxed)
  }

  /// The thread that the stream belongs to; 0: any thread.
  @inline(__always)
  var owner: UInt { state.pointee.ownership.owner.load(ordering: .relaxed) }

  @inline(__always)
  package var isOwned: Bool { owner != 0 }

  /// Whether the calling thread may use the stream: every thread, or only the owner. A guarded stream does not belong
  /// to the threads of its own schedulers.
  @inline(__always)
  package var isMine: Bool {
    let owner = self.owner
    return owner == Frame.thread || owner == 0 && !(isGuarded && Frame.isSerial(self))
  }

  /// Whether what any thread may do takes effect in this call. In a guarded stream nobody can tell who calls from
  /// outside its callbacks, so that waits for a drain.
  @inline(__always)
  package var isAtHome: Bool { isMine && (!isGuarded || Frame.of(self) != nil) }

  @inline(__always)
  package var isGuarded: Bool { state.pointee.ownership.isGuarded }
}
