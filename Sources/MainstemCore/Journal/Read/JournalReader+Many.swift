// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Reading many events with one call, into the host's memory.
extension JournalReader {
  /// Writes the next events into an empty buffer, as many as fit; none: the reader is at the end.
  ///
  /// An error behind them waits for the next call, and so does a record that changes a name: when this returns, `names`
  /// is right for all events in the buffer.
  ///
  /// - Returns: The buffer size that the next event needs, if it has no room; otherwise 0.
  package mutating func readMany(into buffer: inout RecordBuffer) throws(Refusal) -> Int {
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

  /// Writes the next records into an empty buffer, whatever they are, as many as fit; none: the reader is at the end.
  ///
  /// An error behind them waits for the next call.
  ///
  /// - Returns: The buffer size that the next record needs, if it has no room; otherwise 0.
  package mutating func readManyRecords(into buffer: inout RecordBuffer) throws(Refusal) -> Int {
    stopsAtHeaders = true
    defer { stopsAtHeaders = false }
    var header = mainstem_event()
    do throws(Refusal) {
      while true {
        if isAtHeader {
          guard buffer.hasRoom(for: RecordFormat.fileHeaderSize) else {
            return RecordBuffer.size(for: RecordFormat.fileHeaderSize)
          }
          guard try tellHeader(to: &header) else { return 0 }
          buffer.write(&header)
        }
        guard let record = try next(after: &buffer) else {
          if isAtHeader { continue }
          return 0
        }
        guard buffer.hasRoom(for: record.size) else { return RecordBuffer.size(for: record.size) }
        guard try take(record) else {
          state = .damaged(Self.unsound)
          continue
        }
        _ = buffer.write(record.header, record.payload)
      }
    } catch {
      guard buffer.count > 0 else { throw error }
    }
    return 0
  }

  /// The next record that needs a closer look, not taken in yet; nil at the end. If the buffer has events already, also
  /// nil where the reader would have to look further.
  private mutating func next(after buffer: inout RecordBuffer) throws(Refusal) -> JournalRecord? {
    if isReading { writeShown(to: &buffer) }
    return try nextIntact(orLook: buffer.count == 0)
  }

  /// Writes the events that the window shows whole, up to the first record that is not an event, has no room or is not
  /// sound. Keeps all state in local variables, because this is the hot loop of reading.
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
