// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A journal being read from beginning to end, without the program that wrote it.
///
/// Every event is checked before it is returned. A journal that is still being written can be read, up to its end
/// at the time it was opened, and on from there with ``follow()``. Only one thread at a time may use it.
///
///     let journal = try Journal("session.journal")
///     while let event = try journal.next() { print(event) }
///     print(try journal.info())
public final class Journal {
  let handle: OpaquePointer?
  private let types: EventTypes
  private var batch = JournalBatch()
  private var isClosed = false

  /// Opens a journal for reading: the file PATH or, if there is none, PATH.000001 and the files after it.
  ///
  /// - Parameters:
  ///   - path: The path of the file, or of the numbered files without the number.
  ///   - coder: Decodes payloads; `nil`: there are only events that need none.
  /// - Throws: ``Status/io`` if it does not exist or cannot be read, ``Status/corrupt`` if it is not a journal,
  ///   ``Status/version`` if this library cannot read its format version.
  public init(_ path: String, coder: (any PayloadCoder)? = JSONCoder()) throws(StreamError) {
    try StreamError.demandNoZero(path, "Journal: path")
    // No context is needed: payloads are only decoded, and no type is looked up.
    types = EventTypes(coder: coder ?? NoCoder(), home: nil)
    var handle: OpaquePointer?
    try StreamError.check(mainstem_journal_open(path, &handle))
    self.handle = handle
  }

  deinit {
    close()
    batch.free()
  }

  /// Reads the next event.
  ///
  /// - Returns: The event; `nil` at the end. What a crash left half written there is dropped and counted:
  ///   ``JournalInfo/tornBytes``.
  /// - Throws: ``Status/corrupt`` at damage before intact records, in this call and all later ones
  ///   (``salvage(from:to:)`` gets the rest); ``Status/stale`` after ``close()``.
  public func next() throws(StreamError) -> JournalEvent? {
    try batch.next(of: handle, types: types)
  }

  /// Reads on behind the end: ``next()`` returns what was appended since, if anything was.
  ///
  /// - Throws: ``Status/stale`` after ``close()``, ``Status/io`` if the file cannot be read.
  public func follow() throws(StreamError) {
    try StreamError.check(mainstem_journal_follow(handle))
  }

  /// Reads what is known about the journal, as far as it was read. Events are read in batches, so this may be ahead
  /// of ``next()``.
  ///
  /// - Returns: What is known so far.
  /// - Throws: ``Status/stale`` after ``close()``.
  public func info() throws(StreamError) -> JournalInfo {
    var info = mainstem_journal_info()
    info.size = UInt32(MemoryLayout<mainstem_journal_info>.size)
    try StreamError.check(mainstem_journal_info_read(handle, &info))
    return JournalInfo(info)
  }

  /// Closes the journal; a second call does nothing. Events already read stay valid.
  public func close() {
    if isClosed { return }
    isClosed = true
    batch.clear()
    mainstem_journal_close(handle)
  }
}

