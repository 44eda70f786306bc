// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// An event on its way in: `Stream.letIn` has asked for it, and its position is about to be given.
package struct Arrival: ~Copyable {
  /// Memory of its own; none: the caller's memory is likely to do.
  private var candidate: Candidate
  let source: Source
  let way: Way
  private let stream: Stream
  /// Whether `signal` must be called after unlocking, whether or not the event comes in.
  package var tells = false

  /// Where an event gets its position.
  enum Way {
    /// Behind the callback that sends it. This thread delivers.
    case callback(UnsafeMutablePointer<Frame>)
    /// Here: the caller delivers it, unless somebody else does.
    case here
    /// When the owner takes it out of the inbox.
    case inbox
  }

  init(_ queued: QueuedEvent.Pointer?, _ source: Source, _ way: Way, _ stream: Stream) {
    candidate = Candidate(queued)
    self.source = source
    self.way = way
    self.stream = stream
  }
}

extension Arrival {
  /// Gives the event its position. Nothing can refuse it from here on. Under the lock.
  @inline(__always)
  package mutating func takePosition(for draft: inout Draft) throws(Refusal) -> Placed {
    guard let queued = candidate.accept() else {
      guard case .here = way else { throw .noMemory }
      return try stream.place(&draft)
    }
    switch way {
    case .here: return stream.place(draft, in: queued)
    case .callback: return stream.placeInside(draft, queued)
    case .inbox: return stream.leave(draft, queued)
    }
  }

  /// The event does not come in.
  mutating func giveUp() { candidate.giveUp(on: stream) }

  /// What is done before the lock is taken.
  @inline(__always)
  mutating func prepare(
    _ draft: inout Draft, _ observers: TypeObservers.Pointer, _ attempt: Attempt
  ) throws(Refusal) {
    switch way {
    case .callback(let frame): try prepare(&draft, in: frame, attempt)
    case .here:
      if source != .report { stream.endLeftovers() }
      if stream.isLikelyToWait(observers) { _ = try candidate.hold(copyOf: &draft) }
    case .inbox: break
    }
  }

  /// Asks for an event that a callback sends, copies it, and lets in what came before it in a recorded session: when
  /// nothing is likely to refuse it any longer.
  mutating func prepare(
    _ draft: inout Draft, in frame: UnsafeMutablePointer<Frame>, _ attempt: Attempt
  ) throws(Refusal) {
    try stream.demandAdmission(draft, source, in: frame, attempt)
    _ = try candidate.hold(copyOf: &draft)
    guard attempt.isTapped, source != .report, let event = frame.pointee.event else { return }
    stream.makeWay(
      for: event.pointee.position, answerTo: draft.reply != 0 ? draft.answers : 0)
  }

  /// Whether it comes in, and every queue that refuses has promised room. Under the lock.
  ///
  /// - Returns: False after a wait for room, in which the lock was released: everything must be asked again.
  @inline(__always)
  mutating func comesIn(
    _ draft: inout Draft, _ now: Conditions, _ observers: TypeObservers.Pointer
  ) throws(Refusal) -> Bool {
    try stream.demandAdmission(draft.weight, source, now)
    guard stream.state.pointee.observers.asksForRoom(observers),
      source.asksQueues(forInbox: now.isForInbox)
    else {
      return true
    }
    if !now.isForInbox { try stream.prepareValue(draft) }
    let queued = try candidate.hold(copyOf: &draft)
    return try stream.isPromised(room: draft, queued, isPost: now.isForInbox)
  }
}

/// The memory of an event that may come in, with the room that queues have promised to it.
///
/// It is a token: the event is accepted, or given up. One that is dropped is counted, because its memory, and a place in
/// each of those queues, would be lost (decision 0030).
struct Candidate: ~Copyable {
  private(set) var queued: QueuedEvent.Pointer?

  /// - Parameter queued: Nil: the event has no memory of its own yet.
  init(_ queued: QueuedEvent.Pointer?) { self.queued = queued }

  /// Copies the event into memory of its own, unless it has some.
  @_optimize(speed)
  mutating func hold(copyOf draft: inout Draft) throws(Refusal) -> QueuedEvent.Pointer {
    if let queued { return queued }
    guard let copy = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    queued = copy
    return copy
  }

  /// The event is accepted: its memory goes with it.
  mutating func accept() -> QueuedEvent.Pointer? {
    let accepted = queued
    queued = nil
    return accepted
  }

  /// The event is not accepted: its memory and its room go back.
  mutating func giveUp(on stream: Stream) { stream.giveUp(accept()) }

  deinit {
    if queued != nil { mainstem_p_lost_token() }
  }
}

/// An event with the memory that was kept for it.
package struct KeptEvent {
  let draft: Draft
  let queued: QueuedEvent.Pointer

  package init(_ draft: Draft, in queued: QueuedEvent.Pointer) {
    self.draft = draft
    self.queued = queued
  }
}

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
