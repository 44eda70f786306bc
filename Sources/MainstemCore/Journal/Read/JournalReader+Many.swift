// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Many events with one call, into memory of the host's.
extension JournalReader {
  /// Writes the next events into an empty buffer, as many as have room; none: it is at the end.
  ///
  /// What is wrong behind them comes with the next call, and so does what changes a name: when this returns,
  /// `names` has those of all events in the buffer.
  ///
  /// - Returns: How large a buffer has to be for an event that had no room; 0: it was not that.
  package mutating func read(into buffer: inout RecordBuffer) throws(Refusal) -> Int {
    do throws(Refusal) {
      while let record = try next(after: &buffer) {
        if record.isEvent {
          guard buffer.hasRoom(for: record.size) else { return RecordBuffer.size(for: record.size) }
        } else if buffer.count > 0, names.changes(record, version: version) {
          return 0
        }
        guard try take(record) else {
          state = .damaged(Self.unsound)
          continue
        }
        if record.isEvent { _ = buffer.write(record.header, record.payload) }
      }
    } catch {
      guard buffer.count > 0 else { throw error }
    }
    return 0
  }

  /// The next record that needs a closer look, not taken in yet; nil at the end and, where events were
  /// written already, also where something is to be found out first.
  private mutating func next(after buffer: inout RecordBuffer) throws(Refusal) -> JournalRecord? {
    if isReading { writeShown(to: &buffer) }
    return try nextIntact(orLook: buffer.count == 0)
  }

  /// Writes the events that the window shows whole, up to the first record that is none, has no room, or is not as
  /// it should be. All that is known is kept at hand meanwhile: this is where a journal is read.
  private mutating func writeShown(to buffer: inout RecordBuffer) {
    guard let (start, count) = file.shown(from: place.end), count > 0 else { return }
    let key = key
    let end = start + count
    var at = start
    var (link, last) = (place.link, progress.last)
    let written = buffer.count
    while end - at >= RecordFormat.headerSize {
      let record = JournalRecord(at, offset: 0)
      let length = record.length
      guard length <= end - at, record.isEvent, record.header.pointee.offset == link,
        record.position == last &+ 1, last != .max, record.isSoundEvent
      else { break }
      let checksum = record.checksum
      guard Checksum.of(at, length &- RecordFormat.checksumSize, after: key) == checksum,
        buffer.write(record.header, record.payload)
      else { break }
      (at, link, last) = (at + length, checksum, last &+ 1)
    }
    guard buffer.count > written else { return }
    if progress.first == 0 { progress.first = progress.last &+ 1 }
    progress.events &+= UInt64(buffer.count &- written)
    progress.bytes &+= UInt64(at - start)
    progress.last = last
    progress.isEnded = false
    place.end &+= at - start
    place.link = link
  }
}
