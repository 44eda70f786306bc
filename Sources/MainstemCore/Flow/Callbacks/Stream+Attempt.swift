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

  /// Whether the stream has a tap. A fed stream has one too.
  @inline(__always)
  package var isTapped: Bool { bits != 0 }
  package var number: UInt64 { bits & (1 << 55 &- 1) }
  package var lack: Lack? { Lack(rawValue: UInt32(truncatingIfNeeded: bits >> 56)) }
}

/// Consecutive attempts of an event's callbacks that were refused, starting with the first.
package struct Refused {
  package let event: UInt64
  package let number: UInt64
  package var count: UInt64 = 1
  /// The last position accepted at the time.
  package let accepted: UInt64
  package let status: Int32
  package let lack: UInt32

  package init(
    event: UInt64, number: UInt64, count: UInt64 = 1, accepted: UInt64, status: Int32, lack: UInt32
  ) {
    self.event = event
    self.number = number
    self.count = count
    self.accepted = accepted
    self.status = status
    self.lack = lack
  }

  /// Adds the refusal that directly follows, if it has the same reason; false: it is something else.
  package mutating func add(_ next: Refused) -> Bool {
    guard next.event == event, next.number == number &+ count, next.bits == bits else {
      return false
    }
    count &+= 1
    return true
  }

  /// What the caller gets again in a replay: the status, then what was lacking.
  package var bits: UInt64 { UInt64(UInt32(bitPattern: status)) | UInt64(lack) << 32 }

  fileprivate static func refusal(_ bits: UInt64) -> Refusal {
    let status = Status(rawValue: Int32(truncatingIfNeeded: bits)) ?? .io
    guard let lack = lack(bits) else {
      return Refusal(status, "context", "refused this when the session was recorded")
    }
    return lack == .journal ? .unrecorded(status.rawValue) : .lacking(lack)
  }

  fileprivate static func lack(_ bits: UInt64) -> Lack? {
    Lack(rawValue: UInt32(truncatingIfNeeded: bits >> 32))
  }
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
  package static func countAttempt() { _ = try? Frame.innermost?.pointee.stream.attempt() }

  /// Counts attempts from the first again. Under both locks, before the first event.
  package func forgetAttempts() { deliverer.pointee.attempts = CallbackCount() }

  /// Counts an attempt of a callback; in a replay, throws what was thrown in the recorded session.
  @inline(__always)
  package func attempt() throws(Refusal) -> Attempt {
    guard tap != nil else { return .unnoted }
    return try attemptInCallback()
  }

  @inline(never)
  private func attemptInCallback() throws(Refusal) -> Attempt {
    guard let event = eventOfCallback?.callbackKey else { return Attempt(0) }
    let number = deliverer.pointee.attempts.next(of: event)
    guard feeding == .inputs, let source = state.pointee.feed.source,
      let refused = state.pointee.feed.refused?(
        source, event & ~CallbackCount.late, number), refused != 0
    else { return Attempt(number) }
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
    // The end of a cascade is noted before it is reported.
    guard attempt.number != 0, let lack = Lack(refusal), lack != .causes else { return }
    noteLack(lack, refusal.status, of: attempt)
  }

  package func noteLack(_ lack: Lack, _ status: Status, of attempt: Attempt) {
    guard attempt.number != 0, !isFed, let tap, let event = eventOfCallback else { return }
    var refused = Refused(
      event: event.pointee.position, number: attempt.number, accepted: position,
      status: status.rawValue,
      lack: lack.rawValue)
    tap.pointee.noteRefused(tap.pointee.state, UnsafeMutableRawPointer(state), &refused)
  }
}
