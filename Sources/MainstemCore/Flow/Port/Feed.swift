// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What the stream knows while a source feeds it.
///
/// The atomics are for every thread. The rest is set under both locks, before anybody sees that the stream is fed;
/// `due` under the lock.
struct Feed: ~Copyable {
  /// When the source is wanted next, on the stream's clock.
  var due = Int64.max
  /// The version of the source's journal format.
  private(set) var version: UInt32 = 0
  /// The position before the first one that is fed.
  private(set) var start: UInt64 = 0
  /// Whether the stream kept times before it was fed.
  private(set) var keptTime = false
  /// The time of the last event that was fed, or that followed from one.
  private let time = Atomic<Int64>(0)
  /// How many sends of callbacks were not accepted.
  private let unaccepted = Atomic<UInt64>(0)

  mutating func begin(_ version: UInt32, after start: UInt64, keptTime: Bool) {
    self.version = version
    self.start = start
    self.keptTime = keptTime
    unaccepted.store(0, ordering: .relaxed)
  }

  mutating func reset() {
    due = .max
    version = 0
  }

  var clock: Int64 {
    get { time.load(ordering: .relaxed) }
    nonmutating set { time.store(Feed.sane(newValue), ordering: .relaxed) }
  }

  var leftOut: UInt64 { unaccepted.load(ordering: .relaxed) }

  func countLeftOut() { unaccepted.wrappingAdd(1, ordering: .relaxed) }

  /// Limits a time from a file to 146 years around 1970, so that calculations with it do not overflow.
  static func sane(_ time: Int64) -> Int64 {
    let most: Int64 = 1 << 62
    return max(-most, min(most, time))
  }
}

/// Being fed: events come from a source, at the positions that the source gives.
extension Stream {
  /// The source, while it feeds the stream.
  package var source: UnsafeMutableRawPointer? { state.pointee.port.source.state }

  /// Begins to feed the stream. Under both locks, on a fresh stream.
  ///
  /// - Parameters:
  ///   - mutes: Whether every event is fed; otherwise those from outside are.
  ///   - version: The version of the source's journal format.
  ///   - seed: The seed of the numbers and ids that callbacks draw.
  ///   - drawsByRegistration: See `Chance`.
  ///   - widensNumbers: See `Scopes.widenNumbers`.
  ///   - first: The position of the first event.
  ///   - time: When the fed events begin, by their own clock.
  package func beginFeed(
    _ source: UnsafeMutableRawPointer, mutes: Bool, version: UInt32, seed: UInt64,
    drawsByRegistration: Bool, widensNumbers: Bool, first: UInt64, time: Int64
  ) {
    let start = first &- 1
    state.pointee.port.feed.begin(version, after: start, keptTime: keepsTime)
    deliverer.pointee.forgetAttempts()
    keepsTime = true
    continuePositions(after: start)
    fedClock = time
    followFedTime(seed: seed, byRegistration: drawsByRegistration)
    if widensNumbers { state.pointee.scopes.widenNumbers() }
    state.pointee.port.source.connect(source)
    setMode(mutes ? .fedAll : .fedInputs)
    forbidQuickSends()
    muteHandlers()
  }

  /// Ends feeding. Under both locks.
  package func endFeed() {
    followOwnTime()
    moveHistories(from: fedClock, to: clock)
    setMode(.live)
    muteHandlers()
    state.pointee.port.source.disconnect()
    state.pointee.port.feed.reset()
    keepsTime = state.pointee.port.feed.keptTime
    allowQuickSends()
  }

  /// Accepts an event of the source at the next position. For the deliverer.
  ///
  /// - Parameter delivers: Whether it is delivered at once, with everything that follows from it.
  package func feed(_ queued: QueuedEvent.Pointer, delivers: Bool) {
    let event = QueuedEvent.event(of: queued)
    event.pointee.position = advance()
    queued.pointee.key = event.pointee.position &* 2
    if event.pointee.flags & UInt32(MAINSTEM_EVENT_TIMER) != 0 { passTimer(event) }
    tellFed(event)
    enqueueFed(queued)
    if delivers { deliverFed() }
  }

  /// The time of the last event that was fed, or that followed from one.
  package var fedClock: Int64 {
    get { state.pointee.port.feed.clock }
    nonmutating set { state.pointee.port.feed.clock = newValue }
  }

