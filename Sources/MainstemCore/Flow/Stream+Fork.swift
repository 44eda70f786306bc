// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A fork inside a callback: in the child nothing of the parent's streams goes on.
///
/// The thread that is left returns into what delivers. Whatever that does next asks first whether it is in the
/// child: it calls nobody, writes nothing, and waits for no thread, as there is no other.
extension Stream {
  /// Whether a callback of this thread has forked, and this is the child.
  @inline(__always)
  package var isForked: Bool {
    state.pointee.attention.load(ordering: .relaxed) & StreamState.Attention.forked != 0
  }

  /// Sees to it that a child learns of it.
  static func watchForks() {
    mainstem_p_on_child { frames in
      var frame = frames?.assumingMemoryBound(to: Frame.self)
      while let current = frame {
        current.pointee.stream.endInChild()
        frame = current.pointee.previous
      }
    }
  }

  /// In the child: whoever has the delivery lock, or a lock, is not here.
  private func endInChild() {
    state.pointee.lock.renew()
    state.pointee.wake.forget()
    state.pointee.attention.store(StreamState.Attention.forked, ordering: .relaxed)
    state.pointee.quickOwner.store(StreamState.noThread, ordering: .relaxed)
    // Whoever gives the delivery lock back looks at what asks for attention.
    state.pointee.word.bitwiseOr(
      StateWord.closed | StateWord.pending | StateWord.delivering, ordering: .relaxed)
  }
}

extension Refusal {
  package static var forked: Refusal {
    Refusal(.forked, "", "the context was made before fork, in the parent process")
  }
}
