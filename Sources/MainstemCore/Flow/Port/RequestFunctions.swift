// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// What the stream tells the station of requests. Connected as long as the context is open.
package struct RequestFunctions {
  /// A tracked request, or an answer to one, has reached its observers. If the flag is set it has not: it was dropped,
  /// because it could not be recorded. For the deliverer; no lock held.
  package let passed:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer, Bool
    ) -> Void
  /// An event of a source has its position, as an input of a stream whose servers are live: a tracked request must be
  /// tracked again, an answer must settle its request. For the deliverer; no lock held.
  package let fed:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
  /// More can answer a tracked request, or fewer: gets an event that is it, and how many. 0: a handler that got it has
  /// failed. Returns whether nobody is left, and it has no answer: `unanswered` follows. Under the lock.
  package let holds: @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, Int32) -> Bool
  /// Nobody can answer a request any longer. Gets an event that is it, the origin of the last one that could, and whether
  /// what follows waits for the next drain. No lock held.
  package let unanswered:
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UInt32, Bool) -> Void
  /// A request counts as settled, although a source feeds its answer later. Gets its position. For the
  /// deliverer; no lock held.
  package let settle:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64) -> Void
  /// An answer that another thread has given is taken in. Gets the handle of its request. Under the lock.
  package let takenIn:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64) -> Void
  /// A scope is about to end. Under the lock; `abandoned` follows.
  package let ending:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
  /// Types have lost the first of their handlers; they are marked with this serial. Under the lock. The caller holds
  /// the delivery lock, or the word is marked so that the deliverer looks. 0: a source has told an end, and feeds what
  /// follows from it.
  package let abandoned:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt32) -> Void
  /// Marks the origins that the station names, and returns how many things it looked at. Under the lock.
  package let markOrigins: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int
  /// Finds the fetches in whose handling a request was asked that is an event or has it as its answer: `Fetches`. For
  /// the deliverer.
  package let fetch:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
}

extension Stream {
  /// The state of the station of requests.
  package var requestState: UnsafeMutableRawPointer? { state.pointee.port.requests.state }

  /// Tells that a tracked request, or an answer to one, has reached its observers, or was dropped.
  package func tellPassed(_ event: UnsafeMutablePointer<mainstem_event>, isDropped: Bool = false) {
    guard event.pointee.reply != EndMark.reply else { return endDelivered(event) }
    guard let requests = requestState else { return }
    state.pointee.port.requests.functions.passed(
      requests, UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(event), isDropped)
  }

  /// Tells that an event of a source has its position.
  func tellFed(_ event: UnsafeMutablePointer<mainstem_event>) {
    let ended = state.pointee.reports.ended
    if ended != 0, event.pointee.type == ended { return takeUpEnd(event) }
    guard isIn(.fedInputs), let requests = requestState else { return }
    state.pointee.port.requests.functions.fed(
      requests, UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(event))
  }

  /// Whether an event is a tracked request: whoever has it can answer.
  @inline(__always)
  static func isAsking(_ event: UnsafePointer<mainstem_event>) -> Bool {
    event.pointee.reply != 0 && event.pointee.answers == 0
  }

  /// Tells that more can answer a request, or fewer. Under the lock.
  ///
  /// - Parameter change: How many; 0: a handler that got it has failed.
  /// - Returns: Whether nobody is left, and it has no answer: call `tellUnanswered` after unlocking.
  @inline(never)
  func tellHeld(_ event: UnsafePointer<mainstem_event>, _ change: Int32) -> Bool {
    guard requestState != nil else { return false }
    return state.pointee.port.requests.functions.holds(
      UnsafeMutableRawPointer(state), UnsafeRawPointer(event), change)
  }

  /// Tells that nobody can answer a request any longer.
  ///
  /// - Parameter origin: Through which the last one could.
  @inline(never)
  func tellUnanswered(
    _ event: UnsafePointer<mainstem_event>, by origin: UInt32, toInbox waits: Bool
  ) {
    guard requestState != nil, !isForked else { return }
    state.pointee.port.requests.functions.unanswered(
      UnsafeMutableRawPointer(state), UnsafeRawPointer(event), origin, waits)
  }

  /// Tells that an answer is taken in. Under the lock.
  func tellTakenIn(_ request: UInt64) {
    guard let requests = requestState else { return }
    state.pointee.port.requests.functions.takenIn(requests, UnsafeMutableRawPointer(state), request)
  }

  /// The fetches in whose handling a request was asked; of an answer, those of its request. For the deliverer.
  func inheritedFetches(_ event: UnsafeMutablePointer<mainstem_event>) -> Fetches {
    var fetches = Fetches.none
    guard requestState != nil, event.pointee.reply != 0 else { return fetches }
    withUnsafeMutablePointer(to: &fetches) {
      state.pointee.port.requests.functions.fetch(
        UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(event), UnsafeMutableRawPointer($0))
    }
    return fetches
  }

  /// Tells that a scope is about to end. Under the lock; `tellAbandoned` follows.
  package func tellEnding(_ scope: Scope.Pointer) {
    guard let requests = requestState else { return }
    state.pointee.port.requests.functions.ending(
      requests, UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(scope))
  }

  /// Tells that types may have lost the first of their handlers at a serial; 0: see `abandoned`. Under the lock.
  package func tellAbandoned(_ serial: UInt32) {
    guard let requests = requestState else { return }
    state.pointee.port.requests.functions.abandoned(
      requests, UnsafeMutableRawPointer(state), serial)
  }
}
