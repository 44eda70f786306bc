// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
