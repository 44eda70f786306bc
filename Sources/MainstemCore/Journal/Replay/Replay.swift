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