  /// When the source is wanted next; nil: the stream is not fed. Under the lock.
  package var feedDue: Int64? { isFed ? state.pointee.port.feed.due : nil }

  /// Says when the source wants to be asked again.
  package func setFeedDue(_ due: Int64) {
    let tells = locked {
      state.pointee.port.feed.due = due
      return expectDeadline()
    }
    if tells { signal() }
  }

  /// Lets the source feed what is due; nil: the stream is not fed.
  package func runFeed(_ limit: Int) -> Int? {
    guard isFed else { return nil }
    guard let source, locked({ state.pointee.port.feed.due }) <= clock else { return 0 }
    return state.pointee.port.source.functions.run(source, UnsafeMutableRawPointer(state), limit)
  }
}

/// Sending while the stream is fed.
extension Stream {
  /// Whether a send, or an act that the stream reports, goes ahead. While the stream is fed, everything from outside
  /// comes from the source. What a callback outside the delivery sends is an input too, so it is left out.
  ///
  /// - Parameter isInput: Whether it is a report that the journal has as an input, since version 2 of its format.
  @inline(__always)
  package func goesAhead(isInput: Bool = false) throws(Refusal) -> Bool {
    guard isFed else { return true }
    return try goesAheadWhileFed(isInput)
  }

  @inline(never)
  private func goesAheadWhileFed(_ isInput: Bool) throws(Refusal) -> Bool {
    if isInput, state.pointee.port.feed.version > 1 { return false }
    guard let frame = Frame.of(self) else {
      // A program that starts sends what it sent in the recorded session.
      guard position == state.pointee.port.feed.start else { throw .replays }
      state.pointee.port.feed.countLeftOut()
      return false
    }
    guard isIn(.fedInputs), frame.pointee.holdsDeliveryLock, frame.pointee.event != nil else {
      state.pointee.port.feed.countLeftOut()
      return false
    }
    return true
  }

  /// Whether a request that no server got is unhandled; while the stream is fed, whether the source says so. A server
  /// on a scheduler, whose answers are fed, need not be there. For the deliverer; no lock held.
  package func isUnhandled(_ request: UInt64, _ response: UInt32) -> Bool {
    readUnhandled(request, response, into: nil, 0) ?? 0 >= 0
  }

  /// Reads the recorded payload of an answer UNHANDLED; its size, or 0.
  package func readUnhandled(
    _ request: UInt64, _ response: UInt32, into memory: UnsafeMutableRawPointer, _ capacity: Int
  ) -> Int {
    max(0, readUnhandled(request, response, into: Optional(memory), capacity) ?? 0)
  }

  private func readUnhandled(
    _ request: UInt64, _ response: UInt32, into memory: UnsafeMutableRawPointer?, _ capacity: Int
  ) -> Int? {
    guard isIn(.fedInputs), let source else { return nil }
    return state.pointee.port.source.functions.unhandled(
      source, UnsafeMutableRawPointer(state), request, response, memory, capacity)
  }

  /// Lets the source feed what came in before what a callback does now, or before an event that is caused by another.
  /// Asked when nothing can refuse that any longer: nothing comes in before what is refused. For the deliverer; no lock
  /// held.
  ///
  /// - Parameters:
  ///   - cause: The position of the cause; nil: the event of the callback that this thread is in.
  ///   - request: The position of the request that is answered. Somebody else's answer that came in first is fed, and
  ///     nothing behind it.
  ///   - version: The version of the journal format since which the source needs no asking.
  @inline(__always)
  package func makeWay(
    for cause: UInt64? = nil, answerTo request: UInt64 = 0, before version: UInt32 = .max
  ) {
    guard isIn(.fedInputs) else { return }
    askToMakeWay(cause, request, version)
  }

  @inline(never)
  private func askToMakeWay(_ cause: UInt64?, _ request: UInt64, _ version: UInt32) {
    guard let cause = cause ?? Frame.holding(self)?.pointee.event?.pointee.position, let source,
      state.pointee.port.feed.version < version
    else { return }
    state.pointee.port.source.functions.makeWay(
      source, UnsafeMutableRawPointer(state), cause, request)
  }
}

extension Port {
  /// How many sends of callbacks were left out.
  package var leftOut: UInt64 { feed.leftOut }
}
