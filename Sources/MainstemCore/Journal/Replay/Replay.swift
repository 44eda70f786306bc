// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A journal that is fed to a context: all of it, or its inputs, with the outputs of callbacks compared.
///
/// Everything here belongs to the deliverer, except `shown`, which the lock guards.
package struct Replay: ~Copyable {
  let stream: Stream
  let slot: Slot.Pointer
  package let options: Options
  var source: ReplaySource
  /// The journal's records of outputs that are accepted but not delivered yet, and its digests.
  var expected = EventQueue()
  /// The position before the first one, and the last position whose record was taken.
  let from: UInt64
  var taken: UInt64
  /// The time of the last event.
  var time: Int64
  /// The last range of positions that the journal does not have and that no output took.
  var lost: (first: UInt64, last: UInt64) = (.max, 0)
  /// The position of an output that the journal does not have.
  var extra: UInt64?
  /// Whether that output may have been sent in the journal's session, too: the end of the journal does not tell.
  var isUndecided = false
  /// The number of events fed, and the number of outputs equal to the journal's.
  var fed: UInt64 = 0
  var same: UInt64 = 0
  /// The number of secrets that the host supplied.
  var supplied: UInt64 = 0
  /// The function to ask for secrets, the event it is being asked about, and its answer.
  var resolver = SecretResolver()
  var asked: QueuedEvent.Pointer?
  var answer: QueuedEvent.Pointer?
  var digest: Digest
  /// Whether every event so far is in the digest.
  var isDigestWhole = true
  /// The last position up to which everything is proven; nil: everything so far is.
  var verifiedUntil: UInt64?
  /// The digests of the context's origin names, by number.
  var origins = OriginDigests()
  var difference: Difference?
  /// Whether its report is written.
  var isReported = false
  /// Why the replay goes no further.
  var failure: Failure?
  /// Whether nothing is left to feed.
  var hasEnded = false
  /// Whether the context was closing at this point of the journal.
  var isClosing = false
  /// How many read points the callbacks of an event have had.
  var readPoints = CallbackCount()
  /// Counts all of them, those of what looks too.
  var questions = CallbackCount()
  /// How the replay goes on by itself.
  var pace: Pace?
  /// What other threads read. Under the lock.
  var shown = mainstem_replay_info()

  package typealias Pointer = UnsafeMutablePointer<Replay>

  /// What to feed, and how.
  package struct Options {
    package var verifies = false
    /// The session of the journal, counted from 1; 0: all of them, or the newest one to verify.
    package var session: UInt64 = 0

    package init() {}
  }

  /// A refusal that outlives its call.
  struct Failure {
    let status: Status
    let reason: Phrase
    let number: UInt64
  }

  /// How fast the replay goes on by itself.
  struct Pace {
    /// How many times as fast as recorded; 0: as fast as possible.
    let speed: Double
    /// The recorded time at the moment `start` on the clock here.
    let time: Int64
    let start: Int64
  }

  init(_ stream: Stream, _ slot: Slot.Pointer, _ options: Options, _ source: consuming ReplaySource)
  {
    self.stream = stream
    self.slot = slot
    self.options = options
    from = source.first &- 1
    taken = source.first &- 1
    time = source.time
    digest = Digest(bits: source.session.digest)
    self.source = source
  }

  static func of(_ source: UnsafeMutableRawPointer) -> Pointer {
    source.assumingMemoryBound(to: Replay.self)
  }

  deinit {
    QueuedEvent.freeAll(expected.first)
    difference?.free()
  }

  /// Whether the journal and what happens here still agree.
  var isMatching: Bool { difference == nil && failure == nil && extra == nil }

  /// Lowers the position up to which everything is proven.
  mutating func provesNoMore(after position: UInt64) {
    verifiedUntil = min(verifiedUntil ?? .max, position)
  }

  mutating func fail(_ refusal: Refusal) {
    guard failure == nil else { return }
    var number = stream.position
    if case .number(let said) = refusal.subject { number = said }
    failure = Failure(status: refusal.status, reason: refusal.reason, number: number)
    provesNoMore(after: taken)
  }
}

extension Replay {
  /// The number of a read point of an event.
  ///
  /// - Parameter given: That of what looks; 0: it is counted.
  mutating func number(_ event: UInt64, _ given: UInt64) -> UInt64 {
    _ = questions.next(of: event)
    return given != 0 ? given : readPoints.next(of: event)
  }
}

/// The beginning and the end of a replay.
extension Replay {
  /// Opens a journal for a context that has accepted nothing.
  package static func open(
    _ handle: Handle, _ path: UnsafePointer<CChar>?, _ options: Options
  ) throws(Refusal) -> Handle {
    let resolved = try ResolvedHandle.blocking(handle)
    guard resolved.origin == 0 else {
      throw Refusal(.wrongKind, "context", "is a scope: replay into a context")
    }
    return try resolved.feeding(showing: false) { stream throws(Refusal) in
      try demandUnused(stream)
      try demandReport(options)
      let source = try ReplaySource.open(path, stream, options)
      guard let replay = Memory.allocate(Replay.self) else { throw .noMemory }
      return try make(replay, stream, options, source)
    }
  }

