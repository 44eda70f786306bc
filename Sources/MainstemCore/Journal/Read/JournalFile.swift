// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// One file of a journal, as it was when it was last measured, seen through a window.
///
/// The window grows only for what is proven to be a record. So memory stays within the longest record and a constant,
/// whatever lengths a file claims. The file is read, not mapped, so cutting it short meanwhile causes no signal.
package struct JournalFile: ~Copyable {
  /// The length of the file when it was last measured.
  package private(set) var size: Int
  /// How much of the file is on the disk: less than its size if it has holes.
  package private(set) var stored: Int
  private let descriptor: Int32
  private var window: UnsafeMutableRawPointer?
  private var capacity = 0
  // The part of the file that the window shows.
  private var start = 0
  private var count = 0

  package static var windowSize: Int { 1 << 17 }

  /// Opens PATH or, given a number, PATH.000001 and so on. If that fails, sets the system's error code.
  package init(_ path: UnsafePointer<CChar>, number: UInt64, failure: inout Int32) {
    var file = mainstem_p_input(fd: -1, size: 0, stored: 0)
    failure = mainstem_p_input_open(path, number, &file)
    descriptor = file.fd
    size = Int(file.size)
    stored = Int(file.stored)
  }

  deinit {
    mainstem_p_input_close(descriptor)
    Memory.free(window)
  }

  /// Forgets what was read, so that it is read again.
  package mutating func forget() { count = 0 }

  /// Measures the file again, and forgets what was read.
  package mutating func measure() {
    var file = mainstem_p_input(fd: descriptor, size: Int64(size), stored: Int64(stored))
    mainstem_p_input_measure(&file)
    (size, stored) = (Int(file.size), Int(file.stored))
    forget()
  }

  /// The number of bytes from an offset to the end.
  package func remaining(at offset: Int) -> Int { max(size &- offset, 0) }

  /// The window's bytes from an offset on, as pointer and count, valid until the window moves. A count below 1: none.
  @inline(__always)
  func shown(from offset: Int) -> (UnsafeRawPointer, Int)? {
    guard offset >= start, let window else { return nil }
    return (UnsafeRawPointer(window) + (offset &- start), start &+ count &- offset)
  }

  /// Bytes of the file, valid until the next call; nil if the file has fewer.
  ///
  /// - Parameter offset: A multiple of 8, so that the memory is aligned like the file.
  @inline(__always)
  package mutating func bytes(at offset: Int, _ wanted: Int) throws(Refusal) -> UnsafeRawPointer? {
    if offset >= start, wanted <= start &+ count &- offset, let window {
      return UnsafeRawPointer(window + (offset &- start))
    }
    return try load(at: offset, wanted)
  }

  /// Moves the window.
  @inline(never)
  private mutating func load(at offset: Int, _ wanted: Int) throws(Refusal) -> UnsafeRawPointer? {
    guard wanted <= remaining(at: offset) else { return nil }
    try makeRoom(wanted)
    guard let window else { return nil }
    let got = mainstem_p_input_read(
      descriptor, window, min(capacity, remaining(at: offset)), Int64(offset))
    guard got >= 0 else {
      count = 0
      throw Refusal(
        .io, "journal", "is the system's error number: the journal could not be read",
        .number(UInt64(-got)))
    }
    start = offset
    count = Int(got)
    return wanted <= count ? UnsafeRawPointer(window) : nil
  }

  /// The bytes that the window shows from an offset on.
  ///
  /// - Parameter least: How many to show, unless the file ends earlier. The window moves if it shows fewer.
  package mutating func view(at offset: Int, least: Int) throws(Refusal) -> Bytes? {
    guard let bytes = try bytes(at: offset, min(least, remaining(at: offset))) else { return nil }
    return Bytes(bytes, start &+ count &- offset)
  }

  /// The checksum of bytes that need not fit into the window; nil if the file has fewer.
  package mutating func checksum(
    at offset: Int, _ wanted: Int, after seed: UInt32
  ) throws(Refusal) -> UInt32? {
    var checksum = seed
    var place = offset
    let end = offset &+ wanted
    while place < end {
      let part = min(end &- place, Self.windowSize)
      guard let bytes = try bytes(at: place, part) else { return nil }
      checksum = Checksum.of(bytes, part, after: checksum)
      place &+= part
    }
    return checksum
  }

  /// The number of bytes that a crash left of a file without a whole header: zeros, or the beginning of a header. Nil:
  /// the file holds something else, or is too long to look at.
  package mutating func bytesBeforeHeader() throws(Refusal) -> Int? {
    guard size <= 1 << 23 else { return nil }
    var end = 0
    var place = 0
    while place < size, let view = try view(at: place, least: 8) {
      var index = 0
      while index < view.count {
        if view[index] != 0 { end = place &+ index &+ 1 }
        index &+= 1
      }
      guard end == 0 || size < RecordFormat.fileHeaderSize && Self.beginsAsOurs(view) else {
        return nil
      }
      place &+= view.count
    }
    return end
  }

  private static func beginsAsOurs(_ bytes: Bytes) -> Bool {
    var magic = RecordFormat.magic
    return withUnsafeBytes(of: &magic) {
      let count = min(bytes.count, $0.count)
      return Bytes(bytes.start, count) == Bytes($0.baseAddress.unsafelyUnwrapped, count)
    }
  }

  /// The next offset that lies in no hole, rounded down to a multiple of 8.
  package func nextData(after offset: Int) -> Int {
    let found = Int(mainstem_p_input_next_data(descriptor, Int64(offset), Int64(size)))
    return max(found & ~7, offset)
  }

  private mutating func makeRoom(_ wanted: Int) throws(Refusal) {
    guard wanted > capacity else { return }
    count = 0
    Memory.free(window)
    capacity = 0
    let wider = max(wanted, min(Self.windowSize, size))
    window = UnsafeMutableRawPointer(Memory.allocate(UInt8.self, count: wider))
    guard window != nil else { throw .noMemory }
    capacity = wider
  }
}

