// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Copies every intact record of a journal, damaged or not, into a new one, and reports what is missing.
///
/// A first pass finds what is intact: runs of linked records. A second pass copies them in order. Records out of order
/// (a recycled tail, a record copied elsewhere) do not belong to the journal. Digests are left out, because they no
/// longer match what is there.
package struct Salvage: ~Copyable {
  /// What was kept and what was lost.
  package struct Report {
    package var events: UInt64 = 0
    package var first: UInt64 = 0
    package var last: UInt64 = 0
    package var lostPositions: UInt64 = 0
    package var ranges: UInt64 = 0
    package var lostBytes: UInt64 = 0
  }

  package private(set) var report = Report()
  private var reader: JournalReader
  private var runs = SalvageRuns()
  private var copier: RecordCopier
  /// Where to write the lost ranges of positions, and how many fit there.
  private let lost: UnsafeMutablePointer<mainstem_gap>?
  private let room: Int

  private var last: UInt64 = 0
  private var hasSession = false
  private var session: (file: UInt64, time: UInt64, seed: UInt64) = (0, 0, 0)

  private init(
    _ reader: consuming JournalReader, _ copier: consuming RecordCopier,
    _ lost: UnsafeMutablePointer<mainstem_gap>?, _ room: Int
  ) {
    self.reader = reader
    self.copier = copier
    self.lost = lost
    self.room = room
  }

  /// Salvages the journal at `path` into a new file.
  ///
  /// - Parameters:
  ///   - lost: Receives the first lost ranges of positions.
  ///   - room: The number of ranges that fit.
  package static func salvage(
    _ path: UnsafePointer<CChar>?, to: UnsafePointer<CChar>?,
    lost: UnsafeMutablePointer<mainstem_gap>?, room: Int
  ) throws(Refusal) -> Report {
    guard let to else { throw .null("to") }
    guard to[0] != 0 else { throw Refusal(.invalid, "to", "is empty") }
    let reader = try JournalReader.openDamaged(path)
    let copier = try RecordCopier.create(to)
    var salvage = Salvage(reader, copier, lost, room)
    try salvage.findRuns()
    guard salvage.runs.count > 0 || salvage.reader.hasHeader else {
      throw Refusal(.corrupt, "path", "has nothing of a journal in it")
    }
    try salvage.copyRuns()
    try salvage.copier.finish()
    return salvage.report
  }

  // MARK: What is intact

  private mutating func findRuns() throws(Refusal) {
    var number: UInt64? = reader.place.number
    while let current = number {
      try findRuns(inFile: current)
      number = try reader.openNextThere()
    }
  }

  private mutating func findRuns(inFile number: UInt64) throws(Refusal) {
    // Everything counts as lost until it is copied.
    let begin = reader.hasHeader ? RecordFormat.fileHeaderSize : 0
    var scan = RecordScan(from: begin, notBelow: 0, in: reader.file)
    var end = -1
    var link: UInt32 = 0
    while let candidate = try scan.nextCandidate(in: &reader.file) {
      guard scan.pays(for: candidate),
        let record = try reader.record(at: candidate.start, link: nil), record.isSound
      else { continue }
      if record.offset != end || record.header.pointee.offset != link {
        let first = record.isEvent ? record.position : record.position &+ 1
        try runs.add(SalvageRun(file: number, begin: record.offset, first: first))
      }
      runs.noteRecord()
      (end, link) = (record.offset &+ record.length, record.checksum)
      scan.skip(to: end)
    }
    report.lostBytes &+= UInt64(scan.bytes)
  }

  // MARK: Copying it

  private mutating func copyRuns() throws(Refusal) {
    var index = 0
    while let run = runs[index] {
      if !runs.isAhead(index, after: last) { try copy(run) }
      index &+= 1
    }
    if !hasSession { try begin(before: 1) }
  }

  private mutating func copy(_ run: SalvageRun) throws(Refusal) {
    try reader.open(run.file)
    var offset = run.begin
    var link: UInt32?
    // No more than the first pass counted, because somebody may be writing.
    var left = run.count
    while left > 0, let record = try reader.record(at: offset, link: link), record.isSound {
      (offset, link) = (offset &+ record.length, record.checksum)
      left &-= 1
      let isKept = record.isEvent ? record.position > last : record.position >= last
      guard isKept else { continue }
      report.lostBytes &-= UInt64(record.length)
      if record.isEvent { try copyEvent(record) } else { try copyOther(record) }
    }
  }

  private mutating func copyEvent(_ record: JournalRecord) throws(Refusal) {
    let (head, payload) = (record.header.pointee, record.payload)
    if !hasSession { try begin(before: head.position) }
    if head.position > last &+ 1 { try lose(last &+ 1, head.position &- 1) }
    if reader.names.types.name(of: head.type) == nil {
      try nameUnknown(RecordFormat.Kind.type, head.type)
    }
    if head.origin != 0, reader.names.origins.name(of: head.origin) == nil {
      try nameUnknown(RecordFormat.Kind.origin, head.origin)
    }
    try copier.add(head, payload)
    last = head.position
    report.events &+= 1
    report.last = last
    if report.first == 0 { report.first = last }
  }

  private mutating func copyOther(_ record: JournalRecord) throws(Refusal) {
    switch record.kind {
    case RecordFormat.Kind.session: try copySession(record)
    case RecordFormat.Kind.digest, RecordFormat.Kind.end:
      // Everything up to here was recorded, and nothing later will say so.
      if !hasSession { try begin(before: record.position &+ 1) }
      try lose(upTo: record.position)
    case RecordFormat.Kind.skipped: try copySkipped(record)
    case RecordFormat.Kind.type, RecordFormat.Kind.layer, RecordFormat.Kind.origin:
      if !hasSession { try begin(before: record.position &+ 1) }
      guard try reader.names.take(record, version: reader.version) else { return }
      try copyName(record)
    case RecordFormat.Kind.readPoint, RecordFormat.Kind.closing, RecordFormat.Kind.refused,
      RecordFormat.Kind.ended, RecordFormat.Kind.answered, RecordFormat.Kind.refusedShow:
      // What a callback knew is useful only behind the event it followed. Version 1 numbered other questions.
      guard hasSession, record.position == last, reader.version > 1 else { return }
      try copier.add(record.header.pointee, record.payload)
    case RecordFormat.Kind.list:
      guard hasSession, record.position == last else { return }
      try copier.add(record.header.pointee, record.payload)
    default: break
    }
  }

  /// Copies a record of a name. An origin of an older version is rewritten in the present format.
  private mutating func copyName(_ record: JournalRecord) throws(Refusal) {
    guard record.kind == RecordFormat.Kind.origin, !record.hasScope(reader.version) else {
      return try copier.add(record.header.pointee, record.payload)
    }
    guard let origin = record.origin(version: reader.version) else { return }
    // As large as its record, because a file may hold any name.
    let size = RecordFormat.Origin.size &+ origin.name.count
    guard let memory = Memory.allocate(UInt8.self, count: size) else { throw .noMemory }
    defer { Memory.free(memory) }
    var payload = PayloadWriter(UnsafeMutableRawPointer(memory))
    payload.add(origin)
    try copier.say(RecordFormat.Kind.origin, at: last, UnsafeRawPointer(memory), size)
  }

  /// Copies a session's record. It continues no other file, because the new journal has only one.
  private mutating func copySession(_ record: JournalRecord) throws(Refusal) {
    typealias Field = RecordFormat.Session
    let (time, seed) = (record.word(at: Field.time), record.word(at: Field.seed))
    guard session != (reader.place.number, time, seed) else { return }
    session = (reader.place.number, time, seed)
    if !hasSession { try beginFile(before: record.position &+ 1) }
    try lose(upTo: record.position)
    reader.names = JournalNames()
    let size = min(record.size, 256)
    try withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { (copy) throws(Refusal) in
      guard let start = copy.baseAddress else { return }
      start.copyMemory(from: record.payload, byteCount: size)
      start.storeBytes(of: Digest().bits, toByteOffset: Field.digest, as: UInt64.self)
      start.storeBytes(
        of: record.half(at: Field.flags) & ~Field.continues, toByteOffset: Field.flags,
        as: UInt32.self)
      try copier.say(RecordFormat.Kind.session, at: last, UnsafeRawPointer(start), size)
    }
    hasSession = true
  }

  private mutating func copySkipped(_ record: JournalRecord) throws(Refusal) {
    let (first, end) = (record.word(at: 0), record.word(at: 8))
    if !hasSession { try begin(before: first) }
    if first > last &+ 1 { try lose(last &+ 1, first &- 1) }
    if end > last { try skip(last &+ 1, end, cause: record.skippedCause) }
  }

  /// Counts the positions up to this one as lost.
  private mutating func lose(upTo position: UInt64) throws(Refusal) {
    if position > last, position < .max { try lose(last &+ 1, position) }
  }

  private mutating func lose(_ first: UInt64, _ end: UInt64) throws(Refusal) {
    if Int(report.ranges) < room {
      lost?[Int(report.ranges)] = mainstem_gap(from: first, to: end, count: end &- first &+ 1)
    }
    report.ranges &+= 1
    report.lostPositions &+= end &- first &+ 1
    try skip(first, end)
  }

  private mutating func skip(
    _ first: UInt64, _ end: UInt64, cause: UInt64? = nil
  ) throws(Refusal) {
    var range = (first, end, cause ?? 0)
    last = end
    try withUnsafeBytes(of: &range) { (bytes) throws(Refusal) in
      guard let start = bytes.baseAddress else { return }
      try copier.say(RecordFormat.Kind.skipped, at: end, start, cause == nil ? 16 : 24)
    }
  }

  /// Begins the file with the journal's first position, if that is known; otherwise with this one.
  private mutating func beginFile(before position: UInt64) throws(Refusal) {
    let first = reader.firstPosition
    last = (first != 0 && first <= position ? first : max(position, 1)) &- 1
    copier.begin(first: last &+ 1)
  }

  /// Begins the file with a new session, because the session's record is lost.
  private mutating func begin(before position: UInt64) throws(Refusal) {
    try beginFile(before: position)
    hasSession = true
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 5) { (words) throws(Refusal) in
      guard let start = words.baseAddress else { return }
      start.initialize(repeating: 0, count: 5)
      start[0] = UInt64(bitPattern: mainstem_p_now())
      start[2] = Digest().bits
      try copier.say(
        RecordFormat.Kind.session, at: last, UnsafeRawPointer(start), RecordFormat.Session.size)
    }
  }

  /// Names a number whose record is lost.
  private mutating func nameUnknown(_ kind: Int32, _ number: UInt32) throws(Refusal) {
    let (last, isType) = (last, kind == RecordFormat.Kind.type)
    try withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { (copy) throws(Refusal) in
      guard let start = copy.baseAddress else { return }
      start.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
      var payload = PayloadWriter(start)
      var name = SubjectWriter()
      name.add("MainstemUnknown")
      name.add(UInt64(number))
      if isType {
        payload.add(number)
        payload.add(UInt32(0))
        payload.add(Contract.ofUnknown)
        payload.add(name.bytes)
        payload.addZero()
        payload.addZero()
      } else {
        payload.add(OriginRecord(number: number, scope: 0, parent: 0, name: name.bytes))
      }
      try copier.say(kind, at: last, UnsafeRawPointer(start), payload.count)
      if isType {
        try reader.names.types.set(number, name.bytes, contract: Contract.ofUnknown)
      } else {
        try reader.names.origins.set(number, name.bytes)
      }
    }
  }
}

