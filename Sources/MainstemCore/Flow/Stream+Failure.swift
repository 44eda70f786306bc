// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Failing callbacks: counted each time, reported ever less often.
extension Stream {
  /// The name of the event type that reports failures.
  package static var failureName: StaticString { "MainstemFailure" }

  /// A callback says that it failed.
  package static func fail(
    _ event: UnsafePointer<mainstem_event>, _ code: Int32, _ sentence: Bytes
  ) throws(Refusal) {
    guard let frame = Frame.of(event) else {
      throw Refusal(.invalid, "event", "is not the one this thread's callback got")
    }
    frame.pointee.stream.fail(in: frame, code, sentence)
  }

  /// Counts a failed call, and reports the 1st, 2nd, 4th, 8th … of its subscription. The first word counts.
  package func fail(in frame: UnsafeMutablePointer<Frame>, _ code: Int32, _ sentence: Bytes) {
    guard !frame.pointee.hasFailed, let event = frame.pointee.event else { return }
    frame.pointee.failed = frame.pointee.call
    let total = state.pointee.failures.load(ordering: .relaxed) &+ 1
    state.pointee.failures.store(total, ordering: .relaxed)
    var count: UInt64 = 1
    var origin = frame.pointee.origin
    if let row = frame.pointee.row {
      row.pointee.failures &+= 1
      count = row.pointee.failures
      origin = row.pointee.scope.pointee.origin
    }
    guard event.pointee.type != state.pointee.failureType, count & (count &- 1) == 0 else { return }
    report(event, FailureReport(code: code, sentence: sentence, count: count, origin: origin))
  }

  /// Puts the report on the stream. Without memory for it the failure stays counted.
  private func report(_ event: UnsafeMutablePointer<mainstem_event>, _ report: FailureReport) {
    let (type, origin) = locked { () -> (Bytes, Bytes) in
      (
        state.pointee.types[event.pointee.type]?.name.bytes ?? Bytes(""),
        state.pointee.origins[report.origin] ?? Bytes("")
      )
    }
    var measure = JSONWriter(nil)
    report.write(type: type, origin: origin, to: &measure)
    guard let kept = KeptEvent.make(capacity: measure.length) else { return }
    let payload = KeptEvent.payload(of: kept)
    var writer = JSONWriter(payload)
    report.write(type: type, origin: origin, to: &writer)
    enqueue(
      Draft(
        type: state.pointee.failureType, data: UnsafeRawPointer(payload), size: measure.length,
        origin: 0),
      kept)
  }
}

/// What a "MainstemFailure" event says.
package struct FailureReport {
  package let code: Int32
  package let sentence: Bytes
  package let count: UInt64
  /// Where the failed subscription was made.
  package let origin: UInt32

  fileprivate func write(type: Bytes, origin: Bytes, to writer: inout JSONWriter) {
    writer.open()
    writer.member("type", type)
    writer.member("origin", origin)
    writer.member("code", Int64(code))
    writer.member("sentence", sentence)
    writer.member("count", Int64(clamping: count))
    writer.close()
  }
}
