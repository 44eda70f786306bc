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

  /// Counts attempts from the first again. Under both locks, before the first event.
  package func forgetAttempts() {
    deliverer.pointee.attempts = CallbackCount()
    deliverer.pointee.looks = Looks()
    deliverer.pointee.attemptsToShow = 0
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
