// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Reads a journal from beginning to end: docs/journal-format.md, "Reading".
///
///     var reader = try JournalReader.open(path)       // IO, CORRUPT, VERSION, NO_MEMORY
///     while let record = try reader.next() {          // IO, CORRUPT, NO_MEMORY
///       guard record.isEvent else { continue }        // session, type … are taken in already
///       let event = record.event                      // borrowed until the next call
///       let name = reader.names.types.name(of: event.type)
///     }
///     reader.progress.torn                            // what a crash left at the end
///
/// `next` returns every intact record in order, including those that are not events. When it returns, what those say
/// about sessions, types, layers and origins is in `session` and `names`. Nil is the end. If an intact record follows
/// one that is not, the journal is damaged: `next` throws CORRUPT, at every call, with a message that says where. IO
/// and NO_MEMORY change nothing: the next call tries again.
///
/// To continue a journal, read it to the end. Then `id`, `progress.last`, `place.end` (where the next record goes),
/// `place.link` (its link) and `place.number` are known.
///
/// No file can make the reader trap, take memory beyond the longest record and a constant, or take more than linear
/// time. A reader is used by one thread at a time and holds one descriptor.
package struct JournalReader: ~Copyable {
  /// Where the reader stands.
  package struct Place {
    /// The file's number, from its header.
    package var number: UInt64 = 0
    /// Whether the files are called PATH.000001 and so on.
    package var isNumbered = false
    /// The end of the last intact record, where the next one begins.
    package var end = 0
    /// The link that the next record must have.
    package var link: UInt32 = 0
  }

  /// What has been read so far.
  package struct Progress {
    package var files: UInt64 = 0
    package var sessions: UInt64 = 0
    package var events: UInt64 = 0
    /// The position of the first event; 0: there was none.
    package var first: UInt64 = 0
    /// The last accepted position, including skipped ones.
    package var last: UInt64 = 0
    /// Bytes of intact headers and records.
    package var bytes: UInt64 = 0
    /// Bytes that a crash left behind the last intact record.
    package var torn: UInt64 = 0
    /// The last recorded digest, and the last position that it covers.
    package var digest: UInt64 = 0
    package var digestPosition: UInt64 = 0
    /// Whether the last record says that the context was closed.
    package var isEnded = false
  }

  /// The content of a session's record; zeros before the first.
  package struct Session {
    package var time: Int64 = 0
    package var seed: UInt64 = 0
    package var digest: UInt64 = 0
    package var process: UInt32 = 0
    package var level: UInt32 = 0
    package var flags: UInt32 = 0
    /// Whether the session continues from the file before, and its digest too.
    package var continues: Bool { flags & RecordFormat.Session.continues != 0 }
    /// Whether every subscription of a scope counts for the numbers that callbacks draw, not only those that draw.
    package var drawsByRegistration: Bool { flags & RecordFormat.Session.countsDrawers == 0 }
    /// Whether the numbers of its scopes have 64 bits.
    package var hasWideNumbers: Bool { flags & RecordFormat.Session.narrowNumbers == 0 }
  }

  package enum State {
    case reading
    case ended
    /// The reason why reading stops.
    case damaged(Phrase)
  }

  package let path: JournalPath
  /// The version of the format, the same in all files; 0: no header names it.
  package internal(set) var version: UInt32 = 0
  /// The journal's id, 16 bytes, as two numbers.
  package internal(set) var id: (UInt64, UInt64) = (0, 0)
  package internal(set) var place = Place()
  package internal(set) var progress = Progress()
  package internal(set) var session = Session()
  package internal(set) var names = JournalNames()
  package internal(set) var state = State.reading

  var file: JournalFile
  /// Whether the header of the open file was not told yet, and whether `next` stops there.
  var hasHeaderToTell = false
  var stopsAtHeaders = false
  var isAtHeader: Bool { hasHeaderToTell && place.end == RecordFormat.fileHeaderSize }
  /// Whether the first file exists but has no header yet.
  package internal(set) var isBlank = false

  /// The seed of the records' checksums.
  var key: UInt32 = 0
  /// The highest file number of this journal when it was opened, or followed.
  var highest: UInt64 = 0
  /// What of `progress.torn` lies where reading ended.
  var tornAtEnd = 0

  /// Whether the open file has an intact header; for salvage.
  var hasHeader = true
  /// The position of the first event; 0: unknown.
  var firstPosition: UInt64 = 0

  private init(_ path: consuming JournalPath, _ file: consuming JournalFile, _ range: FileRange) {
    self.path = path
    self.file = file
    highest = range.highest
    place.isNumbered = range.lowest != 0
  }

  /// Opens the journal at a path: the file of that name, or PATH.000001 and so on from the lowest that exists.
  ///
  /// If a crash left less than a header of the first file, the journal is empty: the reader is at its end.
  ///
  /// - Parameter path: The path, zero-ended.
  package static func open(_ path: UnsafePointer<CChar>?) throws(Refusal) -> JournalReader {
    var range = FileRange()
    var reader = try openFile(path, &range)
    try reader.readFirstHeader(range)
    return reader
  }

  /// Opens the journal, whatever is in its files.
  static func openFile(
    _ path: UnsafePointer<CChar>?, _ range: inout FileRange
  ) throws(Refusal) -> JournalReader {
    guard let path else { throw .null("path") }
    guard path[0] != 0 else { throw Refusal(.invalid, "path", "is empty") }
    let journalPath = try JournalPath(Bytes(zeroEnded: path))
    var failure: Int32 = 0
    let file = openFirst(path, &range, &failure)
    guard failure == 0 else {
      throw .file(Bytes(zeroEnded: path), "cannot be opened as a journal", failure)
    }
    return JournalReader(journalPath, file, range)
  }

  /// The next intact record, borrowed until the next call; nil at the end.
  @_optimize(speed)
  package mutating func next() throws(Refusal) -> JournalRecord? {
    while let record = try nextIntact() {
      if try take(record) { return record }
      state = .damaged(Self.unsound)
    }
    return nil
  }

  /// Reads the next event as a callback would have received it, and takes in the records before it. False at the end.
  package mutating func next(into event: inout mainstem_event) throws(Refusal) -> Bool {
    while let record = try next() {
      if record.isEvent {
        record.write(to: &event)
        return true
      }
    }
    return false
  }

  package var isReading: Bool {
    if case .reading = state { true } else { false }
  }

  package var isDamaged: Bool {
    if case .damaged = state { true } else { false }
  }

  /// Whether the last session was closed, with nothing after it.
  package var isClean: Bool {
    guard case .ended = state else { return false }
    return progress.isEnded && progress.torn == 0
  }
}