  private static func make(
    _ replay: Pointer, _ stream: Stream, _ options: Options, _ source: consuming ReplaySource
  ) throws(Refusal) -> Handle {
    let made = stream.locked {
      stream.state.pointee.slots.make(.replay, stream: stream.address, object: replay)
    }
    guard let (slot, handle) = made else {
      Memory.free(replay)
      throw Refusal(.limit, "", "out of handles")
    }
    let (version, session, first, time) =
      (source.version, source.session, source.first, source.time)
    replay.initialize(to: Replay(stream, slot, options, source))
    stream.locked {
      stream.beginFeed(
        UnsafeMutableRawPointer(replay), mutes: !options.verifies, version: version,
        seed: session.seed, drawsByRegistration: session.drawsByRegistration,
        widensNumbers: session.hasWideNumbers, first: first, time: time)
      replay.pointee.show()
    }
    return handle
  }

  /// What the stream asks and tells this station.
  package static var functions: SourceFunctions {
    SourceFunctions(
      makeWay: { replay, _, cause, request in
        Replay.of(replay).makeWay(for: cause, answerTo: request)
      },
      makeReadPoint: { replay, _, event, number, version in
        Replay.of(replay).makeReadPoint(for: event, number, since: version)
      },
      isClosing: { replay, _, callback in Replay.of(replay).pointee.isRefused(callback) },
      answered: { replay, _, event in Replay.of(replay).answered(event) },
      refused: { replay, _, event, number in Replay.of(replay).pointee.refused(event, number) },
      unhandled: { replay, _, request, response, memory, capacity in
        Replay.of(replay).pointee.unhandled(request, response, memory, capacity)
      },
      look: { replay, _, event in
        let event = event.assumingMemoryBound(to: mainstem_event.self)
        Replay.of(replay).endScopes(before: event)
        Replay.of(replay).pointee.look(event)
      },
      run: { replay, _, limit in Replay.feedDue(Replay.of(replay), limit) },
      markOrigins: { replay, _ in Replay.of(replay).pointee.markOrigins() },
      forget: { replay, _, origin in Replay.of(replay).pointee.origins.forget(origin) })
  }

  /// Marks the origins of the records it holds. Under the lock.
  private func markOrigins() -> Int {
    asked.map { stream.markOrigin(of: $0) }
    answer.map { stream.markOrigin(of: $0) }
    difference?.expected.map { stream.markOrigin(of: $0) }
    difference?.actual.map { stream.markOrigin(of: $0) }
    return source.markOrigins() &+ expected.each { stream.markOrigin(of: $0) }
  }

  /// Ends the replay: the context becomes an ordinary one.
  ///
  /// - Parameter cancelOpen: Cancels what is still open then.
  package static func end(_ handle: Handle, _ cancelOpen: (Stream) -> Void) throws(Refusal) {
    let resolved = try ResolvedHandle.blocking(handle, .replay, "replay")
    try resolved.feeding(showing: false) { stream throws(Refusal) in
      end(try resolved.replay(), stream)
      cancelOpen(stream)
    }
  }

  /// Ends the replay when its context closes. Called by the deliverer.
  package static func end(on stream: Stream) {
    if let source = stream.source { end(of(source), stream) }
  }

  private static func end(_ replay: Pointer, _ stream: Stream) {
    replay.pointee.explain()
    replay.pointee.report()
    let tells = stream.locked {
      stream.endFeed()
      stream.state.pointee.slots.end(replay.pointee.slot)
      return stream.expectDeadline()
    }
    if tells { stream.signal() }
    let resolver = replay.pointee.resolver
    replay.deinitialize(count: 1)
    Memory.free(replay)
    resolver.release(on: stream)
  }
}

extension ResolvedHandle {
  /// Runs `body` with the right to feed: with the delivery lock, and as a drain.
  func feeding<Result>(
    showing shows: Bool = true, _ body: (Stream) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    try beginDrain(showing: shows)
    let duty = stream.locked { stream.lockDelivery() }
    let result: Result
    do throws(Refusal) {
      result = try body(stream)
    } catch {
      endFeeding(duty)
      throw error
    }
    endFeeding(duty)
    return result
  }

  private func endFeeding(_ duty: consuming Duty) {
    stream.fulfill(duty, after: stream.position)
    stream.endDrain()
  }

  /// The replay behind a handle, if it has not ended. Called by the deliverer, the only one to end it.
  func replay() throws(Refusal) -> Replay.Pointer {
    guard let object = stream.locked({ isLive ? slot.pointee.object : nil }) else {
      throw Refusal(.stale, "replay", "has ended")
    }
    return Replay.of(object)
  }
}

extension Replay {
  /// Refuses a stream that is already fed, or has accepted something. For the deliverer.
  private static func demandUnused(_ stream: Stream) throws(Refusal) {
    guard !stream.isFed else {
      throw Refusal(.busy, "context", "is already replaying a journal: close that replay first")
    }
    guard !stream.isTapped else {
      throw Refusal(.invalid, "context", "is recorded: replay into a context that is not")
    }
    guard stream.position == 0, stream.locked({ stream.state.pointee.loop.firstPosted }) == nil
    else {
      throw Refusal(.invalid, "context", "has accepted events: replay into a new context")
    }
  }
}
