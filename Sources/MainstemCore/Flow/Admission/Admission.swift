// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What an event is, as far as admission cares.
package enum Source {
  /// A send, a post, a request, an answer to a request that was only sent.
  case program
  /// A step of progress.
  case progress
  /// A report of the core's own.
  case report
  /// What a signal handler posted.
  case interrupt

  /// Whether queues that refuse must promise room.
  package func asksQueues(forInbox isForInbox: Bool) -> Bool {
    switch self {
    case .program: true
    // In the inbox no full queue refuses it: the queue may drop it before it is taken in.
    case .progress: !isForInbox
    case .report, .interrupt: false
    }
  }
}

/// What is known of the stream when an event wants to come in.
package struct Conditions {
  package enum Caller {
    /// A callback of the delivery. `isCut`: one more cause would make the cascade too long.
    case callback(isCut: Bool)
    /// Any other call that gives the event its position. `isFree`: nobody delivers, nothing waits, and a send delivers.
    case outside(isFree: Bool)
    /// A call that leaves the event in the inbox.
    case elsewhere
  }

  package let caller: Caller
  /// The room where the event would wait, and what waits there.
  package var room = Limits.Room(events: 0, bytes: 0)
  package var load = (count: 0, bytes: 0)
  /// The stream is fed: it refuses what was refused in the recorded session, and nothing else.
  package var isFed = false
  /// The request's scheduler has as many steps of progress as it may have.
  package var hasAllSteps = false

  package var isInCallback: Bool { if case .callback = caller { true } else { false } }
  package var isForInbox: Bool { if case .elsewhere = caller { true } else { false } }
}

/// Whether an event comes in.
package enum Admission {
  /// Nobody delivers: the caller does.
  case now
  /// It waits, in the stream or in the inbox.
  case waits
  case refused(Lack)
}

/// Decides whether an event comes in (law 9); it knows nothing but its arguments. Every route asks this except those whose
/// room was kept for them: final answers, timers, what comes out of the inbox.
///
/// What the program may send at all is asked before, without a lock: `demandForm`. What is taken, a place in a queue or a
/// position, is taken after: `Arrival.swift`.
@inline(__always)
package func admission(_ size: Int, _ source: Source, _ now: Conditions) -> Admission {
  if case .outside(isFree: true) = now.caller, !now.hasAllSteps { return .now }
  if case .callback(isCut: true) = now.caller, source != .report { return .refused(.causes) }
  guard !now.isFed else { return .waits }
  guard !now.hasAllSteps else { return .refused(.steps) }
  return now.room.fits(size, beside: now.load.count, now.load.bytes)
    ? .waits : .refused(.room)
}

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
  package var conditionsElsewhere: Conditions { conditions(inInbox: state.pointee.loop.posted) }

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
    if let event, case .refused(.causes) = admission(draft.weight, source, now) {
      throw cut(draft, after: event, attempt)
    }
    try demandAdmission(draft.weight, source, now)
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

/// What one context may use: law 9. Set when the context is opened; every thread reads it.
package struct Limits {
  /// Subscriptions at a time.
  package var observers: UInt64 = .max
  /// Bytes of a payload; below 4 GiB, because an event stores its size in 32 bits.
  package var payload: Int = 0xFFFF_FFFF

  /// Rows of a list.
  package var rows: Int = 1_048_576
  /// The most that `rows` may be.
  package static var mostRows: Int { 1 << 24 }

  /// A scope has no rights but those that it is given.
  package var deniesByDefault = false

  /// Causes back to the outside event: few enough that a chain that feeds itself ends before the program seems to hang.
  package var cascade: UInt64 = 65_536
  /// What waits in the stream.
  package var waiting = Room(events: 1_048_576, bytes: 268_435_456)
  /// What other threads have posted and the owner has not taken in yet.
  package var posts = Room(events: 1_048_576, bytes: 268_435_456)

  package init() {}
}

extension Limits {
  /// A bound in events and in bytes of payload.
  package struct Room {
    package var events: Int
    package var bytes: Int

    /// Whether one more event fits. An event that is alone may have any size.
    package func fits(_ size: Int, beside count: Int, _ bytes: Int) -> Bool {
      count < events && (bytes == 0 || bytes &+ size <= self.bytes)
    }
  }
}

/// What admission knows of a context: what it may use, what was refused, and whether a send may take a short way.
/// Atomics are for every thread; the rest changes under both locks, before the first event.
package struct Admissions: ~Copyable {
  var limits = Limits()
  var keepsTime = false
  /// The owner, if the stream does nothing with an event but deliver it, and no other thread has left something for the
  /// owner to do; otherwise `noThread`.
  let quickOwner = Atomic<UInt>(Admissions.noThread)
  /// Events that were refused because there was no room or the cascade was too long.
  private let rejected = Atomic<UInt64>(0)
  /// How many of the rejections cut a cascade.
  private let cuts = Atomic<UInt64>(0)
  /// What was accepted together, and is not recorded yet. Set by the deliverer.
  let gathered = Gathered()

  package init() {}

  /// A number that no thread has.
  private static var noThread: UInt { UInt.max }

  /// Whether some thread may take a short way.
  var allowsQuickSends: Bool {
    quickOwner.load(ordering: .relaxed) != Admissions.noThread
  }

  /// Counts an event that was refused.
  func countRejection() { rejected.wrappingAdd(1, ordering: .relaxed) }

  /// Counts a cascade that is cut, and with it a rejection.
  ///
  /// - Returns: How many are cut so far.
  func countCut() -> UInt64 {
    countRejection()
    return cuts.wrappingAdd(1, ordering: .relaxed).newValue
  }

  fileprivate var rejections: UInt64 { rejected.load(ordering: .relaxed) }

  fileprivate func forgetRejections() {
    rejected.store(0, ordering: .relaxed)
    cuts.store(0, ordering: .relaxed)
  }

  fileprivate func setQuickOwner(_ owner: UInt?) {
    quickOwner.store(owner ?? Admissions.noThread, ordering: .relaxed)
  }
}

extension Stream {
  /// Says what a context may use. Before the first event, when the stream has its owner.
  package func openAdmission(keepsTime: Bool, _ limits: Limits) {
    state.pointee.admissions.keepsTime = keepsTime
    state.pointee.admissions.limits = limits
    state.pointee.admissions.forgetRejections()
    allowQuickSends()
  }

  /// Lets no send take a short way until `allowQuickSends`.
  package func forbidQuickSends() { state.pointee.admissions.setQuickOwner(nil) }

  /// Lets sends take the short ways, if this stream only delivers its events.
  package func allowQuickSends() {
    let mayShow = isAsked(for: Attention.shows | Attention.unshown)
    let isOnlyDelivering = !keepsTime && !isFed && !mayShow
    state.pointee.admissions.setQuickOwner(isOnlyDelivering ? onlyOwner : nil)
  }

  /// Whether the calling thread may take a short way.
  @inline(__always)
  package var allowsQuickSendHere: Bool {
    let owner = state.pointee.admissions.quickOwner.load(ordering: .relaxed)
    return (owner == 0 || owner == Frame.thread)
      && (Frame.innermost == nil || Frame.of(self) == nil)
  }

  /// Whether events have times. Changes under both locks, before the first event.
  @inline(__always)
  package var keepsTime: Bool {
    get { state.pointee.admissions.keepsTime }
    nonmutating set { state.pointee.admissions.keepsTime = newValue }
  }

  /// How many events were refused.
  package var rejections: UInt64 { state.pointee.admissions.rejections }

  package func countRejection() { state.pointee.admissions.countRejection() }
}