extension Contract {
  /// The contract of an unknown type: bytes.
  fileprivate static var ofUnknown: UInt64 {
    Payload.bytes.rawValue << 32 | Role.notice.rawValue << 36
  }
}

/// A run of intact records in one file, each linked to the one before.
struct SalvageRun {
  /// The number of the file.
  var file: UInt64
  var begin: Int
  /// The position of its first event, or of an event that would follow its first record.
  var first: UInt64
  /// The number of records.
  var count = 0
}

/// All runs in a journal's files, found in the first pass.
struct SalvageRuns: ~Copyable {
  private var start: UnsafeMutablePointer<SalvageRun>?
  private var capacity = 0
  private(set) var count = 0

  deinit { Memory.free(start) }

  subscript(index: Int) -> SalvageRun? {
    guard index < count, let start else { return nil }
    return start[index]
  }

  mutating func add(_ run: SalvageRun) throws(Refusal) {
    if count == capacity {
      let wider = max(64, capacity &* 2)
      guard let fresh = Memory.allocate(SalvageRun.self, count: wider) else { throw .noMemory }
      if let start { fresh.update(from: start, count: count) }
      Memory.free(start)
      start = fresh
      capacity = wider
    }
    (start! + count).initialize(to: run)
    count &+= 1
  }

  /// Counts a record of the run added last.
  mutating func noteRecord() {
    if count > 0 { start?[count &- 1].count &+= 1 }
  }

