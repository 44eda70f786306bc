// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Origins whose scopes have ended: they are forgotten when nothing names them any longer.
extension Stream {
  /// Frees a scope that has ended and has no subscription left. Under the lock.
  package func free(_ scope: Scope.Pointer) {
    state.pointee.origins.endScope(scope.pointee.origin)
    Scope.free(scope)
    askForSweep()
  }

  /// Ends an origin that no further event of the source will have. Under the lock.
  package func endFed(_ origin: UInt32) {
    state.pointee.origins.end(origin)
    askForSweep()
  }

  private func askForSweep() {
    guard state.pointee.origins.wantsSweep else { return }
    state.pointee.attention.bitwiseOr(StreamState.Attention.origins, ordering: .relaxed)
  }

  /// Forgets the origins that nothing names any longer, if enough of them have ended. For the deliverer, between two
  /// events.
  @inline(__always)
  package func sweepOriginsIfAsked() {
    let attention = state.pointee.attention.load(ordering: .relaxed)
    if attention & StreamState.Attention.origins != 0 { sweepOrigins() }
  }

  @inline(never)
  private func sweepOrigins() {
    let tells = locked { () -> Bool in
      state.pointee.attention.bitwiseAnd(~StreamState.Attention.origins, ordering: .relaxed)
      var tells = false
      guard let posts = markOriginsOfPosts(&tells) else {
        state.pointee.origins.postpone(after: 0)
        return tells
      }
      let cost = posts &+ markOrigins()
      let others = lookAtSchedulers()
      state.pointee.origins.sweep(others, after: cost) { forgetOriginAbove($0) }
      return tells
    }
    if tells { signal() }
  }

  /// Marks the origins named by anything that waits or is kept. Under the lock.
  ///
  /// - Returns: How many things were looked at.
  private func markOrigins() -> Int {
    var cost = mark(deliverer.pointee.own.first) &+ mark(deliverer.pointee.arrived.first)
    cost &+= mark(state.pointee.shared.first)
    cost &+= markRetained() &+ markHistory() &+ markScheduledOrigins() &+ markFrames()
    return cost &+ markOriginsAbove()
  }

  /// Marks the origin of an event. Under the lock.
  package func markOrigin(of queued: QueuedEvent.Pointer) {
    state.pointee.origins.mark(queued.pointee.event.origin)
  }

  /// Marks the origins of a chain of events.
  package func mark(_ first: QueuedEvent.Pointer?) -> Int {
    var (next, count) = (first, 0)
    while let queued = next {
      markOrigin(of: queued)
      next = queued.pointee.next
      count &+= 1
    }
    return count
  }

  private func markRetained() -> Int {
    var next = state.pointee.firstRetained
    while let queued = next {
      state.pointee.origins.mark(UInt32(truncatingIfNeeded: queued.pointee.event.through))
      next = queued.pointee.next
    }
    return mark(state.pointee.firstRetained)
  }

  private func markHistory() -> Int {
    var (next, count) = (state.pointee.firstHistory, 0)
    while let history = next {
      count &+= history.pointee.each { markOrigin(of: $0) }
      next = history.pointee.next
    }
    return count
  }

  /// Marks the origins of the callbacks that this thread is in, which are a scheduler's.
  private func markFrames() -> Int {
    var (next, count) = (Frame.innermost, 0)
    while let frame = next {
      if frame.pointee.stream.state == state {
        state.pointee.origins.mark(frame.pointee.origin)
        if let event = frame.pointee.event { state.pointee.origins.mark(event.pointee.origin) }
      }
      next = frame.pointee.previous
      count &+= 1
    }
    return count
  }
}
