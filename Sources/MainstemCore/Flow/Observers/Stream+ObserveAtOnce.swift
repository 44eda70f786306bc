// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Observing one type, and ending that, while nobody delivers: one locked step each. Anything unusual takes the full
/// way instead: see `observe` and `cancel`.
extension Stream {
  /// Registers an observer if that is possible at once; false: nothing has happened.
  ///
  /// - Parameter given: Receives the handle before the observer can be called.
  @inline(__always)
  package static func observeAtOnce(
    _ handle: Handle, _ type: UInt32, _ function: mainstem_event_fn,
    _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
    _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Bool {
    guard hasShortWays, let (slot, key) = Slot.find(handle), let stream = Stream(ofContext: slot),
      let observers = stream.state.pointee.observers.find(type), stream.isMine
    else { return false }
    stream.state.pointee.lock.acquire()
    defer { stream.state.pointee.lock.release() }
    guard slot.pointee.state.load(ordering: .relaxed) == key, observers.pointee.hasRoom,
      let scope = slot.pointee.object?.assumingMemoryBound(to: Scope.self),
      stream.budgetAllowsObserver(in: scope), !stream.state.pointee.observers.isTimed,
      scope.pointee.show == nil
    else { return false }
    return stream.whileIdle {
      guard let subscription = stream.state.pointee.observers.takeSpare() else { return false }
      guard
        let (place, made) = stream.state.pointee.slots.makeOwn(
          given == nil ? .inner : .subscription, stream: stream.address, object: subscription)
      else {
        stream.state.pointee.observers.giveSpare(subscription)
        return false
      }
      subscription.initialize(
        to: Subscription(
          Subscription.Options(function, userData, release, .one(type)), queue: nil,
          through: handle.pointer, scope: scope, slot: place,
          serial: stream.state.pointee.observers.register()))
      subscription.pointee.from = stream.position
      subscription.pointee.hasJoined = true
      if release == nil { subscription.pointee.observers = observers }
      stream.link(subscription)
      observers.pointee.joinAtOnce(subscription)
      given?.pointee = made.pointer
      return true
    }
  }

  /// Ends an observer of one type without a hook, if that is possible at once; false: nothing has happened.
  @inline(__always)
  package static func cancelAtOnce(_ handle: Handle) -> Bool {
    guard hasShortWays, let (slot, key) = Slot.find(handle),
      UInt8(truncatingIfNeeded: key) == Kind.subscription.rawValue,
      let stream = Stream(address: slot.pointee.stream), stream.isAtHome
    else { return false }
    stream.state.pointee.lock.acquire()
    defer { stream.state.pointee.lock.release() }
    guard slot.pointee.state.load(ordering: .relaxed) == key,
      let subscription = slot.pointee.object?.assumingMemoryBound(to: Subscription.self),
      let observers = subscription.pointee.observers
    else { return false }
    return stream.whileIdle {
      let tombstone = stream.state.pointee.observers.tombstone
      observers.pointee.leaveAtOnce(subscription, tombstone: tombstone)
      observers.pointee.closeUp(tombstone: tombstone)
      stream.unlink(subscription)
      stream.state.pointee.slots.end(slot)
      stream.state.pointee.observers.giveSpare(subscription)
      return true
    }
  }
}