  /// Whether a run is out of place: ahead of the run after it, which is no shorter. So a record copied to an earlier
  /// place does not make everything in between look old.
  func isAhead(_ index: Int, after last: UInt64) -> Bool {
    guard let run = self[index], run.first > last &+ 1 else { return false }
    var next = index &+ 1
    // Not too far, because a file could be made of nothing but such runs.
    while next < index &+ 64, let other = self[next], other.first <= last { next &+= 1 }
    guard let other = self[next] else { return false }
    return other.first <= run.first && other.count >= run.count
  }
}

/// Writes records into a new file, with new links.
struct RecordCopier: ~Copyable {
  private let file: OutputFile
  private let path: UnsafePointer<CChar>
  private var records: RecordBuilder
  private var end: UInt64 = 0
  /// Whether to keep the file.
  private var isWhole = false

  private init(_ file: OutputFile, _ path: UnsafePointer<CChar>, _ records: RecordBuilder) {
    self.file = file
    self.path = path
    self.records = records
  }

  /// Creates the file. The path must outlive the copier.
  static func create(_ path: UnsafePointer<CChar>) throws(Refusal) -> RecordCopier {
    guard let records = RecordBuilder() else { throw .noMemory }
    do throws(OutputError) {
      return RecordCopier(try OutputFile(path, creates: true), path, records)
    } catch {
      records.free()
      throw error.exists
        ? Refusal(.invalid, "to", "already exists", .name(Bytes(zeroEnded: path)))
        : error.refusal(Bytes(zeroEnded: path))
    }
  }

