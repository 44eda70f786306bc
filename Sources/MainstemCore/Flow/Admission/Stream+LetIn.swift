// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The one way in. What a program or the core puts on the stream comes in here, whichever thread it is on, and whoever
/// delivers: a callback's event behind the callback, any other at once or behind what waits, and one from a thread that
/// does not own the context by the inbox.
///
/// `letIn` asks: `admission` decides, and queues that refuse promise room. Until the position is taken a refusal leaves
/// nothing behind; from then on nothing can refuse. `letInKept` does not ask: it is for events whose room was kept. Only
/// the short ways of a send pass by, and what the deliverer itself says (`enqueue`).
extension Stream {
  /// Lets an event in.
  ///
  /// - Parameters:
  ///   - own: Memory with a copy of the event, which is taken over even if it is refused; nil: a copy is made if needed.
  ///   - isPost: Whether it goes to the inbox from any thread.
  ///   - demand: Says whether the caller still wants it in, and completes what is known. Under the lock; asked again
  ///     after a wait for room.
  ///   - step: Takes the position and returns what it got, and does what must happen in the same step. Under the lock.
  @inline(__always)
  package func letIn(
    _ draft: inout Draft, _ source: Source, _ attempt: Attempt,
    in own: QueuedEvent.Pointer? = nil, toInbox isPost: Bool = false,
    demanding demand: (inout Conditions) throws(Refusal) -> Void,
    then step: (inout Draft, inout Arrival) throws(Refusal) -> Placed
  ) throws(Refusal) {
    var arrival = Arrival(own, source, way(toInbox: isPost), self)
    do throws(Refusal) {
      guard let observers = state.pointee.observers.find(draft.type) else {
        throw .noType(draft.type)
      }
      try arrival.prepare(&draft, observers, attempt)
      let placed = try locked { () throws(Refusal) in
        var now: Conditions
        repeat {
          now = conditions(arrival.way)
          try demand(&now)
        } while try !arrival.comesIn(&draft, now, observers)
        return try step(&draft, &arrival)
      }
      if arrival.tells { signal() }
      finish(placed, draft, observers)
    } catch {
      if arrival.tells { signal() }
      arrival.giveUp()
      throw error
    }
  }

  /// Like `letIn`, in one place for all callers whose speed matters less than their size.
  @inline(never)
  package func letInSeldom(
    _ draft: inout Draft, _ source: Source, _ attempt: Attempt,
    in own: QueuedEvent.Pointer? = nil, toInbox isPost: Bool = false,
    demanding demand: (inout Conditions) throws(Refusal) -> Void,
    then step: (inout Draft, inout Arrival) throws(Refusal) -> Placed
  ) throws(Refusal) {
    try letIn(
      &draft, source, attempt, in: own, toInbox: isPost, demanding: demand, then: step)
  }

  /// Lets in an event of which nothing else is to be done.
  ///
  /// - Parameters:
  ///   - own: As above.
  ///   - resolved: The handle it is sent through, which must stay live meanwhile; nil: the stream must stay open, except
  ///     for its own callbacks.
  @_optimize(speed)
  @inline(never)
  package func letIn(
    _ draft: Draft, _ source: Source, _ attempt: Attempt, in own: QueuedEvent.Pointer?,
    toInbox isPost: Bool = false, through resolved: ResolvedHandle? = nil
  ) throws(Refusal) {
    var draft = draft
    try letIn(&draft, source, attempt, in: own, toInbox: isPost) { now throws(Refusal) in
      if let resolved {
        guard resolved.isLive, !isClosed else { throw .ended }
      } else {
        guard now.isInCallback || !isClosed else { throw .closed }
      }
    } then: { draft, arrival throws(Refusal) in
      try arrival.takePosition(for: &draft)
    }
  }

  /// Lets in an event whose room was kept for it: a final answer, what is due, what comes out of the inbox.
  ///
  /// - Parameter kept: Returns the event; nil: there is none after all. Under the lock.
  @inline(__always)
  package func letInKept<Failure>(
    toInbox waits: Bool = false, _ kept: () throws(Failure) -> KeptEvent?
  ) throws(Failure) {
    let placed = try locked { () throws(Failure) -> Placed? in
      guard let kept = try kept() else { return nil }
      return placeKept(kept.draft, kept.queued, toInbox: waits)
    }
    if let placed { finish(placed) }
  }

  @inline(never)
  private func placeKept(
    _ draft: Draft, _ queued: QueuedEvent.Pointer, toInbox waits: Bool
  ) -> Placed {
    switch way(toInbox: waits) {
    case .callback: placeInside(draft, queued)
    case .here: place(draft, in: queued)
    case .inbox: leave(draft, queued)
    }
  }

  @inline(__always)
  private func way(toInbox isPost: Bool) -> Arrival.Way {
    guard !isPost else { return .inbox }
    if let frame = Frame.holding(self) { return .callback(frame) }
    return isMine ? .here : .inbox
  }

  /// What is known of the stream. Under the lock.
  private func conditions(_ way: Arrival.Way) -> Conditions {
    switch way {
    case .callback: conditions(inCallback: false)
    case .here: conditionsOutside
    case .inbox: conditionsElsewhere
    }
  }
}
