// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What to make of bytes that are not the next record: the end, a torn tail, or damage.
extension JournalReader {
  /// What stands behind the last record that is right.
  struct Remains {
    /// Bytes up to the last one that is not zero.
    var bytes = 0
    /// A record with a right checksum is among them.
    var isIntact = false
  }

  /// Decides what ends here, and goes on to the next file where this one is at its end.
  @inline(never)
  mutating func lookFurther() throws(Refusal) {
    let found = try search()
    guard !found.isIntact else {
      // Somebody may be writing: what was not there when we looked, may be by now.
      file.forget()
      if try intactRecord() == nil { state = .damaged("is damaged: what follows is not read") }
      return
    }
    progress.torn &+= UInt64(found.bytes)
    try openNext()
  }

  /// Looks through the rest of the file.
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

/// Goes over a file in steps of eight bytes, and names the places where a record could begin.
///
/// A checksum is only asked for where a header makes sense; and all of them together for a few times as many
/// bytes as the file has. Only a file that was made for it has more to ask, and is called damaged.
struct RecordScan {
  struct Candidate {
    let start: Int
    let length: Int
  }

  private let begin: Int
  private var place: Int
  private let least: UInt64
  private var budget: Int
  /// For the last candidate.
  private var paid = 0
  /// Behind the last byte that is not zero.
  private var end: Int

  init(from begin: Int, notBelow least: UInt64, in file: borrowing JournalFile) {
    self.begin = begin
    self.least = least
    place = (begin &+ 7) & ~7
    end = begin
    budget = 4 &* min(file.size, file.stored) &+ 1 << 28
  }

  /// How many bytes there are up to the last one that is not zero; of what was looked at.
  var bytes: Int { end &- begin }

  /// Goes on behind the last candidate, a record. It costs nothing: what is in it is not looked at.
  mutating func skip(to offset: Int) {
    budget &+= paid
    paid = 0
    place = offset
    end = max(end, offset)
  }

  /// Whether a checksum is left for this one; for a short one it always is.
  mutating func pays(for candidate: Candidate) -> Bool {
    // The window is read again for a long one; for shorter ones once in half a window.
    let isLong = candidate.length > JournalFile.windowSize / 2
    let price = candidate.length &+ (isLong ? JournalFile.windowSize : 64)
    paid = budget > price ? price : 0
    budget &-= paid
    return paid > 0 || candidate.length <= 512
  }

  /// The next place that may be the begin of a record; nil: there is none.
  mutating func nextCandidate(in file: inout JournalFile) throws(Refusal) -> Candidate? {
    while let view = try file.view(at: place, least: RecordFormat.headerSize) {
      let base = place
      // Headers are looked at whole: the last ones come again in the next view, which begins with them.
      let isLast = base &+ view.count >= file.size
      let limit = isLast ? view.count : view.count &- (RecordFormat.headerSize &- 8)
      guard limit > 0 else { return nil }
      while place &- base < limit {
        let offset = place &- base
        note(view, offset)
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

  /// Notes where the last byte that is not zero is.
  @inline(__always)
  private mutating func note(_ view: Bytes, _ offset: Int) {
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

  /// How long the record is that could begin here; nil: none could.
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
