// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Reading every record, also those that are not events.
extension JournalReader {
  /// Reads what comes next, be it an event or not. A file begins with its header, as a record without a kind. False at
  /// the end.
  package mutating func nextRecord(into event: inout mainstem_event) throws(Refusal) -> Bool {
    if !isAtHeader {
      stopsAtHeaders = true
      defer { stopsAtHeaders = false }
      if let record = try next() {
        record.write(to: &event)
        event.offset = record.header.pointee.offset
        return true
      }
    }
    guard isAtHeader else { return false }
    return try tellHeader(to: &event)
  }

  /// Tells the header of the open file, as a record without a kind.
  mutating func tellHeader(to event: inout mainstem_event) throws(Refusal) -> Bool {
    guard let header = try file.bytes(at: 0, RecordFormat.fileHeaderSize) else { return false }
    hasHeaderToTell = false
    let journal = event.through
    event = mainstem_event()
    event.position = progress.last
    event.size = UInt32(RecordFormat.fileHeaderSize)
    event.data = header
    event.user_message = ErrorValue.text(ofPayload: header, status: 0)
    event.through = journal
    return true
  }
}