/// Events read from a journal but not yet returned, and the names already looked up, which are right for all of
/// them.
struct JournalBatch {
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 8)
  private var count = 0
  private var given = 0
  private var names: [mainstem_event_type: String] = [:]
  private var origins: [UInt32: String] = [:]

  func free() { buffer.deallocate() }

  /// Drops the events not yet returned.
  mutating func clear() { (count, given) = (0, 0) }

  /// Returns the next event; `nil` at the end.
  mutating func next(
    of journal: OpaquePointer?, types: EventTypes
  ) throws(StreamError) -> JournalEvent? {
    if given == count { try read(journal) }
    guard given < count else { return nil }
    var event = event(at: given)
    given += 1
    return withUnsafePointer(to: &event) { event in
      JournalEvent(
        event, name: names.find(event.pointee.type) { JournalEvent.name(of: $0, in: journal) },
        origin: origins.find(event.pointee.origin) { JournalEvent.origin($0, in: journal) },
        line: JournalEvent.line(of: event, in: journal), types: types)
    }
  }

  private mutating func read(_ journal: OpaquePointer?) throws(StreamError) {
    var needed = 0
    clear()
    var status = read(journal, &needed)
    if status == MAINSTEM_TOO_BIG {
      buffer.deallocate()
      buffer = .allocate(byteCount: needed, alignment: 8)
      status = read(journal, &needed)
    }
    try StreamError.check(status)
    names.removeAll(keepingCapacity: true)
    origins.removeAll(keepingCapacity: true)
  }

  private mutating func read(_ journal: OpaquePointer?, _ needed: inout Int) -> mainstem_status {
    mainstem_journal_next_many(journal, 0, buffer.baseAddress, buffer.count, &count, &needed)
  }

  private func event(at index: Int) -> mainstem_event {
    let size = MemoryLayout<mainstem_event_header>.size
    var event = mainstem_event()
    withUnsafeMutableBytes(of: &event) { event in
      event.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: buffer[index * size..<(index + 1) * size]))
    }
    event.data = buffer.baseAddress.map { UnsafeRawPointer($0) + Int(event.offset) }
    return event
  }
}

extension Dictionary {
  /// What is known of a key, or what is found now.
  fileprivate mutating func find(_ key: Key, _ read: (Key) -> Value) -> Value {
    if let known = self[key] { return known }
    let found = read(key)
    self[key] = found
    return found
  }
}

/// What is known about a journal, as far as it was read.
public struct JournalInfo: Sendable, Hashable {
  /// The format's version.
  public let version: UInt32
  /// 16 random bytes, the same in all its files.
  public let id: [UInt8]
  /// How many files so far.
  public let files: UInt64
  /// How often recording began, or continued in another file.
  public let sessions: UInt64
  /// How many events, including marked ones.
  public let events: UInt64
  /// The position of the first event; 0: there was none.
  public let first: UInt64
  /// The last accepted position, whether its event was kept or not.
  public let last: UInt64
  /// Bytes of intact records and headers.
  public let bytes: UInt64
  /// Bytes after them that a crash left half written.
  public let tornBytes: UInt64
  /// The number of the damaged file, from 1; 0: none found.
  public let damagedFile: UInt64
  /// Where the damage begins: a byte offset in that file.
  public let damagedAt: UInt64
  /// The last digest in it: two journals with the same digest have the same events.
  public let digest: UInt64
  /// The last position that digest covers.
  public let digestPosition: UInt64
  /// Whether it was read to the end, or to the damage.
  public let isRead: Bool
  /// Whether it ends with its context's close, and nothing follows.
  public let isClean: Bool
}

extension JournalInfo {
  init(_ info: mainstem_journal_info) {
    self.init(
      version: info.version, id: withUnsafeBytes(of: info.id) { Array($0) }, files: info.files,
      sessions: info.sessions, events: info.events, first: info.first, last: info.last,
      bytes: info.bytes, tornBytes: info.torn_bytes, damagedFile: info.damaged_file,
      damagedAt: info.damaged_at, digest: info.digest, digestPosition: info.digest_position,
      isRead: info.is_read != 0, isClean: info.is_clean != 0)
  }
}

/// One session of a journal: what one program recorded, from when it began to its end.
public struct JournalSession: Sendable, Hashable {
  /// Its number in the journal, from 1.
  public let number: UInt64
  /// The position of its first event.
  public let first: UInt64
  /// The position of its last event; before the first, if it has none.
  public fileprivate(set) var last: UInt64
}

extension Journal {
  /// Reads a journal to its end, and finds its sessions.
  ///
  ///     for session in try Journal.sessions(of: "sum.journal") {
  ///       try Journal.verify("sum.journal", session: session.number) { try install(in: $0) }
  ///     }
  ///
  /// - Parameter path: The journal's file, or its numbered files without the number.
  /// - Returns: Its sessions, the oldest first.
  /// - Throws: ``Status/io``, ``Status/corrupt`` or ``Status/version`` if it cannot be read.
  public static func sessions(of path: String) throws(StreamError) -> [JournalSession] {
    let journal = try Journal(path, coder: nil)
    defer { journal.close() }
    return try journal.readSessions()
  }

