// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Failing callbacks: every failure is counted, the 1st, 2nd, 4th, 8th … is reported.
extension Stream {
  /// Notes that a callback failed, as the callback itself says.
  package static func fail(
    _ event: UnsafePointer<mainstem_event>, _ code: Int32, _ message: Bytes
  ) throws(Refusal) {
    guard let frame = Frame.of(event) ?? Frame.running(event) else {
      throw .notInCallback
    }
    guard !frame.pointee.stream.isForked else { throw .forked }
    let isSecret = event.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0
    frame.pointee.stream.fail(
      in: frame, code, isSecret ? FailureReport.withheld : message, of: event.pointee.type)
  }

  /// Counts a failed call, and reports the 1st, 2nd, 4th, 8th … of its subscription. Only the first failure of a call
  /// counts.
  ///
  /// - Parameter type: That of the event that the callback got, if it is not the one being delivered.
  func fail(
    in frame: UnsafeMutablePointer<Frame>, _ code: Int32, _ message: Bytes, of type: UInt32? = nil
  ) {
    guard !frame.pointee.hasFailed, let event = frame.pointee.event else { return }
    frame.pointee.noteFailed()
    state.pointee.observers.failures.wrappingAdd(1, ordering: .relaxed)
    var count: UInt64 = 1
    var origin = frame.pointee.origin
    if let row = frame.pointee.row {
      count = Subscription.countFailure(row)
      origin = row.pointee.scope.pointee.origin
      if row.pointee.call.isHandler, Stream.isAsking(event) { _ = locked { tellHeld(event, 0) } }
    }
    guard isTold(count) else { return }
    report(
      state.pointee.reports.own.failure,
      FailureReport(
        code: code, message: message, count: count, origin: origin,
        type: type ?? event.pointee.type))
  }

  /// Like `fail`, for a show function, which perhaps has no event.
  func failShow(in frame: UnsafeMutablePointer<Frame>, _ code: Int32) {
    guard let row = frame.pointee.row, !frame.pointee.hasFailed else { return }
    state.pointee.observers.failures.wrappingAdd(1, ordering: .relaxed)
    let count = Subscription.countFailure(row)
    guard isTold(count) else { return }
    report(
      state.pointee.reports.own.failure,
      FailureReport(
        code: code, message: FailureReport.show, count: count,
        origin: row.pointee.scope.pointee.origin, type: frame.pointee.event?.pointee.type ?? 0))
  }
}

extension Stream {
  /// Reports that functions wait for a drain, in a context that is about to close and that nobody has ever drained: they
  /// were never called.
  package func reportUndrained() {
    guard !isFed, let lost = locked({ undrained }) else { return }
    report(state.pointee.reports.own.failure, lost, ofHost: true)
  }

  /// Under the lock.
  private var undrained: FailureReport? {
    guard !state.pointee.loop.wake.isServed else { return nil }
    let host = state.pointee.schedulers[Schedulers.host]
    host?.pointee.lock.acquire()
    defer { host?.pointee.lock.release() }
    let first = host?.pointee.firstUncalled
    let count = UInt64(state.pointee.loop.tasks.count) &+ (first?.count ?? 0)
    guard count > 0 else { return nil }
    return FailureReport(
      code: Status.incomplete.rawValue, message: FailureReport.undrained, count: count,
      origin: first?.subscription.pointee.scope.pointee.origin ?? 0,
      type: first?.event.pointee.event.type ?? 0)
  }
}

/// The content of a "MainstemFailure" event.
struct FailureReport: Report {
  let code: Int32
  let message: Bytes
  let count: UInt64
  /// The scope in which the failed subscription was made.
  let origin: UInt32
  /// The event that its callback got.
  let type: UInt32

  /// The message for a callback that did not return.
  static var incomplete: Bytes { Bytes("the callback did not return as it should") }

  /// The message for a handler whose queue had no room for an event that could not be refused.
  static var lost: Bytes { Bytes("the queue of the handler was full: an event was lost") }

  /// The message for functions that were never called, because only a drain calls them.
  static var undrained: Bytes {
    Bytes("nobody has drained this context, so what runs on the host was never called: drain it")
  }

  /// The message for a show function, which only returns a status.
  static var show: Bytes { Bytes("the show function failed") }

  /// Replaces a message about a secret, which may quote it.
  static var withheld: Bytes { Bytes("<secret>") }

  func write(_ stream: Stream, to writer: inout JSONWriter) {
    writer.open()
    writer.member("type", stream.state.pointee.types[type]?.name.bytes ?? Bytes(""))
    writer.member("origin", stream.state.pointee.scopes.describe(origin)?.name ?? Bytes(""))
    writer.member("code", Int64(code))
    writer.member("sentence", message)
    writer.member("count", Int64(clamping: count))
    writer.close()
  }
}
