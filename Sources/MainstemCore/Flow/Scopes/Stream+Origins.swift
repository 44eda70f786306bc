// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Origins whose scopes have ended: they are forgotten when nothing names them any longer.
extension Stream {
  /// Removes a subscription from its scope; one that has ended is freed with its last subscription. Under the lock.
  @inline(__always)
  package func leaveScope(_ subscription: Subscription.Pointer) {
    let scope = subscription.pointee.scope
    Scope.remove(subscription)
    freeIfLeft(scope)
  }

  /// Frees a scope if it has ended and has no subscription left. Under the lock.
  @inline(__always)
  func freeIfLeft(_ scope: Scope.Pointer) {
    if scope.pointee.hasEnded, scope.pointee.subscriptions == 0 { free(scope) }
  }

  private func free(_ scope: Scope.Pointer) {
    state.pointee.scopes.origins.endScope(scope.pointee.origin)
    state.pointee.scopes.numbers.forgetDrawers(scope.pointee.drawers)
    Scope.free(scope)
    askForSweep()
  }

  /// The number of an origin that the source names; nil without memory. Under the lock.
  package func addFedOrigin(_ name: Bytes, scope number: UInt64, below parent: UInt64) -> UInt32? {
    state.pointee.scopes.origins.number(
      of: name, Origins.Scope(number: number, parent: parent), isShown: isIn(.fedAll))
  }

  /// Ends an origin that no further event of the source will have. Under the lock.
  package func endFedOrigin(_ origin: UInt32) {
    if !state.pointee.scopes.origins.isLive(origin) { endValues(of: origin) }
    state.pointee.scopes.origins.end(origin)
    askForSweep()
  }

  private func askForSweep() {
    guard state.pointee.scopes.origins.wantsSweep else { return }
    ask(for: Attention.origins)
  }

  /// Forgets the origins that nothing names any longer, if enough of them have ended. For the deliverer, between two
  /// events.
  @inline(__always)
  package func sweepOriginsIfAsked() {
    if isAsked(for: Attention.origins) { sweepOrigins() }
  }

  @inline(never)
  private func sweepOrigins() {
    let tells = locked { () -> Bool in
      endAsking(for: Attention.origins)
      var tells = false
      guard let posts = markOriginsOfPosts(&tells) else {
        state.pointee.scopes.origins.postpone(after: 0)
        return tells
      }
      let cost = posts &+ markOrigins()
      let others = lookAtSchedulers()
      state.pointee.scopes.origins.sweep(others, after: cost) { forgetOriginAbove($0) }
      return tells
    }
    if tells { signal() }
  }

  /// Marks the origins named by anything that waits or is kept. Under the lock.
  ///
  /// - Returns: How many things were looked at.
  private func markOrigins() -> Int {
    markOriginsOfQueued() &+ markRetained() &+ markOriginsOfKept() &+ markScheduledOrigins()
      &+ markOriginsAbove()
  }

  /// Notes that something names an origin. Under the lock.
  package func markOrigin(_ origin: UInt32) { state.pointee.scopes.origins.mark(origin) }

  private func markRetained() -> Int {
    state.pointee.scopes.retained.each { queued in
      markOrigin(UInt32(truncatingIfNeeded: queued.pointee.event.through))
      markOrigin(of: queued)
    }
  }
}