/// The files of a journal: PATH, or PATH.000001 and so on.
extension JournalReader {
  /// The lowest and highest number of the existing files; zeros: there is one file without a number.
  struct FileRange {
    var lowest: UInt64 = 0
    var highest: UInt64 = 0
  }

  /// Opens PATH, or the lowest of its numbered files.
  static func openFirst(
    _ path: UnsafePointer<CChar>, _ range: inout FileRange, _ failure: inout Int32
  ) -> JournalFile {
    var file = JournalFile(path, number: 0, failure: &failure)
    // A flight recorder may remove the lowest file while we look.
    var tries = 0
    while failure == ENOENT, tries < 16 {
      if mainstem_p_input_numbers(path, &range.lowest, &range.highest) != 0 { break }
      guard range.lowest != 0 else { break }
      file = JournalFile(path, number: range.lowest, failure: &failure)
      tries &+= 1
    }
    return file
  }

  /// A file's header.
  struct Header {
    var version: UInt32
    var id: (UInt64, UInt64)
    var number: UInt64
    var first: UInt64
    var link: UInt32
    var checksum: UInt32
  }

  /// Reads and checks the header of the open file; nil: it has no intact one. Every version has the checksum at the
  /// same place, so a mismatch is damage, whatever version the header claims.
  mutating func header() throws(Refusal) -> Header? {
    typealias Field = RecordFormat.FileHeader
    guard let bytes = try file.bytes(at: 0, RecordFormat.fileHeaderSize),
      bytes.load(as: UInt64.self) == RecordFormat.magic
    else { return nil }
    let checksum = bytes.load(fromByteOffset: Field.checksum, as: UInt32.self)
    guard Checksum.of(bytes, Field.checksum) == checksum else { return nil }
    let version = bytes.load(fromByteOffset: Field.version, as: UInt32.self)
    guard version >= RecordFormat.oldestVersion, version <= RecordFormat.version else {
      var subject = copyOfPath()
      subject.add(" (version ")
      subject.add(UInt64(version))
      subject.add(")")
      throw Refusal(
        .version, "journal", "has a version of the format that this library cannot read",
        .name(subject.bytes))
    }
    guard bytes.load(fromByteOffset: Field.size, as: UInt32.self) == RecordFormat.fileHeaderSize
    else { return nil }
    key = Checksum.of(bytes + Field.id, 24)
    return Header(
      version: version,
      id: (
        bytes.load(fromByteOffset: Field.id, as: UInt64.self),
        bytes.load(fromByteOffset: Field.id &+ 8, as: UInt64.self)
      ), number: bytes.load(fromByteOffset: Field.number, as: UInt64.self),
      first: bytes.load(fromByteOffset: Field.first, as: UInt64.self),
      link: bytes.load(fromByteOffset: Field.link, as: UInt32.self), checksum: checksum)
  }

