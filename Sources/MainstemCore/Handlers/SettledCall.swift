// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// A server's function for when nobody waits for its answer any more, kept with the request.
///
/// The request's list is under the lock until the request is unlinked; from then on it belongs to whoever did that.
package struct SettledCall {
  package let function: mainstem_settled_fn
  package let release: mainstem_release_fn?
  package let userData: UnsafeMutableRawPointer?
  /// Where the request was observed. When that scope has ended, the function is no longer called.
  fileprivate let scope: Slot.Pointer
  fileprivate let key: UInt64
  /// What the scope sends has this origin. Its own answer is no news to it.
  package let origin: UInt32
  /// The show of that scope. Good while the scope is live.
  let show: Show.Pointer?
  /// Where the function runs, and its entry in the queue there; nil: at once.
  package let scheduler: Scheduler.Pointer?
  package let place: QueueEntry.Pointer?
  /// Its number among those of its request that run at once, or among those on schedulers, from 1.
  package var ordinal: UInt32 = 0
  /// It was dropped: only the hook is called.
  package var isForgotten = false
  let part: Part
  fileprivate var next: Pointer?

  package typealias Pointer = UnsafeMutablePointer<SettledCall>

  /// What it is a part of.
  enum Part {
    case alone
    /// The first part of an `Asker`; it has no function.
    case asker
    /// The first part of something that a station above has. It is called behind all others, for every answer.
    case last
  }
}

extension SettledCall {
  /// Makes one for an observer that is being called; nil without memory.
  package static func make(
    _ function: @escaping mainstem_settled_fn, _ userData: UnsafeMutableRawPointer?,
    _ release: mainstem_release_fn?, for row: Subscription.Pointer
  ) -> Pointer? {
    let (slot, handle) = (row.pointee.scope.pointee.slot, row.pointee.scope.pointee.handle)
    guard let (_, key) = Slot.find(handle), let call = Memory.allocate(SettledCall.self) else {
      return nil
    }
    let scheduler = row.pointee.queue?.pointee.scheduler
    let place = scheduler == nil ? nil : Memory.allocate(QueueEntry.self)
    guard scheduler == nil || place != nil else {
      Memory.free(call)
      return nil
    }
    call.initialize(
      to: SettledCall(
        function: function, release: release, userData: userData, scope: slot, key: key,
        origin: row.pointee.scope.pointee.origin, show: row.pointee.scope.pointee.show,
        scheduler: scheduler, place: place, part: .alone))
    return call
  }

  /// The one of an asker.
  static func ofAsker(_ slot: Slot.Pointer) -> SettledCall {
    SettledCall({ _ in }, nil, slot, .asker)
  }

  /// One that is called behind all others, in the frame of the answer, and in one without an event if nobody can see
  /// that. Its memory belongs to the function.
  package static func last(
    _ function: @escaping mainstem_settled_fn, _ userData: UnsafeMutableRawPointer,
    _ slot: Slot.Pointer
  ) -> SettledCall {
    SettledCall(function, userData, slot, .last)
  }

  private init(
    _ function: @escaping mainstem_settled_fn, _ userData: UnsafeMutableRawPointer?,
    _ slot: Slot.Pointer, _ part: Part
  ) {
    self.init(
      function: function, release: nil, userData: userData, scope: slot, key: 0, origin: 0,
      show: nil, scheduler: nil, place: nil, part: part)
  }

  /// Makes the call, in its frame.
  package static func make(_ call: Pointer, in frame: UnsafeMutablePointer<Frame>) {
    frame.pointee.origin = call.pointee.origin
    frame.pointee.drawAs(call.pointee.ordinal)
    call.pointee.function(call.pointee.userData)
  }

  /// Adds a call behind those of a request, which are few.
  package static func append(_ call: Pointer, to first: inout Pointer?) {
    call.pointee.next = nil
    guard var last = first else { return first = call }
    while let next = last.pointee.next { last = next }
    last.pointee.next = call
  }

  /// Takes the first call off a list.
  package static func takeFirst(_ first: inout Pointer?) -> Pointer? {
    guard let call = first else { return nil }
    first = call.pointee.next
    return call
  }

  /// Frees one whose entry no queue has.
  package static func free(_ call: Pointer) {
    Memory.free(call.pointee.place)
    Memory.free(call)
  }

  /// Whether its scope has not ended.
  package var isLive: Bool { scope.pointee.state.load(ordering: .acquiring) == key }
}