  /// Removes a file that was not finished.
  deinit {
    file.close()
    if !isWhole { _ = mainstem_p_output_remove(path, 0) }
    records.free()
  }

  /// Begins the file with its header.
  mutating func begin(first: UInt64) {
    records.begin(
      FileHeader(
        id: (mainstem_p_random(), mainstem_p_random()), number: 1, first: first, link: 0,
        made: mainstem_p_now()))
  }

  /// Adds a record with the fields of a given header, except the link.
  @inline(never)
  mutating func add(_ head: mainstem_event_header, _ payload: UnsafeRawPointer) throws(Refusal) {
    let size = Int(head.size)
    if !records.fits(size) { try flush() }
    guard !records.fits(size) else { return records.add(head, payload) }
    let (before, after) = records.frame(head, payload)
    try write(before)
    try write(Bytes(payload, size))
    try write(after)
  }

  /// Adds a record that is not an event.
  mutating func say(
    _ kind: Int32, at position: UInt64, _ payload: UnsafeRawPointer, _ size: Int
  ) throws(Refusal) {
    var head = mainstem_event_header()
    head.position = position
    head.time = mainstem_p_now()
    head.status = kind
    head.size = UInt32(truncatingIfNeeded: size)
    try add(head, payload)
  }

  /// Writes and syncs the whole file.
  mutating func finish() throws(Refusal) {
    try flush()
    do throws(OutputError) {
      try file.sync()
    } catch {
      throw error.refusal(Bytes(zeroEnded: path))
    }
    guard mainstem_p_output_sync_directory(path) == 0 else {
      throw Refusal(.io, "to", "could not be synced to disk", .name(Bytes(zeroEnded: path)))
    }
    isWhole = true
  }

  private mutating func flush() throws(Refusal) {
    let waiting = records.bytes
    records.clear()
    try write(waiting)
  }

  private mutating func write(_ bytes: Bytes) throws(Refusal) {
    do throws(OutputError) {
      try file.write(bytes, at: end)
    } catch {
      throw error.refusal(Bytes(zeroEnded: path))
    }
    end &+= UInt64(bytes.count)
  }
}
