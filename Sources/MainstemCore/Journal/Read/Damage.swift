// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What to make of bytes that are not the next record: the end, a torn tail, or damage.
extension JournalReader {
  /// What follows the last intact record.
  struct Remains {
    /// The number of bytes up to the last one that is not zero.
    var bytes = 0
    /// Whether a record with a right checksum is among them.
    var isIntact = false
  }

  /// Decides what ends here, and continues with the next file if this one does.
  @inline(never)
  mutating func lookFurther() throws(Refusal) {
    let found = try search()
    guard !found.isIntact else {
      // Somebody may be writing: a record that was missing may be there now.
      file.forget()
      if try intactRecord() == nil { state = .damaged("is damaged: what follows is not read") }
      return
    }
    noteTorn(found.bytes)
    try openNext()
  }

  /// Searches the rest of the file.
  mutating func search() throws(Refusal) -> Remains {
    var scan = RecordScan(from: place.end, notBelow: progress.last, in: file)
    while let candidate = try scan.nextCandidate(in: &file) {
      guard scan.pays(for: candidate), try record(at: candidate.start, link: nil) == nil else {
        return Remains(bytes: scan.bytes, isIntact: true)
      }
    }
    return Remains(bytes: scan.bytes, isIntact: false)
  }
}

/// Scans a file in steps of eight bytes for places where a record could begin.
///
/// Checksums are computed only where a header makes sense, and over at most a few times as many bytes as the file has.
/// Only a file made for that purpose needs more; it is called damaged.
struct RecordScan {
  struct Candidate {
    let start: Int
    let length: Int
  }

  private let begin: Int
  private var place: Int
  private let least: UInt64
  private var budget: Int
  /// The price of the last candidate.
  private var paid = 0
  /// The offset behind the last byte that is not zero.
  private var end: Int

  init(from begin: Int, notBelow least: UInt64, in file: borrowing JournalFile) {
    self.begin = begin
    self.least = least
    place = (begin &+ 7) & ~7
    end = begin
    budget = 4 &* min(file.size, file.stored) &+ 1 << 28
  }

  /// The number of bytes scanned, up to the last one that is not zero.
  var bytes: Int { end &- begin }

  /// Continues behind the last candidate, which is a record. It costs nothing, because its content is not scanned.
  mutating func skip(to offset: Int) {
    budget &+= paid
    paid = 0
    place = offset
    end = max(end, offset)
  }

  /// Whether the budget allows a checksum for this candidate; for a short one it always does.
  mutating func pays(for candidate: Candidate) -> Bool {
    // A long candidate costs another read of the window; shorter ones cost one per half window.
    let isLong = candidate.length > JournalFile.windowSize / 2
    let price = candidate.length &+ (isLong ? JournalFile.windowSize : 64)
    paid = budget > price ? price : 0
    budget &-= paid
    return paid > 0 || candidate.length <= 512
  }

  /// The next place where a record may begin; nil: there is none.
  mutating func nextCandidate(in file: inout JournalFile) throws(Refusal) -> Candidate? {
    while let view = try file.view(at: place, least: RecordFormat.headerSize) {
      let base = place
      // Only whole headers are checked: the last ones come again in the next view, which begins with them.
      let isLast = base &+ view.count >= file.size
      let limit = isLast ? view.count : view.count &- (RecordFormat.headerSize &- 8)
      guard limit > 0 else { return nil }
      while place &- base < limit {
        let offset = place &- base
        noteWord(view, offset)
        place &+= 8
        if let length = length(in: view, at: offset, remaining: file.size &- base &- offset) {
          return Candidate(start: base &+ offset, length: length)
        }
      }
      if isLast { return nil }
      place = file.nextData(after: place)
    }
    return nil
  }

  /// Notes the end of the last byte that is not zero.
  @inline(__always)
  private mutating func noteWord(_ view: Bytes, _ offset: Int) {
    guard offset &+ 8 <= view.count else { return noteBytes(view, offset) }
    let word = UInt64(littleEndian: view.start.load(fromByteOffset: offset, as: UInt64.self))
    if word != 0 { end = place &+ 8 &- word.leadingZeroBitCount / 8 }
  }

  private mutating func noteBytes(_ view: Bytes, _ offset: Int) {
    var index = offset
    while index < view.count {
      if view[index] != 0 { end = place &+ index &- offset &+ 1 }
      index &+= 1
    }
  }

