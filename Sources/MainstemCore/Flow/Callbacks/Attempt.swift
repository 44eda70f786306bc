// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Something that a callback tries and that may be refused for lack of room. Refusals are recorded, because a replay
/// would not arrive at them by itself; the replay refuses again.
package struct Attempt {
  private let bits: UInt64

  /// - Parameters:
  ///   - number: Its number among all attempts by callbacks of the event; 0: not made by a callback that replay
  ///     repeats.
  ///   - lack: What was lacking in the recorded session, if the caller must report it.
  fileprivate init(_ number: UInt64, lack: Lack? = nil) {
    bits = number | 1 << 55 | UInt64(lack?.rawValue ?? 0) << 56
  }

  private init() { bits = 0 }

  /// An attempt that is not counted.
  package static var unnoted: Attempt { Attempt() }

  /// Whether the stream is recorded or fed.
  @inline(__always)
  package var isTapped: Bool { bits != 0 }
  package var number: UInt64 { bits & (1 << 55 &- 1) }
  package var lack: Lack? { Lack(rawValue: UInt32(truncatingIfNeeded: bits >> 56)) }
}

extension Stream {
  /// Runs something that may be refused for lack of room.
  @inline(__always)
  package func trying<Result>(
    _ body: (Attempt) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let attempt = try attempt()
    do throws(Refusal) {
      return try body(attempt)
    } catch {
      noteRefusal(error, of: attempt)
      throw error
    }
  }

  /// Counts an attempt of the callback that this thread is in, when it is not granted.
  @inline(never)
  package static func countAttempt() {
    guard let stream = Frame.innermost?.pointee.stream else { return }
    stream.noteAnswersWaiting()
    _ = try? stream.attempt()
  }

  /// Counts an attempt of a callback; in a replay, throws what was thrown in the recorded session.
  ///
  /// - Parameter looks: Whether it registers what looks.
  @inline(__always)
  package func attempt(looks: Bool = false) throws(Refusal) -> Attempt {
    guard isTapped else { return .unnoted }
    return try attemptInCallback(looks)
  }

  @inline(never)
  private func attemptInCallback(_ looks: Bool) throws(Refusal) -> Attempt {
    guard let (number, refused) = numberAttempt(looks: looks) else { return Attempt(0) }
    guard refused != 0 else { return Attempt(number) }
    if let lack = Refused.lack(refused), lack.isOfCaller {
      return Attempt(number, lack: lack)
    }
    let refusal = Refused.refusal(refused)
    if refusal.status == .full { countRejection() }
    throw refusal
  }

  /// Records that a callback was refused something for lack of a resource. For the deliverer.
  @inline(never)
  package func noteRefusal(_ refusal: Refusal, of attempt: Attempt) {
    if refusal.status == .stale { noteAnswersWaiting() }
    // The end of a cascade is noted before it is reported.
    guard attempt.number != 0, let lack = Lack(refusal), lack != .causes else { return }
    noteLack(lack, refusal.status, of: attempt)
  }

  package func noteLack(_ lack: Lack, _ status: Status, of attempt: Attempt) {
    guard attempt.number != 0 else { return }
    noteRefused(lack, status, number: attempt.number)
  }
}

extension DelivererState {
  /// Counts attempts from the first again. Under both locks, before the first event.
  package mutating func forgetAttempts() {
    attempts = CallbackCount()
    looks = Looks()
    attemptsToShow = 0
  }
}

/// Final answers in the inbox. Their requests are settled, but a replay has an answer only where it was taken in. So what a
/// callback may have found settled is recorded, each request once.
extension Stream {
  /// Records for which requests an answer waits, when this thread was refused something because a request is settled, or
  /// when a callback has ended scopes: their requests that are settled were left alone. No lock held.
  ///
  /// - Parameter last: The last position before; nil: the last one now.
  @inline(never)
  package func noteAnswersWaiting(after last: UInt64? = nil) {
    guard connectedRecorder != nil, let event = eventOfCallback, !isForked else { return }
    guard isOwned || isGuarded else { return noteReleased(event, after: last) }
    // Only this thread takes in what is there: others append to it.
    while true {
      let (looked, isUnnoted, accepted) = locked {
        let next = state.pointee.loop.inbox.look()
        return (next, next.map { noteAnswer($0) } ?? false, position)
      }
      guard let queued = looked else { return }
      guard isUnnoted else { continue }
      record(
        .answered(
          AnsweredEarly(
            event: event.pointee.position, request: queued.pointee.event.answers,
            accepted: last ?? accepted)))
    }
  }

  /// Like `noteAnswersWaiting`, where any thread takes in what is there: in such a context only the answers wait that the
  /// library gives when the last copy of a request is released.
  private func noteReleased(
    _ event: UnsafeMutablePointer<mainstem_event>, after last: UInt64?
  ) {
    // So many with each look at the inbox, which others may empty meanwhile.
    var found = InlineArray<32, UInt64>(repeating: 0)
    var count = 0
    repeat {
      count = 0
      let accepted = locked { () -> UInt64 in
        while count < found.count, let queued = state.pointee.loop.inbox.look() {
          guard noteAnswer(queued) else { continue }
          found[count] = queued.pointee.event.answers
          count &+= 1
        }
        return position
      }
      for request in 0..<count {
        record(
          .answered(
            AnsweredEarly(
              event: event.pointee.position, request: found[request], accepted: last ?? accepted)))
      }
    } while count == found.count
  }

  /// Whether an event of the inbox is an answer that is not recorded yet as one that waits. Under the lock.
  private func noteAnswer(_ queued: QueuedEvent.Pointer) -> Bool {
    guard let slot = answeredSlot(queued) else { return false }
    let found = slot.pointee.origin.load(ordering: .relaxed)
    guard found & Slot.isNoted == 0 else { return false }
    slot.pointee.origin.store(found | Slot.isNoted, ordering: .relaxed)
    return true
  }

  /// The slot of the tracked request that an event of the inbox answers; nil: it is something else. Under the lock.
  func answeredSlot(_ queued: QueuedEvent.Pointer) -> Slot.Pointer? {
    let event = queued.pointee.event
    guard event.answers != 0, event.reply != 0, event.flags & UInt32(MAINSTEM_EVENT_PROGRESS) == 0
    else { return nil }
    return Slot.find(Handle(bits: event.reply))?.slot
  }
}
