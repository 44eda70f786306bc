// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Contexts that deliver on the host: a send only accepts, observers run when the host drains.
extension Stream {
  package var isHeld: Bool {
    Word(bits: state.pointee.word.load(ordering: .relaxed)).isHeld
  }

  /// Held events wait, and the host does not know: true when it is to be told. Under the lock.
  package func noteHeld() -> Bool {
    guard !state.pointee.isHeldNoted else { return false }
    state.pointee.isHeldNoted = true
    return state.pointee.wake.arrive()
  }

  /// The holder leaves events to the next drain.
  package func holdBack() {
    if locked({ noteHeld() }) { signal() }
  }

  /// Delivers held events: at most `limit`; `Int.max`: all that was accepted before, and what they cause.
  package func deliverHeld(_ limit: Int) -> Int {
    state.pointee.lock.acquire()
    guard claimOrMark() else {
      state.pointee.lock.release()
      return 0
    }
    holder.pointee.arrived.append(&state.pointee.shared)
    clear(Word.pending)
    let last = position
    state.pointee.lock.release()
    holder.pointee.allowance = Allowance(
      events: limit, last: limit == Int.max ? last : UInt64.max)
    let reached = work(after: last)
    let count = limit &- holder.pointee.allowance.events
    holder.pointee.allowance = .nothing
    locked { forgetHeld() }
    settle(after: reached)
    return count
  }

  /// Nothing is held any more, if that is so. Under claim and lock.
  private func forgetHeld() {
    guard state.pointee.isHeldNoted, !hasHeld else { return }
    state.pointee.isHeldNoted = false
    state.pointee.wake.take()
  }

  /// Whether something waits for its turn. Under claim and lock.
  package var hasHeld: Bool {
    holder.pointee.own.first != nil || holder.pointee.arrived.first != nil
      || state.pointee.shared.first != nil
  }
}
