// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A fork inside a callback: in the child, none of the parent's streams goes on.
///
/// The remaining thread returns into the code that delivers. Each next step of that code first checks whether this is
/// the child. There it calls nobody, writes nothing, and waits for no thread, because there is no other.
extension Stream {
  /// Makes sure that a child learns that it is one.
  static func watchForks() {
    mainstem_p_on_child { frames in
      var frame = frames?.assumingMemoryBound(to: Frame.self)
      while let current = frame {
        current.pointee.stream.endInChild()
        frame = current.pointee.previous
      }
    }
  }

  /// In the child: the thread that held the delivery lock, or a lock, does not exist here.
  private func endInChild() {
    state.pointee.lock.renew()
    state.pointee.loop.wake.forget()
    forbidQuickSends()
    abandonDelivery()
    abandonOrder()
  }
}

extension Refusal {
  package static var forked: Refusal {
    Refusal(
      .forked, "",
      "the context was made before fork, in the parent process: create one in the child")
  }
}