extension JournalReader {
  static var unsound: Phrase { "holds a record that no journal has" }

  /// The next intact record, not taken in yet; nil at the end.
  ///
  /// - Parameter looks: Whether to look further if the next bytes are no record; otherwise nil.
  mutating func nextIntact(orLook looks: Bool = true) throws(Refusal) -> JournalRecord? {
    while true {
      switch state {
      case .damaged(let reason): throw damage(reason)
      case .ended: return nil
      case .reading: break
      }
      if let record = try intactRecord() { return record }
      guard looks else { return nil }
      try lookFurther()
      if stopsAtHeaders, isAtHeader { return nil }
    }
  }

  /// The record at the current place, if it is intact and the next one.
  mutating func intactRecord() throws(Refusal) -> JournalRecord? {
    var found = shownRecord
    if found == nil { found = try record(at: place.end, link: place.link) }
    guard let found, !found.isEvent || isNext(found.position) else { return nil }
    return found
  }

  /// The same, if the window shows the whole record, as it nearly always does.
  @inline(__always)
  private var shownRecord: JournalRecord? {
    guard let (start, count) = file.shown(from: place.end), count >= RecordFormat.headerSize else {
      return nil
    }
    let record = JournalRecord(start, offset: place.end)
    guard record.length <= count, record.header.pointee.offset == place.link,
      Checksum.of(start, record.length &- RecordFormat.checksumSize, after: key) == record.checksum
    else { return nil }
    return record
  }

  /// Whether a position is the next one. Nothing follows the highest number.
  private func isNext(_ position: UInt64) -> Bool {
    position > progress.last && position == progress.last &+ 1
  }

