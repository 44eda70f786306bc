// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The files of a journal for who takes what is intact: whether their headers are, or not.
extension JournalReader {
  /// Opens the first file, also where its header is damaged.
  static func openDamaged(_ path: UnsafePointer<CChar>?) throws(Refusal) -> JournalReader {
    var range = FileRange()
    var reader = try openFile(path, &range)
    reader.place.number = max(range.lowest, 1)
    try reader.enterDamaged()
    return reader
  }

  /// Opens the next file that is there; its number.
  mutating func openNextThere() throws(Refusal) -> UInt64? {
    guard place.isNumbered else { return nil }
    while place.number < highest {
      place.number &+= 1
      if try openThere() { return place.number }
    }
    return nil
  }

  /// Opens a file again.
  mutating func open(_ number: UInt64) throws(Refusal) {
    guard place.isNumbered, place.number != number else { return }
    place.number = number
    _ = try openThere()
  }

  private mutating func openThere() throws(Refusal) -> Bool {
    var failure: Int32 = 0
    let next = JournalFile(path.text, number: place.number, failure: &failure)
    guard failure != ENOENT else { return false }
    guard failure == 0 else { throw .file(path.bytes, "'s next file cannot be opened", failure) }
    file = next
    try enterDamaged()
    return true
  }

  /// Finds out what the checksums of the file's records begin with.
  private mutating func enterDamaged() throws(Refusal) {
    if let header = try header(trusts: false), id == (0, 0) || id == header.id {
      hasHeader = true
      if firstPosition == 0 { (firstPosition, id) = (header.first, header.id) }
      return
    }
    hasHeader = false
    let first = RecordFormat.fileHeaderSize
    // Perhaps only something else in the header is damaged than what the checksums need.
    if let bytes = try file.bytes(at: 0, first) {
      key = Checksum.of(bytes + RecordFormat.FileHeader.id, 24)
      if try record(at: first, link: nil) != nil { return }
    }
    if id != (0, 0) {
      key = key(ofFile: place.number)
      return
    }
    try solveKey(first)
  }

  /// The key that makes the first record right, if it makes the second one right, too.
  private mutating func solveKey(_ first: Int) throws(Refusal) {
    guard let head = try file.bytes(at: first, RecordFormat.headerSize) else { return }
    let length = JournalRecord(head, offset: first).length
    guard let whole = try file.bytes(at: first, length) else { return }
    let kept = key
    let checksum = JournalRecord(whole, offset: first).checksum
    key = mainstem_p_crc32c_before(checksum, whole, length &- RecordFormat.checksumSize)
    if try record(at: first &+ length, link: checksum) == nil { key = kept }
  }
}
