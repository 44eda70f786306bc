// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What `open` says beside its count.
extension TypeObservers {
  /// In `open`: the program wants to be told when requests begin to be open, and when none is left.
  package static var reported: UInt32 { 1 << 31 }
}

/// Handlers. Under the lock.
extension TypeObservers {
  package var hasHandlers: Bool { !handlers.isEmpty }

  func eachHandler(_ visit: (Subscription.Pointer) -> Void) { handlers.each(visit) }

  mutating func addHandler(_ handler: Subscription.Pointer) {
    handlers.append(handler)
    if open.load(ordering: .relaxed) & TypeObservers.shared != 0 { Subscription.passOver(handler) }
  }

  /// Prepares for the first shared request of the type: from here on each call of a handler looks at the event.
  package func shareRequests() {
    guard open.load(ordering: .relaxed) & TypeObservers.shared == 0 else { return }
    open.bitwiseOr(TypeObservers.shared, ordering: .relaxed)
    handlers.each { Subscription.passOver($0) }
    origins?.pointee.each { passOver(ownHandler: $0.pointee.subscription) }
  }

  /// Lets a handler that joins, and looks at one origin, look at each event, if requests of the type are shared.
  func passOver(ownHandler row: Subscription.Pointer) {
    guard row.pointee.call.isHandler, open.load(ordering: .relaxed) & TypeObservers.shared != 0
    else { return }
    Subscription.passOver(row)
  }

  /// Removes a handler that was never called.
  mutating func undoHandler(_ handler: Subscription.Pointer) { handlers.remove(handler) }

  /// Removes a handler that is cancelled.
  ///
  /// - Parameter end: How many ends of scopes there were.
  /// - Returns: Whether it was the first: requests that only it was asked are abandoned.
  mutating func removeHandler(_ handler: Subscription.Pointer, at end: UInt32) -> Bool {
    let isFirst = handlers.first == handler
    if isFirst { abandoned = end }
    handlers.remove(handler)
    return isFirst
  }

  /// Of what was asked up to this position, the last of the handlers that were asked has gone: one added later never sees
  /// what was asked before.
  package var lostUpTo: UInt64 { handlers.first?.pointee.from ?? .max }

  /// Whether a server that handles what is sent through a scope has also been asked, at a position.
  package func hasAskedOwn(_ scope: Scope.Pointer?, at position: UInt64) -> Bool {
    guard let scope else { return false }
    return hasOwnHandler(of: scope.pointee.origin) { handler in
      handler.pointee.scope == scope && handler.pointee.from < position
        && !Subscription.isCancelled(handler)
    }
  }
}

/// Bits of `open`.
extension TypeObservers {
  /// Requests of the type have been shared, which its handlers do not get.
  fileprivate static var shared: UInt32 { 1 << 30 }
  /// Something is to be done when a request has reached its observers.
  package static var watched: UInt32 { reported | shared }
}

/// Handlers of what is sent through their server's own scope.
extension TypeObservers {
  /// Whether a handler among the rows gets what is sent through an origin.
  package func handles(_ origin: UInt32) -> Bool {
    handlerRows > 0 || hasOwnHandler(of: origin) { _ in true }
  }

  /// Whether one of an origin's own handlers is as wanted.
  func hasOwnHandler(of origin: UInt32, _ isWanted: (Subscription.Pointer) -> Bool) -> Bool {
    guard let origins else { return false }
    return !origins.pointee.all(of: origin) { !$0.pointee.call.isHandler || !isWanted($0) }
  }
}

extension Subscription {
  /// Lets a handler look at each event before it is called. Under the lock.
  fileprivate static func passOver(_ handler: Pointer) {
    handler.pointee.state.bitwiseOr(conditional, ordering: .relaxed)
  }
}