  /// A record with a right checksum and, if a link is given, that link.
  mutating func record(at offset: Int, link: UInt32?) throws(Refusal) -> JournalRecord? {
    guard let head = try file.bytes(at: offset, RecordFormat.headerSize) else { return nil }
    let start = JournalRecord(head, offset: offset)
    let length = start.length
    guard length <= file.remaining(at: offset), link == nil || start.header.pointee.offset == link
    else { return nil }
    // A long record is proven right before memory is allocated for it.
    let body = length &- RecordFormat.checksumSize
    if length > JournalFile.windowSize {
      let sum = try file.checksum(at: offset, body, after: key)
      guard let end = try file.bytes(at: offset &+ length &- 8, 8),
        sum == end.load(fromByteOffset: 4, as: UInt32.self)
      else { return nil }
    }
    guard let whole = try file.bytes(at: offset, length) else { return nil }
    let record = JournalRecord(whole, offset: offset)
    // The file may have changed since its length was read.
    guard record.length == length, Checksum.of(whole, body, after: key) == record.checksum else {
      return nil
    }
    return record
  }

  /// Takes in an intact record; false: no writer makes such a record.
  mutating func take(_ record: JournalRecord) throws(Refusal) -> Bool {
    guard try record.isEvent ? takeEvent(record) : takeOther(record) else { return false }
    place.end &+= record.length
    place.link = record.checksum
    progress.bytes &+= UInt64(record.length)
    return true
  }

  @inline(__always)
  private mutating func takeEvent(_ record: JournalRecord) -> Bool {
    guard record.isSoundEvent else { return false }
    progress.last = record.position
    progress.events &+= 1
    if progress.first == 0 { progress.first = record.position }
    progress.isEnded = false
    return true
  }

  @inline(never)
  private mutating func takeOther(_ record: JournalRecord) throws(Refusal) -> Bool {
    guard record.isSoundOther, record.hasSoundContent else { return false }
    switch record.kind {
    case RecordFormat.Kind.session: takeSession(record)
    case RecordFormat.Kind.type, RecordFormat.Kind.layer, RecordFormat.Kind.origin:
      guard try names.take(record, version: version) else { return false }
    case RecordFormat.Kind.digest, RecordFormat.Kind.end:
      progress.digest = record.word(at: 0)
      progress.digestPosition = progress.last
    case RecordFormat.Kind.skipped:
      guard isNext(record.word(at: 0)) else { return false }
      progress.last = record.word(at: 8)
    default: break
    }
    progress.isEnded = record.kind == RecordFormat.Kind.end
    return true
  }

  private mutating func takeSession(_ record: JournalRecord) {
    typealias Field = RecordFormat.Session
    session = Session(
      time: Int64(bitPattern: record.word(at: Field.time)), seed: record.word(at: Field.seed),
      digest: record.word(at: Field.digest), process: record.half(at: Field.process),
      level: record.half(at: Field.level), flags: record.half(at: Field.flags))
    progress.sessions &+= 1
    progress.digest = session.digest
    progress.digestPosition = progress.last
    names = JournalNames()
  }
}

/// Going on behind a writer.
extension JournalReader {
  /// Looks again for what follows the end: `next` returns it. Without anything new, the reader stays at its end.
  package mutating func follow() throws(Refusal) {
    guard case .ended = state, !isBlank else { return }
    // Before the file is measured: one that another follows is complete.
    findHighest()
    if place.end == 0 { return try followHeader() }
    file.measure()
    if try hasMore() { state = .reading }
  }

  private mutating func findHighest() {
    var (lowest, found): (UInt64, UInt64) = (0, 0)
    guard place.isNumbered, mainstem_p_input_numbers(path.text, &lowest, &found) == 0 else {
      return
    }
    highest = max(highest, found)
  }

  /// Reads the header of the last file, which was not whole yet.
  private mutating func followHeader() throws(Refusal) {
    progress.torn &-= UInt64(tornAtEnd)
    tornAtEnd = 0
    place.number &-= 1
    state = .reading
    do throws(Refusal) {
      try openNext()
    } catch {
      place.number &+= 1
      state = .ended
      throw error
    }
  }

  /// Whether anything follows the last record, or did. Zeros are reserved room, which is not searched each time.
  private mutating func hasMore() throws(Refusal) -> Bool {
    if tornAtEnd > 0 || place.isNumbered && place.number < highest { return true }
    guard let head = try file.bytes(at: place.end, RecordFormat.headerSize) else {
      return file.remaining(at: place.end) > 0
    }
    // Every record has a type or a kind.
    return head.load(fromByteOffset: 48, as: UInt64.self) != 0
  }

  /// Counts what a crash left where reading ends, once however often it is looked at.
  @inline(never)
  mutating func noteTorn(_ bytes: Int) {
    progress.torn = progress.torn &- UInt64(tornAtEnd) &+ UInt64(bytes)
    tornAtEnd = bytes
  }
}
