// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Gathers records, each linked to the one before, to be written to a file with one write.
package struct RecordBuilder {
  private let start: UnsafeMutableRawPointer
  package private(set) var count = 0
  /// The seed of the checksums in this file.
  private var key: UInt32 = 0
  /// The checksum of the last record, or of the file's header.
  package private(set) var link: UInt32 = 0

  package static var capacity: Int { 262_144 }
  /// The room kept free for records that are not events.
  private static var reserve: Int { 4096 }

  /// Nil without memory.
  package init?() {
    guard let memory = Memory.allocate(UInt8.self, count: Self.capacity) else { return nil }
    start = UnsafeMutableRawPointer(memory)
  }

  package func free() { Memory.free(start) }

  package var bytes: Bytes { Bytes(start, count) }

  /// Empties the buffer.
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

  /// Continues a file.
  package mutating func resume(id: (UInt64, UInt64), number: UInt64, link: UInt32) {
    var identity = (id.0, id.1, number)
    key = withUnsafeBytes(of: &identity) { Checksum.of($0.baseAddress.unsafelyUnwrapped, 24) }
    self.link = link
  }

  /// Whether one more event fits, with what may have to go before it.
  package func fits(_ size: Int) -> Bool {
    RecordFormat.length(of: size) <= Self.capacity &- Self.reserve &- count
  }
}

extension RecordBuilder {
  /// Adds an event, which must fit.
  ///
  /// - Parameter origin: The number of its origin in the file.
  package mutating func add(_ event: UnsafePointer<mainstem_event>, origin: UInt32) {
    add(header(of: event, origin: origin), event.pointee.data)
  }

  /// Adds a record with the given header fields and a payload of the size in the header, which must fit.
  @inline(__always)
  package mutating func add(_ header: mainstem_event_header, _ payload: UnsafeRawPointer?) {
    let size = Int(header.size)
    put(header)
    if size > 0, let payload {
      (start + count + RecordFormat.headerSize).copyMemory(from: payload, byteCount: size)
    }
    seal(size)
  }

  /// Adds what is kept of an event whose payload is not. For a secret, not even the time is.
  ///
  /// - Parameters:
  ///   - origin: Of a secret: a replay that knows its content has to send it through the same scope. Of a value: whose it
  ///     is. 0: it is not kept.
  ///   - digest: The digest of the payload, if that is kept.
  package mutating func addMark(
    _ event: UnsafePointer<mainstem_event>, _ flag: Int32, _ digest: Digest? = nil,
    origin: UInt32 = 0
  ) {
    var header = mainstem_event_header()
    header.position = event.pointee.position
    header.cause = event.pointee.cause
    if flag == MAINSTEM_EVENT_MARKED { header.time = event.pointee.time }
    header.type = event.pointee.type
    header.origin = origin
    header.flags = event.pointee.flags & RecordFormat.toldFlags | UInt32(flag)
    guard let digest else {
      put(header)
      return seal(0)
    }
    header.size = UInt32(RecordFormat.digestSize)
    put(header)
    (start + count + RecordFormat.headerSize).storeBytes(of: digest.bits, as: UInt64.self)
    seal(RecordFormat.digestSize)
  }

  /// Adds a record that is not an event.
  ///
  /// - Parameter fill: Writes the payload, which is short.
  package mutating func add(
    _ kind: Int32, at position: UInt64, time: Int64, _ fill: (inout PayloadWriter) -> Void
  ) {
    var payload = PayloadWriter(start + count + RecordFormat.headerSize)
    fill(&payload)
    var header = mainstem_event_header()
    header.position = position
    header.time = time
    header.status = kind
    header.size = UInt32(truncatingIfNeeded: payload.count)
    put(header)
    seal(payload.count)
  }

  /// The header of an event's record. An event begins with one.
  @inline(__always)
  package func header(
    of event: UnsafePointer<mainstem_event>, origin: UInt32
  ) -> mainstem_event_header {
    var header = UnsafeRawPointer(event).load(as: mainstem_event_header.self)
    header.origin = origin
    header.flags &= RecordFormat.toldFlags
    return header
  }

  /// Makes the head and the tail of a record that is too long for the buffer; its payload stays where it is. The buffer
  /// must be empty.
  package mutating func frame(
    _ header: mainstem_event_header, _ payload: UnsafeRawPointer
  ) -> (head: Bytes, tail: Bytes) {
    let size = Int(header.size)
    let tail = start + RecordFormat.headerSize
    let length = RecordFormat.length(of: size) &- RecordFormat.headerSize &- size
    put(header)
    tail.storeBytes(of: 0, as: UInt64.self)
    link = Checksum.of(start, RecordFormat.headerSize, after: key)
    link = Checksum.of(payload, size, after: link)
    link = Checksum.of(tail, length &- RecordFormat.checksumSize, after: link)
    tail.storeBytes(of: link, toByteOffset: length &- RecordFormat.checksumSize, as: UInt32.self)
    return (Bytes(start, RecordFormat.headerSize), Bytes(tail, length))
  }

  /// Writes the header of the next record, with the link where the header in a batch has the payload's offset.
  @inline(__always)
  private func put(_ header: mainstem_event_header) {
    var header = header
    header.offset = link
    (start + count).storeBytes(of: header, as: mainstem_event_header.self)
  }

  /// Completes the record whose header and payload are in place: zeros, checksum.
  @inline(__always)
  private mutating func seal(_ size: Int) {
    let record = start + count
    let length = RecordFormat.length(of: size)
    // At most seven zeros are needed. The rest of the word belongs to the checksum or to nobody yet.
    record.storeBytes(of: 0, toByteOffset: RecordFormat.headerSize &+ size, as: UInt64.self)
    link = Checksum.of(record, length &- RecordFormat.checksumSize, after: key)
    record.storeBytes(of: link, toByteOffset: length &- RecordFormat.checksumSize, as: UInt32.self)
    count &+= length
  }
}

/// The content of a file's header: docs/journal-format.md.
package struct FileHeader {
  package let id: (UInt64, UInt64)
  package let number: UInt64
  /// The position of the file's first event, if it has one.
  package let first: UInt64
  /// The checksum of the last record in the file before.
  package let link: UInt32
  package let made: Int64
}

/// Writes the parts of a payload, one after the other.
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

  package mutating func add(_ origin: OriginRecord) {
    add(origin.number)
    add(UInt32(0))
    add(origin.scope)
    add(origin.parent)
    add(origin.name)
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
