// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What a stream tells about itself: the event types of the core's own reports, JSON notices of the layer system, and
/// the first failed call. Under the lock.
package struct Reports {
  /// Of every context: any thread reads them without the lock.
  package var own = OwnReports()
  /// 0 until a context is recorded that goes on when recording fails.
  package var journal: UInt32 = 0
  /// That a scope has ended; 0 until such an end is told.
  var ended: UInt32 = 0
  /// Whether the activity of every request type is reported, including types to come.
  package var tellActivity = false
  var firstError = FirstError()

  package init() {}

  /// Forgets what one context told.
  package mutating func clear() {
    tellActivity = false
    ended = 0
    firstError.message?.free()
    firstError = FirstError()
  }

  package func contain(_ type: UInt32) -> Bool {
    own.tellOfCallbacks(type) || type == own.activity || type == journal || type == ended
  }

  static var contract: UInt64 {
    Contract.Payload.json.rawValue << 32 | Contract.Role.notice.rawValue << 36 | 5 << 40
  }
}

/// The types that are registered when a context is opened, and never change.
package struct OwnReports {
  package var failure: UInt32 = 0
  package var denied: UInt32 = 0
  package var limit: UInt32 = 0
  package var activity: UInt32 = 0

  /// Whether a report is about something that went wrong in a callback.
  func tellOfCallbacks(_ type: UInt32) -> Bool {
    type == failure || type == denied || type == limit
  }

  /// Whether a report is an input when recorded: it counts what callbacks do that no replay calls again.
  func isInput(_ type: UInt32) -> Bool { type == denied || type == limit }
}

/// The first failed call, kept for `first_error`.
struct FirstError {
  private(set) var status: Int32 = 0
  private(set) var message: Name?

  mutating func note(_ status: Int32, _ message: Bytes) {
    guard self.status == 0 else { return }
    self.status = status
    self.message = Name(copying: message)
  }
}

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

/// What a stream says about itself.
extension Stream {
  /// Writes an event as one line.
  ///
  /// - Returns: The length of the whole line.
  package func line(
    _ event: UnsafePointer<mainstem_event>, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
  ) -> Int {
    locked {
      let entry = state.pointee.types[event.pointee.type]
      var line = EventLine(buffer, capacity: capacity)
      line.write(
        event, name: entry?.name.bytes ?? Bytes("?"),
        contract: entry?.contract ?? Contract(bits: 0),
        origin: state.pointee.scopes.describe(event.pointee.origin)?.name ?? Bytes(""))
      return line.length
    }
  }

  /// Reads the counters. Under the lock.
  package func readStats(into stats: UnsafeMutablePointer<mainstem_context_stats>) {
    state.pointee.scopes.readStats(into: stats)
    stats.pointee.events = position
    stats.pointee.deliveries = state.pointee.delivery.calls
    state.pointee.observers.readStats(into: stats)
    values.pointee.readStats(into: stats)
    stats.pointee.types = UInt64(state.pointee.types.count)
    stats.pointee.requests = state.pointee.openRequests.load(ordering: .relaxed)
    stats.pointee.rejected = rejections
    state.pointee.loop.readStats(into: stats)
  }

  /// Keeps the first failed call's status and message.
  package func noteFirstError(_ status: Int32, _ message: Bytes) {
    locked {
      guard state.pointee.scopes.root != nil else { return }
      state.pointee.reports.firstError.note(status, message)
    }
  }

  package func readFirstError(
    _ message: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> Int32 {
    locked {
      let first = state.pointee.reports.firstError
      message?.pointee =
        first.message.map { UnsafePointer($0.text) }
        ?? Draft.nothing.assumingMemoryBound(to: CChar.self)
      return first.status
    }
  }
}

extension ResolvedHandle {
  /// The stream, unless it is being closed.
  package func open() throws(Refusal) -> Stream {
    guard isLive, !stream.isClosed else { throw .ended }
    return stream
  }
}
