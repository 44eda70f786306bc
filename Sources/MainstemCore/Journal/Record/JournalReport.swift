// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The payload of "MainstemJournalFailed": the context goes on unrecorded.
private struct JournalReport: Report {
  let path: Bytes
  let status: Status
  /// The last position in the file.
  let written: UInt64

  func write(_ stream: Stream, to writer: inout JSONWriter) {
    writer.open()
    writer.member("path", path.isUTF8 ? path : Bytes(""))
    writer.member("status", status.name.bytes)
    writer.member("written", Int64(clamping: written))
    writer.close()
  }
}

extension Stream {
  /// Registers the notice's type, for a recorded context that may go on unrecorded.
  package func addJournalReportType() throws(Refusal) {
    state.pointee.reports.journal = try addReportType("MainstemJournalFailed")
  }

  /// Reports that recording has stopped.
  func reportUnrecorded(_ recorder: Recorder.Pointer) {
    let failure = recorder.pointee.failure.load(ordering: .relaxed)
    report(
      state.pointee.reports.journal,
      JournalReport(
        path: recorder.pointee.path?.bytes ?? Bytes(""), status: Status(rawValue: failure) ?? .io,
        written: recorder.pointee.written.load(ordering: .relaxed)))
  }
}
