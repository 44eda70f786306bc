// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Whether a call of the owner's has servers show that have shown nothing yet.
package enum FirstShow {
  case never
  /// Unless the context delivers on the host: then functions run in drains only.
  case inSend
  case inDrain
}

/// First shows: of a server that a callback adds, after the callback's event; of any other, before the next event is
/// accepted, or a drain.
extension Stream {
  /// A server that shows was added: what it shows is said as soon as that may be. Under the lock.
  package func oweFirst(_ show: Show.Pointer) {
    guard let event = eventOfAdding else { return addUnshown(show) }
    owe(show)
    askToPay(for: event)
  }

  /// The event of the callback that adds a server, if a replay calls that callback again.
  var eventOfAdding: UnsafeMutablePointer<mainstem_event>? {
    guard let frame = Frame.of(self), !frame.pointee.sendsInputs else { return nil }
    return frame.pointee.event
  }

  /// Under the lock.
  private func addUnshown(_ show: Show.Pointer) {
    show.pointee.isUnshown = true
    state.pointee.unshown.append(show)
    ask(for: Attention.unshown)
    forbidQuickSends()
  }

  /// It is about to show for another reason.
  func forgetUnshown(_ show: Show.Pointer) {
    locked { removeUnshown(show) }
  }

  /// Under the lock.
  func removeUnshown(_ show: Show.Pointer) {
    show.pointee.isUnshown = false
    state.pointee.unshown.remove(show)
    if state.pointee.unshown.isEmpty { endAsking(for: Attention.unshown) }
  }

  /// Has the deliverer call those that have shown nothing yet. Under the lock.
  func readyUnshown(_ call: FirstShow) {
    guard isAsked(for: Attention.unshown), isMine, !isIn(.fedAll) else { return }
    switch call {
    case .never: break
    case .inSend where isDeferred: break
    case .inSend, .inDrain: ask(for: Attention.dueShows)
    }
  }

  /// Calls those that have shown nothing yet. What they send are inputs without a cause. For the deliverer, between two
  /// events.
  func payUnshown() {
    var left = locked {
      var count = 0
      state.pointee.unshown.each { _ in count &+= 1 }
      return count
    }
    while left > 0, !isForked, let show = takeUnshown() {
      left &-= 1
      if Show.isLive(show) { showFirst(show) }
      if isForked { return }
      if !isUndisturbed { attendObservers(between: true) }
    }
    endAsking(for: Attention.dueShows)
  }

  private func takeUnshown() -> Show.Pointer? {
    locked {
      guard let show = state.pointee.unshown.first else { return nil }
      removeUnshown(show)
      return show
    }
  }

  private func showFirst(_ show: Show.Pointer) {
    Frame.enter(self, nil, Show.row(of: show)) { frame in
      let status = show.pointee.function(
        show.pointee.userData, show.pointee.server, show.pointee.types)
      guard !isForked, status != 0 else { return }
      if status == Status.full.rawValue || status == Status.noMemory.rawValue {
        locked { addUnshown(show) }
      } else {
        failShow(in: frame, status)
      }
    }
  }
}
