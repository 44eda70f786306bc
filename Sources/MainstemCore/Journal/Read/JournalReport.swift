// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What a "MainstemJournalFailed" event says: the context goes on, and nobody writes it down.
private struct JournalReport: Report {
  let path: Bytes
  let status: Status
  /// The last position that is in the file.
  let written: UInt64

  func write(_ stream: Stream, to writer: inout JSONWriter) {
    writer.open()
    writer.member("path", path.isUTF8 ? path : Bytes(""))
    writer.member("status", Bytes(status.name))
    writer.member("written", Int64(clamping: written))
    writer.close()
  }
}

extension Stream {
  /// Registers the type of that notice, when a context is recorded that may go on.
  package func addJournalReportType() throws(Refusal) {
    state.pointee.reports.journal = try addReportType("MainstemJournalFailed")
  }

  /// Tells that nothing is recorded any more.
  func reportUnrecorded(_ recorder: Recorder.Pointer) {
    let failure = recorder.pointee.failure.load(ordering: .relaxed)
    report(
      state.pointee.reports.journal,
      JournalReport(
        path: recorder.pointee.path?.bytes ?? Bytes(""), status: Status(rawValue: failure) ?? .io,
        written: recorder.pointee.written.load(ordering: .relaxed)))
  }
}
