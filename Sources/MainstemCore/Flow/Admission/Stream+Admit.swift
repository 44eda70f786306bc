// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Asking for admission: what is read before the decision, and what a refusal does.
extension Stream {
  /// What is known when an event comes from outside the callbacks of the delivery. Under the lock.
  package var conditionsOutside: Conditions {
    guard !isFree else {
      return Conditions(caller: .outside(isFree: true))
    }
    return Conditions(
      caller: .outside(isFree: false), room: state.pointee.admissions.limits.waiting, load: queued,
      isFed: isFed)
  }

  /// What is known when an event goes to the inbox. Under the lock.
  package var conditionsElsewhere: Conditions { conditions(inInbox: posted) }

  /// What is known when an event goes to an inbox in which others wait. Under the lock.
  package func conditions(inInbox load: (count: Int, bytes: Int)) -> Conditions {
    Conditions(
      caller: .elsewhere, room: state.pointee.admissions.limits.posts, load: load, isFed: isFed)
  }

  /// Whether what a signal handler handed over comes into the inbox. Under the lock.
  package func hasRoom(
    forInterrupt size: Int, inInboxWith load: (count: Int, bytes: Int)
  ) -> Bool {
    if case .waits = admission(size, .interrupt, conditions(inInbox: load)) { true } else { false }
  }

  /// What is known when a callback of the delivery sends. For the deliverer.
  package func conditions(inCallback isCut: Bool) -> Conditions {
    Conditions(
      caller: .callback(isCut: isCut), room: state.pointee.admissions.limits.waiting, load: queued,
      isFed: isFed)
  }

  /// Refuses an event that does not come in.
  package func demandAdmission(
    _ size: Int, _ source: Source, _ now: Conditions
  ) throws(Refusal) {
    guard case .refused(let lack) = admission(size, source, now), !(lack == .room && isFirstShow)
    else { return }
    // A report that finds no room is left out: nobody's event was refused.
    if source != .report { countRejection() }
    throw .lacking(lack)
  }

  /// Refuses an event sent inside a callback if it does not come in. For the deliverer; no lock held, because a cascade
  /// that is cut is reported.
  @inline(never)
  package func demandAdmission(
    _ draft: Draft, _ source: Source, in frame: UnsafeMutablePointer<Frame>, _ attempt: Attempt
  ) throws(Refusal) {
    let event = frame.pointee.event
    let isCut = event.map {
      Stream.depth(of: $0) >= state.pointee.admissions.limits.cascade || attempt.lack == .causes
    }
    let now = conditions(inCallback: isCut ?? false)
    if let event, case .refused(.causes) = admission(draft.size, source, now) {
      throw cut(draft, after: event, attempt)
    }
    try demandAdmission(draft.size, source, now)
  }

  /// Whether this thread is in a first show that no event has caused. It finds room: a replay, in which nothing of it
  /// is sent, would not know where it was refused.
  var isFirstShow: Bool {
    guard let frame = Frame.holding(self), frame.pointee.event == nil else { return false }
    return isInShow
  }

  /// How many events wait for delivery or for being recorded, and the bytes of their payloads. Any thread.
  package var waiting: (count: Int, bytes: Int) {
    let (queued, gathered) = (queued, state.pointee.admissions.gathered.sum)
    return (queued.count &+ gathered.count, queued.bytes &+ gathered.bytes)
  }

  /// How many events wait for their delivery, and the bytes of their payloads. Any thread.
  package var queued: (count: Int, bytes: Int) {
    let (own, arrived) = (deliverer.pointee.own.count, deliverer.pointee.arrived.count)
    let bytes = deliverer.pointee.own.bytes &+ deliverer.pointee.arrived.bytes
    return (
      own &+ arrived &+ state.pointee.order.shared.count, bytes &+ state.pointee.order.shared.bytes
    )
  }
}
