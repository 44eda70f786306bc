// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Records put together one behind the other, each linked to the one before: what goes into a file with one
/// write.
package struct RecordBuilder {
  private let start: UnsafeMutableRawPointer
  package private(set) var count = 0
  /// What the checksums of this file begin with.
  private var key: UInt32 = 0
  /// The checksum of the last record, or of the file's header.
  package private(set) var link: UInt32 = 0

  package static var capacity: Int { 262_144 }
  /// What is kept free for records that are no events.
  private static var reserve: Int { 4096 }

  /// Nil when there is no memory.
  package init?() {
    guard let memory = Memory.allocate(UInt8.self, count: Self.capacity) else { return nil }
    start = UnsafeMutableRawPointer(memory)
  }

  package func free() { Memory.free(start) }

  package var bytes: Bytes { Bytes(start, count) }

  /// Forgets what has been written.
  package mutating func clear() { count = 0 }

  /// Begins a file with its header. The buffer must be empty.
  package mutating func begin(_ header: FileHeader) {
    typealias Place = RecordFormat.FileHeader
    start.initializeMemory(as: UInt8.self, repeating: 0, count: RecordFormat.fileHeaderSize)
    start.storeBytes(of: RecordFormat.magic, as: UInt64.self)
    start.storeBytes(of: RecordFormat.version, toByteOffset: Place.version, as: UInt32.self)
    start.storeBytes(
      of: UInt32(RecordFormat.fileHeaderSize), toByteOffset: Place.size, as: UInt32.self)
    start.storeBytes(of: header.id.0, toByteOffset: Place.id, as: UInt64.self)
    start.storeBytes(of: header.id.1, toByteOffset: Place.id &+ 8, as: UInt64.self)
    start.storeBytes(of: header.number, toByteOffset: Place.number, as: UInt64.self)
    start.storeBytes(of: header.first, toByteOffset: Place.first, as: UInt64.self)
    start.storeBytes(of: header.link, toByteOffset: Place.link, as: UInt32.self)
    start.storeBytes(of: header.made, toByteOffset: Place.made, as: Int64.self)
    key = Checksum.of(start + Place.id, 24)
    link = Checksum.of(start, Place.checksum)
    start.storeBytes(of: link, toByteOffset: Place.checksum, as: UInt32.self)
    count = RecordFormat.fileHeaderSize
  }

  /// Goes on in a file.
  package mutating func resume(id: (UInt64, UInt64), number: UInt64, link: UInt32) {
    var identity = (id.0, id.1, number)
    key = withUnsafeBytes(of: &identity) { Checksum.of($0.baseAddress.unsafelyUnwrapped, 24) }
    self.link = link
  }

  /// Whether there is room for one more event, and what may have to go before it.
  package func fits(_ size: Int) -> Bool {
    RecordFormat.length(of: size) <= Self.capacity &- Self.reserve &- count
  }
}

extension RecordBuilder {
  /// Adds an event, for which there is room.
  package mutating func add(_ event: UnsafePointer<mainstem_event>) {
    let size = Int(event.pointee.size)
    let record = start + count
    put(event, at: record)
    if size > 0, let data = event.pointee.data {
      (record + RecordFormat.headerSize).copyMemory(from: data, byteCount: size)
    }
    seal(record, size)
  }

  /// Adds what may be kept of an event whose payload may not.
  package mutating func addMark(_ event: UnsafePointer<mainstem_event>, _ flag: Int32) {
    var header = mainstem_header()
    header.position = event.pointee.position
    header.cause = event.pointee.cause
    header.type = event.pointee.type
    header.flags = event.pointee.flags & RecordFormat.toldFlags | UInt32(flag)
    seal(put(header), 0)
  }

  /// Adds a record that is no event.
  ///
  /// - Parameter fill: Writes the payload, which is short.
  package mutating func add(
    _ kind: Int32, at position: UInt64, time: Int64, _ fill: (inout PayloadWriter) -> Void
  ) {
    var payload = PayloadWriter(start + count + RecordFormat.headerSize)
    fill(&payload)
    var header = mainstem_header()
    header.position = position
    header.time = time
    header.status = kind
    header.size = UInt32(truncatingIfNeeded: payload.count)
    seal(put(header), payload.count)
  }

  /// An event that is longer than the room for all: its head and its tail, around the payload where it is.
  /// The buffer must be empty.
  package mutating func frame(
    _ event: UnsafePointer<mainstem_event>, _ data: UnsafeRawPointer
  ) -> (head: Bytes, tail: Bytes) {
    let size = Int(event.pointee.size)
    put(event, at: start)
    start.storeBytes(of: link, toByteOffset: RecordFormat.linkOffset, as: UInt32.self)
    let tail = start + RecordFormat.headerSize
    let length = RecordFormat.length(of: size) &- RecordFormat.headerSize &- size
    tail.initializeMemory(as: UInt8.self, repeating: 0, count: length)
    link = Checksum.of(start, RecordFormat.headerSize, after: key)
    link = Checksum.of(data, size, after: link)
    link = Checksum.of(tail, length &- RecordFormat.checksumSize, after: link)
    tail.storeBytes(of: link, toByteOffset: length &- RecordFormat.checksumSize, as: UInt32.self)
    return (Bytes(start, RecordFormat.headerSize), Bytes(tail, length))
  }

  /// The header of the next record, and where that is.
  private func put(_ header: mainstem_header) -> UnsafeMutableRawPointer {
    let record = start + count
    record.storeBytes(of: header, as: mainstem_header.self)
    return record
  }

  /// The header of an event, which begins as one of a record does.
  private func put(_ event: UnsafePointer<mainstem_event>, at record: UnsafeMutableRawPointer) {
    record.copyMemory(from: event, byteCount: RecordFormat.headerSize)
    record.storeBytes(
      of: event.pointee.flags & RecordFormat.toldFlags, toByteOffset: RecordFormat.flagsOffset,
      as: UInt32.self)
  }

  /// Completes a record: link, zeros, checksum.
  private mutating func seal(_ record: UnsafeMutableRawPointer, _ size: Int) {
    let length = RecordFormat.length(of: size)
    let (used, end) = (RecordFormat.headerSize &+ size, length &- RecordFormat.checksumSize)
    record.storeBytes(of: link, toByteOffset: RecordFormat.linkOffset, as: UInt32.self)
    (record + used).initializeMemory(as: UInt8.self, repeating: 0, count: end &- used)
    link = Checksum.of(record, end, after: key)
    record.storeBytes(of: link, toByteOffset: end, as: UInt32.self)
    count &+= length
  }
}

/// What the header of a file says: docs/journal-format.md.
package struct FileHeader {
  package let id: (UInt64, UInt64)
  package let number: UInt64
  /// The position that its first event has, if it has one.
  package let first: UInt64
  /// The checksum of the last record of the file before.
  package let link: UInt32
  package let made: Int64
}

/// Writes the parts of a payload, one behind the other.
package struct PayloadWriter {
  private let start: UnsafeMutableRawPointer
  package private(set) var count = 0

  init(_ start: UnsafeMutableRawPointer) { self.start = start }

  package mutating func add(_ word: UInt64) {
    start.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
    count &+= 8
  }

  package mutating func add(_ number: UInt32) {
    start.storeBytes(of: number, toByteOffset: count, as: UInt32.self)
    count &+= 4
  }

  package mutating func add(_ text: Bytes) {
    (start + count).copyMemory(from: text.start, byteCount: text.count)
    count &+= text.count
  }

  package mutating func addZero() {
    start.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }
}
