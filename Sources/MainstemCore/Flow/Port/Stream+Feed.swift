// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Being fed: events come from a source, at the positions that the source gives.
extension Stream {
  package var feeding: Feed.Kind {
    Feed.Kind(rawValue: state.pointee.feeding.load(ordering: .acquiring)) ?? .none
  }

  @inline(__always)
  package var isFed: Bool { state.pointee.feeding.load(ordering: .acquiring) != 0 }

  /// Refuses a stream that is already fed, or has accepted something. For the deliverer.
  package func demandUnused() throws(Refusal) {
    guard !isFed else { throw Refusal(.busy, "context", "is already replaying a journal") }
    guard tap == nil else { throw Refusal(.invalid, "context", "is recorded: it cannot replay") }
    if state.pointee.feedTap == nil {
      guard let tap = Memory.allocate(Tap.self) else { throw .noMemory }
      tap.initialize(to: Stream.feedTap(of: state))
      state.pointee.feedTap = tap
    }
    guard position == 0, !locked({ state.pointee.loop.hasPosts }) else {
      throw Refusal(.invalid, "context", "has accepted events: replay into a new context")
    }
  }

  /// Begins to feed the stream. Under both locks, on a fresh stream.
  ///
  /// - Parameters:
  ///   - seed: The seed of the numbers and ids that callbacks draw.
  ///   - first: The position of the first event.
  ///   - time: When the fed events begin, by their own clock.
  package func beginFeed(
    _ feed: Feed, _ kind: Feed.Kind, seed: UInt64, first: UInt64, time: Int64
  ) {
    state.pointee.feed = feed
    forgetAttempts()
    state.pointee.keptTime = keepsTime
    keepsTime = true
    continuePositions(after: first &- 1)
    state.pointee.fedFrom = first &- 1
    state.pointee.fedTime.store(time, ordering: .relaxed)
    followFedTime(seed: seed)
    state.pointee.unaccepted.store(0, ordering: .relaxed)
    state.pointee.feeding.store(kind.rawValue, ordering: .releasing)
    state.pointee.tap.store(UInt(bitPattern: state.pointee.feedTap), ordering: .releasing)
    forbidQuickSends()
    if kind == .all { muteHandlers(true) }
  }

  /// Ends feeding. Under both locks.
  package func endFeed() {
    if feeding == .all { muteHandlers(false) }
    followOwnTime()
    moveHistories(from: Stream.milliseconds(fedClock), to: Stream.milliseconds(clock))
    state.pointee.tap.store(0, ordering: .releasing)
    state.pointee.feeding.store(0, ordering: .releasing)
    state.pointee.feed = Feed()
    keepsTime = state.pointee.keptTime
    allowQuickSends()
  }

  private func muteHandlers(_ isMuted: Bool) {
    var next = state.pointee.firstSubscription
    while let subscription = next {
      next = subscription.pointee.next
      guard subscription.pointee.call.isHandler else { continue }
      if isMuted {
        subscription.pointee.state.bitwiseOr(Subscription.muted, ordering: .relaxed)
      } else {
        subscription.pointee.state.bitwiseAnd(~Subscription.muted, ordering: .relaxed)
      }
    }
  }

  /// Takes the delivery lock for the thread that feeds. Waits for whoever holds it.
  package func lockDeliveryToFeed() {
    locked {
      while !lockDeliveryOrMark() { waitForDeliverer() }
    }
  }

  /// Accepts an event of the source at the next position. For the deliverer.
  package func feed(_ queued: QueuedEvent.Pointer) {
    let event = QueuedEvent.event(of: queued)
    event.pointee.position = advance()
    queued.pointee.key = event.pointee.position &* 2
    if event.pointee.flags & UInt32(MAINSTEM_EVENT_TIMER) != 0 { passTimer(event) }
    if feeding == .inputs {
      state.pointee.upcalls.fed?(UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(event))
    }
    enqueueFed(queued)
  }

  /// Says when the source wants to be asked again.
  package func setFeedDue(_ due: Int64) {
    let tells = locked {
      state.pointee.feed.due = due
      return expectDeadline()
    }
    if tells { signal() }
  }
}

/// Sending while the stream is fed.
extension Stream {
  /// Whether a send, or an act that the stream reports, goes ahead. While the stream is fed, everything from outside
  /// comes from the source. What a callback outside the delivery sends is an input too, so it is left out.
  @inline(__always)
  package func goesAhead() throws(Refusal) -> Bool {
    guard isFed else { return true }
    return try goesAheadWhileFed()
  }

  @inline(never)
  private func goesAheadWhileFed() throws(Refusal) -> Bool {
    guard let frame = Frame.of(self) else {
      // A program that starts sends what it sent in the recorded session.
      guard position == state.pointee.fedFrom else { throw .replays }
      state.pointee.unaccepted.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    guard feeding == .inputs, frame.pointee.holdsDeliveryLock, frame.pointee.event != nil else {
      state.pointee.unaccepted.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    return true
  }

  /// Lets the source feed what came in before an answer that a callback gives now.
  package func makeWay(toAnswer request: UnsafePointer<mainstem_event>) {
    guard let event = Frame.holding(self)?.pointee.event else { return }
    makeWay(for: event.pointee.position, answerTo: request.pointee.position)
  }

  /// Lets the source feed what came in before an event that is caused by another. For the deliverer; no lock held.
  ///
  /// - Parameter request: The position of the request that the event answers. Somebody else's answer that came in first
  ///   is fed, and nothing behind it.
  package func makeWay(for cause: UInt64, answerTo request: UInt64 = 0) {
    guard feeding == .inputs, let source = state.pointee.feed.source else { return }
    state.pointee.feed.makeWay?(source, cause, request)
  }

  /// The tap of a fed stream: each event passes its source before observers see it.
  private static func feedTap(of state: UnsafeMutablePointer<StreamState>) -> Tap {
    Tap(
      state: UnsafeMutableRawPointer(state), admit: { _, _, _ in 0 },
      record: { _, stream, event in
        let stream = Stream(stream.assumingMemoryBound(to: StreamState.self))
        if stream.feeding == .inputs, let source = stream.state.pointee.feed.source {
          stream.state.pointee.feed.look?(source, UnsafeMutableRawPointer(mutating: event))
        }
        return true
      }, gather: { _, _, _ in }, complete: { _, _, _ in .max },
      noteReadPoint: { _, _, _, _ in }, noteClosing: { _, _, _, _ in },
      noteRefused: { _, _, _ in },
      acknowledge: { _, _, _ in 0 }, forget: { _, _ in })
  }
}

extension Stream {
  /// Asks the source for what is due.
  package func runFeed(_ limit: Int) -> Int {
    guard let source = state.pointee.feed.source,
      locked({ state.pointee.feed.due }) <= clock
    else { return 0 }
    return state.pointee.feed.run?(source, limit) ?? 0
  }
}

extension Refusal {
  package static var notAccepted: Refusal {
    Refusal(
      .cancelled, "context", "is replaying a journal: what this callback sends is not accepted")
  }

  package static var replays: Refusal {
    Refusal(
      .busy, "context", "is replaying a journal: only the replay feeds it events from outside")
  }
}
