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