  mutating func readFirstHeader(_ range: FileRange) throws(Refusal) {
    guard let header = try header() else { return try endBlank(range) }
    guard range.lowest == 0 || header.number == range.lowest, header.number != 0,
      header.first != 0
    else { throw noJournal() }
    (version, id) = (header.version, header.id)
    progress.last = header.first &- 1
    enter(header)
  }

  /// Handles a first file without a header: either a crash came before it, or this is no journal.
  private mutating func endBlank(_ range: FileRange) throws(Refusal) {
    guard range.highest <= 1, let torn = try file.bytesBeforeHeader() else { throw noJournal() }
    place.number = max(range.lowest, 1)
    noteTorn(torn)
    isBlank = true
    state = .ended
  }

  private func noJournal() -> Refusal {
    Refusal(
      .corrupt, "path",
      "is not a journal, or its header is damaged: mainstem_journal_salvage copies what is left",
      .name(copyOfPath().bytes))
  }

  private mutating func enter(_ header: Header) {
    place.number = header.number
    place.end = RecordFormat.fileHeaderSize
    place.link = header.checksum
    tornAtEnd = 0
    hasHeaderToTell = true
    progress.files &+= 1
    progress.bytes &+= UInt64(RecordFormat.fileHeaderSize)
  }

  /// Continues with the next file, or ends if there is none.
  mutating func openNext() throws(Refusal) {
    guard place.isNumbered, place.number < highest else { return state = .ended }
    var failure: Int32 = 0
    var next = JournalFile(path.text, number: place.number &+ 1, failure: &failure)
    guard failure != ENOENT else {
      return state = .damaged("is not followed by the next file, but by later ones")
    }
    let (number, link) = (place.number &+ 1, place.link)
    guard failure == 0 else {
      throw .file(path.bytes, number: number, "cannot be opened", failure, "journal")
    }
    swap(&file, &next)
    let found: Header?
    do throws(Refusal) {
      found = try header()
    } catch {
      // The next call starts from the old file again.
      swap(&file, &next)
      throw error
    }
    guard let header = found else { return try endAtHeader(number) }
    guard header.version == version, header.id == id, header.number == number, header.link == link,
      header.first == progress.last &+ 1
    else {
      place.number = number
      place.end = 0
      return state = .damaged("does not continue the file before")
    }
    enter(header)
  }

  /// Handles a header that is not intact: a crash while the last file was created, or damage.
  private mutating func endAtHeader(_ number: UInt64) throws(Refusal) {
    key = key(ofFile: number)
    place.number = number
    place.end = 0
    let found = try search()
    guard number == highest, !found.isIntact else {
      return state = .damaged("has no header")
    }
    tornAtEnd = 0
    noteTorn(found.bytes)
    state = .ended
  }

  /// A copy of the path, for a message that may be written after this reader is gone.
  private func copyOfPath() -> SubjectWriter {
    var subject = SubjectWriter()
    subject.add(path.bytes)
    return subject
  }

  /// The seed of the checksums in a file of this journal.
  func key(ofFile number: UInt64) -> UInt32 {
    var identity = (id.0, id.1, number)
    return withUnsafeBytes(of: &identity) { Checksum.of($0.baseAddress!, 24) }
  }

  /// The refusal that says why reading stops.
  func damage(_ reason: Phrase) -> Refusal {
    var subject = copyOfPath()
    subject.add(" at byte ")
    subject.add(UInt64(place.end))
    if place.isNumbered {
      subject.add(" of file ")
      subject.add(place.number)
    }
    subject.add(", after position ")
    subject.add(progress.last)
    subject.add(",")
    return Refusal(.corrupt, "journal", reason, .name(subject.bytes))
  }
}