  /// The length of the record that could begin here; nil: none could.
  @inline(__always)
  private func length(in view: Bytes, at offset: Int, remaining: Int) -> Int? {
    guard offset &+ RecordFormat.headerSize <= view.count else { return nil }
    let record = JournalRecord(view.start + offset, offset: offset)
    guard record.position >= least, record.length <= remaining, record.hasSoundHeader,
      place > RecordFormat.fileHeaderSize
    else { return nil }
    return record.length
  }
}

/// Reading for salvage: the journal's files, whether or not their headers are intact.
extension JournalReader {
  /// Opens the first file, even if its header is damaged.
  static func openDamaged(_ path: UnsafePointer<CChar>?) throws(Refusal) -> JournalReader {
    var range = FileRange()
    var reader = try openFile(path, &range)
    reader.place.number = max(range.lowest, 1)
    try reader.enterDamaged()
    return reader
  }

  /// Opens the next existing file and returns its number.
  mutating func openNextThere() throws(Refusal) -> UInt64? {
    guard place.isNumbered else { return nil }
    while place.number < highest {
      place.number &+= 1
      if try openThere() { return place.number }
    }
    return nil
  }

  /// Opens a file again, by its number.
  mutating func open(_ number: UInt64) throws(Refusal) {
    guard place.isNumbered, place.number != number else { return }
    place.number = number
    _ = try openThere()
  }

  private mutating func openThere() throws(Refusal) -> Bool {
    var failure: Int32 = 0
    let next = JournalFile(path.text, number: place.number, failure: &failure)
    guard failure != ENOENT else { return false }
    guard failure == 0 else {
      throw .file(path.bytes, number: place.number, "cannot be opened", failure)
    }
    file = next
    try enterDamaged()
    return true
  }

  /// Finds the seed of the checksums in the file.
  private mutating func enterDamaged() throws(Refusal) {
    if let header = try header(), id == (0, 0) || id == header.id {
      hasHeader = true
      if firstPosition == 0 {
        (version, firstPosition, id) = (header.version, header.first, header.id)
      }
      return
    }
    hasHeader = false
    let first = RecordFormat.fileHeaderSize
    // The header may be damaged only where the checksums do not need it.
    if let bytes = try file.bytes(at: 0, first) {
      key = Checksum.of(bytes + RecordFormat.FileHeader.id, 24)
      if try record(at: first, link: nil) != nil { return }
    }
    if id == (0, 0) { try findId() }
    if id != (0, 0) {
      key = key(ofFile: place.number)
    } else {
      try solveKey()
    }
  }

  /// Takes the journal's id from the header of a later file.
  private mutating func findId() throws(Refusal) {
    guard place.isNumbered else { return }
    var number = place.number
    while id == (0, 0), number < highest {
      number &+= 1
      var failure: Int32 = 0
      var other = JournalFile(path.text, number: number, failure: &failure)
      guard failure == 0 else { continue }
      swap(&file, &other)
      defer { swap(&file, &other) }
      if let header = try header() { (version, id) = (header.version, header.id) }
    }
  }

  /// Solves for the seed under which a record and the next one are right. Their link shows that they are two records,
  /// without any seed.
  private mutating func solveKey() throws(Refusal) {
    let before = key
    var scan = RecordScan(from: RecordFormat.fileHeaderSize, notBelow: 0, in: file)
    while let candidate = try scan.nextCandidate(in: &file) {
      guard candidate.length <= JournalFile.windowSize / 2, scan.pays(for: candidate),
        try solveKey(candidate)
      else { continue }
      return
    }
    key = before
  }

  private mutating func solveKey(_ candidate: RecordScan.Candidate) throws(Refusal) -> Bool {
    let (begin, end) = (candidate.start, candidate.start &+ candidate.length)
    let both = candidate.length &+ RecordFormat.headerSize
    guard let bytes = try file.bytes(at: begin, both) else { return false }
    let checksum = JournalRecord(bytes, offset: begin).checksum
    guard JournalRecord(bytes + candidate.length, offset: end).header.pointee.offset == checksum
    else { return false }
    key = mainstem_p_crc32c_before(
      checksum, bytes, candidate.length &- RecordFormat.checksumSize)
    return try record(at: end, link: checksum) != nil
  }
}
