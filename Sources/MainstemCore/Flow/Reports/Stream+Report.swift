// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A report of the core's own on the stream.
package protocol Report {
  /// Writes the report as JSON; the stream provides names. Under the lock.
  func write(_ stream: Stream, to writer: inout JSONWriter)
}

/// Reporting: everything is counted, the 1st, 2nd, 4th, 8th … is reported.
extension Stream {
  /// Registers the types of reports, when the stream is opened.
  package func addReportTypes() throws(Refusal) {
    state.pointee.reports.own.failure = try addReportType("MainstemFailure")
    state.pointee.reports.own.denied = try addReportType("MainstemDenied")
    state.pointee.reports.own.limit = try addReportType("MainstemLimit")
    state.pointee.reports.own.activity = try addReportType("MainstemActivity")
  }

  /// Registers the type that tells ends of scopes. Under the lock.
  package func addEndType() throws(Refusal) {
    guard state.pointee.reports.ended == 0 else { return }
    let contract =
      Contract.Payload.integer.rawValue << 32 | Contract.Role.notice.rawValue << 36 | 5 << 40
    state.pointee.reports.ended = try addType(Bytes("MainstemEnded"), contract, response: nil)
  }

  package func addReportType(_ name: StaticString) throws(Refusal) -> UInt32 {
    try addType(Bytes(name), Reports.contract, response: nil)
  }

  /// Whether the `count`th of something is reported: the 1st, 2nd, 4th, 8th …, but nothing that follows from a report
  /// itself.
  package func isTold(_ count: UInt64) -> Bool {
    guard count & (count &- 1) == 0 else { return false }
    guard let event = Frame.of(self)?.pointee.event else { return true }
    return !state.pointee.reports.own.tellOfCallbacks(event.pointee.type)
  }

  /// Puts a report on the stream. Without memory or room it stays counted.
  ///
  /// - Parameter ofHost: Whether it is about what the host does, which no replay repeats.
  package func report(_ type: UInt32, _ content: some Report, ofHost: Bool = false) {
    let isInput = isTapped && (ofHost || state.pointee.reports.own.isInput(type))
    guard let attempt = attempt(reporting: type, asInput: isInput) else { return }
    report(type, written(content), attempt, asInput: isInput)
  }

  /// Reports a failure that a replay does not find: the report is an input. Only in a stream that is not fed.
  ///
  /// - Parameter waits: Whether it waits for the next drain.
  @inline(never)
  func reportAsInput(_ content: FailureReport, toInbox waits: Bool) {
    guard let queued = written(content) else { return }
    var draft = draft(of: state.pointee.reports.own.failure, queued)
    draft.flags = UInt32(MAINSTEM_EVENT_OUTSIDE)
    try? letIn(draft, .report, .unnoted, in: queued, toInbox: waits)
  }

  /// A report as an event; nil without memory.
  @inline(never)
  private func written(_ content: some Report) -> QueuedEvent.Pointer? {
    locked {
      var measure = JSONWriter(nil)
      content.write(self, to: &measure)
      guard let queued = QueuedEvent.make(capacity: measure.length) else { return nil }
      var writer = JSONWriter(QueuedEvent.payload(of: queued))
      content.write(self, to: &writer)
      return queued
    }
  }

  private func draft(of type: UInt32, _ queued: QueuedEvent.Pointer) -> Draft {
    Draft(
      type: type, data: UnsafeRawPointer(QueuedEvent.payload(of: queued)),
      size: queued.pointee.capacity, origin: 0)
  }

  /// What notes a report's fate; nil if the report must not be made here.
  ///
  /// - Parameter isInput: Whether it is recorded as an input.
  @inline(never)
  private func attempt(reporting type: UInt32, asInput isInput: Bool) -> Attempt? {
    guard let attempt = isInput ? .unnoted : try? attempt(),
      (try? goesAhead(isInput: isInput)) == true
    else { return nil }
    return attempt
  }

  /// Puts a written report on the stream; nil: there was no memory for it.
  @inline(never)
  private func report(
    _ type: UInt32, _ queued: QueuedEvent.Pointer?, _ attempt: Attempt, asInput isInput: Bool
  ) {
    guard let queued else { return noteRefusal(.noMemory, of: attempt) }
    makeWay()
    var draft = draft(of: type, queued)
    if isInput { draft.flags = UInt32(MAINSTEM_EVENT_OUTSIDE) }
    do throws(Refusal) {
      try letIn(draft, .report, attempt, in: queued)
    } catch  where Frame.holding(self) != nil {
      noteRefusal(error, of: attempt)
    } catch {}
  }
}
