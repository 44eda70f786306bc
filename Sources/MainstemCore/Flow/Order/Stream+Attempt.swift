// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Something that a callback tries and that can be refused for want of room: that is written down, since no
/// replay comes to the same by itself, and refused again.
package struct Attempt {
  private let bits: UInt64

  /// - Parameters:
  ///   - number: Which one of all that callbacks of the event try; 0: it is no callback that is repeated.
  ///   - lack: What there was too little of, where the caller is to say so.
  fileprivate init(_ number: UInt64, lack: Lack? = nil) {
    bits = number | 1 << 55 | UInt64(lack?.rawValue ?? 0) << 56
  }

  private init() { bits = 0 }

  /// It is nobody's to count.
  package static var unnoted: Attempt { Attempt() }

  /// Whether the stream has a tap, which a fed one has too.
  @inline(__always)
  package var isTapped: Bool { bits != 0 }
  package var number: UInt64 { bits & (1 << 55 &- 1) }
  package var lack: Lack? { Lack(rawValue: UInt32(truncatingIfNeeded: bits >> 56)) }
}

/// What callbacks of an event were refused: the first of so many attempts in a row.
package struct Refused {
  package let event: UInt64
  package let number: UInt64
  package var count: UInt64 = 1
  /// The last position accepted then.
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

  /// Takes in what was refused directly after it, for the same reason; false: it is something else.
  package mutating func add(_ next: Refused) -> Bool {
    guard next.event == event, next.number == number &+ count, next.bits == bits else {
      return false
    }
    count &+= 1
    return true
  }

  /// What the one who tries gets again: the status, then what there was too little of.
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
  /// Does what can be refused for want of room.
  @inline(__always)
  package func trying<Result>(
    _ body: (Attempt) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let attempt = try attempt()
    do throws(Refusal) {
      return try body(attempt)
    } catch {
      note(error, of: attempt)
      throw error
    }
  }

  /// Counts what the callback that this thread is in tries, and is not granted.
  @inline(never)
  package static func countAttempt() { _ = try? Frame.innermost?.pointee.stream.attempt() }

  /// Counts what a callback tries; in a replay, throws what it was refused then.
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
    if refusal.status == .full { state.pointee.rejections.wrappingAdd(1, ordering: .relaxed) }
    throw refusal
  }

  /// Writes down that a callback was refused something, if that was for want of something. For the deliverer.
  @inline(never)
  package func note(_ refusal: Refusal, of attempt: Attempt) {
    // The end of a cascade is noted before it is reported.
    guard attempt.number != 0, let lack = Lack(refusal), lack != .causes else { return }
    note(lack, refusal.status, of: attempt)
  }

  package func note(_ lack: Lack, _ status: Status, of attempt: Attempt) {
    guard attempt.number != 0, !isFed, let tap, let event = eventOfCallback else { return }
    var refused = Refused(
      event: event.pointee.position, number: attempt.number, accepted: position,
      status: status.rawValue,
      lack: lack.rawValue)
    tap.pointee.noteRefused(tap.pointee.state, UnsafeMutableRawPointer(state), &refused)
  }
}
