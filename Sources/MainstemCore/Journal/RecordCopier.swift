// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Writes records into a new file, each linked anew.
struct RecordCopier: ~Copyable {
  private let file: OutputFile
  private let path: UnsafePointer<CChar>
  private let buffer: UnsafeMutableRawPointer
  private var count = 0
  private var end: UInt64 = 0
  private var key: UInt32 = 0
  private var link: UInt32 = 0
  /// Whether the file is to stay.
  private var isWhole = false

  private static var capacity: Int { 1 << 18 }

  private init(
    _ file: OutputFile, _ path: UnsafePointer<CChar>, _ buffer: UnsafeMutableRawPointer
  ) {
    self.file = file
    self.path = path
    self.buffer = buffer
  }

  /// Makes the file. The path lives as long as the copier.
  static func create(_ path: UnsafePointer<CChar>) throws(Refusal) -> RecordCopier {
    guard let memory = Memory.allocateAligned(UInt8.self, count: capacity) else { throw .noMemory }
    do throws(OutputError) {
      return RecordCopier(
        try OutputFile(path, creates: true), path, UnsafeMutableRawPointer(memory))
    } catch {
      Memory.free(memory)
      throw error.exists
        ? Refusal(.invalid, "to", "is there already", .name(Bytes(zeroEnded: path)))
        : error.refusal(Bytes(zeroEnded: path))
    }
  }

  /// A file that did not come to its end is removed.
  deinit {
    file.close()
    if !isWhole { _ = mainstem_p_output_remove(path, 0) }
    Memory.free(buffer)
  }

  /// Begins the file with its header.
  mutating func begin(first: UInt64) throws(Refusal) {
    guard var header = RecordBuilder() else { throw .noMemory }
    defer { header.free() }
    header.begin(
      FileHeader(
        id: (mainstem_p_random(), mainstem_p_random()), number: 1, first: first, link: 0,
        made: mainstem_p_now()))
    key = Checksum.of(header.bytes.start + RecordFormat.FileHeader.id, 24)
    link = header.link
    try write(header.bytes)
  }

  /// Adds a record with another header's fields; the link is ours.
  mutating func add(_ head: mainstem_header, _ payload: UnsafeRawPointer) throws(Refusal) {
    var head = head
    head.offset = link
    let size = Int(head.size)
    let rest = RecordFormat.length(of: size) &- RecordFormat.headerSize &- size
    var zeros: UInt64 = 0
    link = withUnsafeBytes(of: &head) {
      Checksum.of($0.baseAddress!, RecordFormat.headerSize, after: key)
    }
    link = Checksum.of(payload, size, after: link)
    link = withUnsafeBytes(of: &zeros) {
      Checksum.of($0.baseAddress!, rest &- RecordFormat.checksumSize, after: link)
    }
    try writeBytes(of: head, RecordFormat.headerSize)
    try write(Bytes(payload, size))
    try writeBytes(of: zeros, rest &- RecordFormat.checksumSize)
    try writeBytes(of: link, RecordFormat.checksumSize)
  }

  /// Adds a record that is no event.
  mutating func say(
    _ kind: Int32, at position: UInt64, _ payload: UnsafeRawPointer, _ size: Int
  ) throws(Refusal) {
    var head = mainstem_header()
    head.position = position
    head.time = mainstem_p_now()
    head.status = kind
    head.size = UInt32(truncatingIfNeeded: size)
    try add(head, payload)
  }

  /// Brings all of it to the disk.
  mutating func finish() throws(Refusal) {
    try flush()
    do throws(OutputError) {
      try file.sync()
    } catch {
      throw error.refusal(Bytes(zeroEnded: path))
    }
    guard mainstem_p_output_sync_directory(path) == 0 else {
      throw Refusal(.io, "to", "could not be brought to the disk", .name(Bytes(zeroEnded: path)))
    }
    isWhole = true
  }

  private mutating func writeBytes<Value>(of value: Value, _ size: Int) throws(Refusal) {
    guard size > 0 else { return }
    try withUnsafePointer(to: value) { (pointer) throws(Refusal) in
      try write(Bytes(UnsafeRawPointer(pointer), size))
    }
  }

  private mutating func write(_ bytes: Bytes) throws(Refusal) {
    if count &+ bytes.count > Self.capacity { try flush() }
    guard bytes.count <= Self.capacity else { return try put(bytes) }
    (buffer + count).copyMemory(from: bytes.start, byteCount: bytes.count)
    count &+= bytes.count
  }

  private mutating func flush() throws(Refusal) {
    let waiting = Bytes(buffer, count)
    count = 0
    try put(waiting)
  }

  private mutating func put(_ bytes: Bytes) throws(Refusal) {
    do throws(OutputError) {
      try file.write(bytes, at: end)
    } catch {
      throw error.refusal(Bytes(zeroEnded: path))
    }
    end &+= UInt64(bytes.count)
  }
}
