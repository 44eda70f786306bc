// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A journal that is fed to a context: all of it, or the inputs, with what its callbacks send compared.
///
/// The deliverer's, but for `shown`, which is the lock's.
package struct Replay: ~Copyable {
  let stream: Stream
  let slot: Slot.Pointer
  package let options: Options
  var source: ReplaySource
  /// What the journal has of outputs that were accepted and not delivered yet, and of digests.
  var expected = EventQueue()
  /// The position before the first, and the last one of which the record was taken.
  let from: UInt64
  var taken: UInt64
  /// The last positions that the journal does not have, and that no output took.
  var lost: (first: UInt64, last: UInt64) = (.max, 0)
  /// An output has this position that the journal does not have.
  var surplus: UInt64?
  /// It may have been sent all the same: the end of the journal does not tell.
  var isUndecided = false
  /// Events that were fed, and of outputs those that were as the journal has them.
  var fed: UInt64 = 0
  var same: UInt64 = 0
  /// Secrets that the host knew.
  var supplied: UInt64 = 0
  /// Who is asked for them, and what is asked and said at this moment.
  var resolver = SecretResolver()
  var asked: QueuedEvent.Pointer?
  var answer: QueuedEvent.Pointer?
  var digest: Digest
  /// Every event so far is in the digest.
  var isDigestWhole = true
  /// The last position up to which all is proven; nil: all so far.
  var provesUntil: UInt64?
  /// The digests of the context's origins, by number.
  var origins = OriginDigests()
  var difference: Difference?
  /// Why it goes no further.
  var failure: Failure?
  /// Nothing is left.
  var hasEnded = false
  /// The context was closing from here on.
  var isClosing = false
  /// How often callbacks of an event have asked what was accepted.
  var readPoints = CallbackCount()
  /// How it goes on by itself.
  var pace: Pace?
  /// What other threads read. Under the lock.
  var shown = mainstem_replay_info()

  package typealias Pointer = UnsafeMutablePointer<Replay>

  /// What is to be fed, and how.
  package struct Options {
    package var verifies = false
    /// Which session of the journal, from 1; 0: all of them, or the first to verify.
    package var session: UInt64 = 0

    package init() {}
  }

  /// A refusal that can be kept.
  struct Failure {
    let status: Status
    let reason: StaticString
    let number: UInt64
  }

  /// How fast it goes by itself.
  struct Pace {
    /// How many times as fast as it was; 0: as fast as it can.
    let speed: Double
    /// What time it was there when it was `start` here.
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

  /// The time of the last event.
  var time: Int64 {
    get { stream.state.pointee.fedTime.load(ordering: .relaxed) }
    nonmutating set { stream.state.pointee.fedTime.store(newValue, ordering: .relaxed) }
  }

  /// Whether what the journal has and what happens here still go together.
  var isMatching: Bool { difference == nil && failure == nil && surplus == nil }

  /// From here on less is proven.
  mutating func provesNoMore(after position: UInt64) {
    provesUntil = min(provesUntil ?? .max, position)
  }

  mutating func fail(_ refusal: Refusal) {
    guard failure == nil else { return }
    var number = stream.position
    if case .number(let said) = refusal.subject { number = said }
    failure = Failure(status: refusal.status, reason: refusal.reason, number: number)
    provesNoMore(after: taken)
  }
}