  private func readSessions() throws(StreamError) -> [JournalSession] {
    var found: [JournalSession] = []
    while let record = try nextRecord() {
      if record.pointee.beginsSession || found.isEmpty && record.pointee.isOfSession {
        let number = UInt64(found.count + 1)
        found.append(
          JournalSession(
            number: number, first: record.pointee.position + 1, last: record.pointee.position))
      } else if !found.isEmpty {
        found[found.count - 1].last = max(found[found.count - 1].last, record.pointee.position)
      }
    }
    return found
  }

  private func nextRecord() throws(StreamError) -> UnsafePointer<mainstem_event>? {
    var record: UnsafePointer<mainstem_event>?
    try StreamError.check(
      mainstem_journal_next(handle, UInt32(MAINSTEM_JOURNAL_EVERY_RECORD), &record))
    return record
  }
}

extension mainstem_event {
  /// Whether a record says with which types and seed a session goes on: at its beginning, and in each of its files.
  fileprivate var isOfSession: Bool { type == 0 && status == 1 && data != nil && size >= 36 }

  /// Whether it is the first such record of its session.
  fileprivate var beginsSession: Bool {
    guard isOfSession, let data else { return false }
    let continues: UInt32 = 1
    return UInt32(littleEndian: data.loadUnaligned(fromByteOffset: 32, as: UInt32.self)) & continues
      == 0
  }
}

/// What ``Journal/salvage(from:to:)`` kept, and what was lost.
public struct SalvageReport: Sendable, Hashable {
  /// How many events were kept.
  public let events: UInt64
  /// The position of the first event kept; 0: none.
  public let first: UInt64
  /// The position of the last event kept.
  public let last: UInt64
  /// How many positions nothing is known of, up to the last one named.
  public let lostPositions: UInt64
  /// How many bytes made no sense, or held nothing new.
  public let lostBytes: UInt64
  /// The lost ranges of positions; at most the first 4,096.
  public let lost: [ClosedRange<UInt64>]
}

extension Journal {
  /// Copies every intact event of a journal, damaged or not, into a new journal, in order of position.
  ///
  /// The journal, with all its files, is only read. A refused call leaves no file behind.
  ///
  /// - Parameters:
  ///   - path: The path of the journal.
  ///   - newPath: The path of the new journal, a single file; it must not exist.
  /// - Returns: What was kept, and what was lost.
  /// - Throws: ``Status/invalid`` if a file exists at the new path, ``Status/corrupt`` if there is no trace of a
  ///   journal, ``Status/version``, ``Status/io``, ``Status/noSpace``.
  @discardableResult
  public static func salvage(
    from path: String, to newPath: String
  ) throws(StreamError) -> SalvageReport {
    try StreamError.demandNoZero(path, "salvage: from")
    try StreamError.demandNoZero(newPath, "salvage: to")
    var report = mainstem_salvage_report()
    report.size = UInt32(MemoryLayout<mainstem_salvage_report>.size)
    var status: mainstem_status = 0
    let lost = [mainstem_gap](unsafeUninitializedCapacity: 4096) { buffer, count in
      report.range_capacity = UInt32(buffer.count)
      report.ranges = buffer.baseAddress
      status = mainstem_journal_salvage(path, newPath, &report)
      report.ranges = nil
      count = status == 0 ? Int(min(report.range_count, UInt64(report.range_capacity))) : 0
    }
    try StreamError.check(status)
    return SalvageReport(
      events: report.events, first: report.first, last: report.last,
      lostPositions: report.lost_positions, lostBytes: report.lost_bytes,
      lost: lost.map { ClosedRange(uncheckedBounds: (lower: $0.from, upper: $0.to)) })
  }
}
