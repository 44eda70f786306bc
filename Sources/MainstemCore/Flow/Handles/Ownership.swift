// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Whose a stream is. Set before the first event; every thread reads it.
package struct Ownership: ~Copyable {
  /// The thread that the stream belongs to; 0: any thread; or `guarded`.
  fileprivate let owner = Atomic<UInt>(0)

  /// The host sees to it that one thread at a time uses the stream, not always the same. No thread has this number.
  fileprivate static var guarded: UInt { 1 }

  package init() {}
}

extension Stream {
  /// Says to whom the stream belongs. Before the first event.
  package func setOwner(_ threads: Threads) {
    let owner =
      switch threads {
      case .one: Frame.thread
      case .any: 0 as UInt
      case .guarded: Ownership.guarded
      }
    state.pointee.ownership.owner.store(owner, ordering: .relaxed)
  }

  @inline(__always)
  private var owner: UInt { state.pointee.ownership.owner.load(ordering: .relaxed) }

  /// The one thread that the stream belongs to; 0: there is none.
  var onlyOwner: UInt { isOwned ? owner : 0 }

  /// Whether the stream belongs to one thread.
  @inline(__always)
  package var isOwned: Bool { owner > Ownership.guarded }

  @inline(__always)
  package var isGuarded: Bool { owner == Ownership.guarded }

  /// Whether the calling thread may use the stream: every thread, or only the owner. A guarded stream does not belong
  /// to the threads of its own schedulers.
  @inline(__always)
  package var isMine: Bool {
    let owner = self.owner
    if owner == 0 || owner == Frame.thread { return true }
    return owner == Ownership.guarded && !Frame.isSerial(self)
  }

  /// Whether what any thread may do takes effect in this call. In a guarded stream nobody can tell who calls from
  /// outside its callbacks, so that waits for a drain.
  @inline(__always)
  package var isAtHome: Bool {
    let owner = self.owner
    if owner == 0 || owner == Frame.thread { return true }
    return owner == Ownership.guarded && !Frame.isSerial(self) && Frame.of(self) != nil
  }
}

/// The threads that may use a stream.
package enum Threads {
  /// The one that creates it.
  case one
  /// Any.
  case any
  /// Any, and the host sees to it that there is one at a time.
  case guarded
}
