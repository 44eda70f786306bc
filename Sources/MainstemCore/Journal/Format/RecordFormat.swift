// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// The layout of a journal: docs/journal-format.md in Swift.
package enum RecordFormat {
  package static var version: UInt32 { 3 }
  /// The oldest version that can be read.
  package static var oldestVersion: UInt32 { 1 }
  package static var magic: UInt64 { 0x0A1A_0A0D_4A53_4D89 }
  package static var fileHeaderSize: Int { 128 }
  package static var headerSize: Int { 64 }
  package static var checksumSize: Int { 4 }

  /// The length of a record with a payload of this size.
  @inline(__always)
  package static func length(of size: Int) -> Int { (headerSize &+ size &+ checksumSize &+ 7) & ~7 }

  /// The event flags that count in the digest: outside, tracked, progress.
  package static var countedFlags: UInt32 { 7 }
  /// The event flags that are recorded: the counted ones; that a timer sent the event, a view wrote it, it is shared.
  package static var toldFlags: UInt32 {
    countedFlags
      | UInt32(MAINSTEM_EVENT_TIMER | MAINSTEM_EVENT_WRITTEN | MAINSTEM_EVENT_SHARED)
  }

  /// The kinds of records that are not events, in the status of the header.
  package enum Kind {
    package static var session: Int32 { 1 }
    package static var type: Int32 { 2 }
    package static var layer: Int32 { 3 }
    package static var origin: Int32 { 4 }
    package static var digest: Int32 { 5 }
    package static var skipped: Int32 { 6 }
    package static var end: Int32 { 7 }
    package static var readPoint: Int32 { 8 }
    package static var closing: Int32 { 9 }
    /// A refusal to callbacks.
    package static var refused: Int32 { 10 }
    /// That a host has ended scopes.
    package static var ended: Int32 { 11 }
    /// That a callback found a request answered before the answer was taken in.
    package static var answered: Int32 { 12 }
    /// A refusal to first shows that no event has caused.
    package static var refusedShow: Int32 { 13 }
    /// A list as it was when the file began.
    package static var list: Int32 { 14 }
  }

  /// The offsets in a file's header.
  package enum FileHeader {
    package static var version: Int { 8 }
    package static var size: Int { 12 }
    package static var id: Int { 16 }
    package static var number: Int { 32 }
    package static var first: Int { 40 }
    package static var link: Int { 48 }
    package static var made: Int { 56 }
    package static var checksum: Int { 124 }
  }

  /// The offsets in a session's payload; text follows.
  package enum Session {
    package static var time: Int { 0 }
    package static var seed: Int { 8 }
    package static var digest: Int { 16 }
    package static var process: Int { 24 }
    package static var level: Int { 28 }
    package static var flags: Int { 32 }
    package static var size: Int { 40 }
    /// The session continues from the file before.
    package static var continues: UInt32 { 1 }
    /// Only the subscriptions that draw numbers count for them.
    package static var countsDrawers: UInt32 { 2 }
    /// The numbers of scopes have 53 bits.
    package static var narrowNumbers: UInt32 { 4 }
  }

  /// The offsets in an origin's payload; the name follows.
  package enum Origin {
    package static var number: Int { 0 }
    package static var zero: Int { 4 }
    package static var scope: Int { 8 }
    package static var parent: Int { 16 }
    package static var size: Int { 24 }
    /// In version 1 the name began here; no name begins with a zero.
    package static var sizeInVersion1: Int { 4 }
  }

  /// The size of the payload's digest, if a mark has one.
  package static var digestSize: Int { 8 }

  /// The number of events after which a digest is due.
  package static var digestPeriod: UInt64 { 256 }
}

/// CRC-32C, as used in journals: see docs/journal-format.md.
package enum Checksum {
  /// The checksum of bytes, continued from that of the bytes before them; 0: there are none.
  @inline(__always)
  package static func of(_ bytes: UnsafeRawPointer, _ count: Int, after seed: UInt32 = 0) -> UInt32
  {
    mainstem_p_crc32c(seed, bytes, count)
  }
}

/// One record of a journal, borrowed from the reader until its next call.
package struct JournalRecord {
  /// The header as in the file: its `offset` is the link to the record before.
  package let header: UnsafePointer<mainstem_event_header>
  package let payload: UnsafeRawPointer
  /// The record's offset in its file.
  package let offset: Int

  package init(_ bytes: UnsafeRawPointer, offset: Int) {
    header = bytes.assumingMemoryBound(to: mainstem_event_header.self)
    payload = bytes + RecordFormat.headerSize
    self.offset = offset
  }

  package var isEvent: Bool { header.pointee.type != 0 }
  package var position: UInt64 { header.pointee.position }
  package var size: Int { Int(header.pointee.size) }
  package var length: Int { RecordFormat.length(of: size) }

  /// What kind of record this is, if it is not an event: see `RecordFormat.Kind`.
  package var kind: Int32 { header.pointee.status }

  /// The record's own checksum, which the next record has as its link.
  package var checksum: UInt32 {
    let end = UnsafeRawPointer(header) + (length &- RecordFormat.checksumSize)
    return UInt32(littleEndian: end.load(as: UInt32.self))
  }

  /// A number in the payload; 0 if the payload is too short.
  package func word(at offset: Int) -> UInt64 {
    guard offset &+ 8 <= size else { return 0 }
    return UInt64(littleEndian: payload.load(fromByteOffset: offset, as: UInt64.self))
  }

  package func half(at offset: Int) -> UInt32 {
    guard offset &+ 4 <= size else { return 0 }
    return UInt32(littleEndian: payload.load(fromByteOffset: offset, as: UInt32.self))
  }

  /// The payload from an offset on.
  package func text(from offset: Int) -> Bytes {
    Bytes(payload + min(offset, size), max(size &- offset, 0))
  }
}

/// The content of an origin's record.
package struct OriginRecord {
  package let number: UInt32
  /// The number of its scope, and of the scope's parent, the same in every repetition; 0: unknown.
  package let scope: UInt64
  package let parent: UInt64
  package let name: Bytes
}

extension JournalRecord {
  /// The content of an origin's record; nil: no such record exists in that version.
  ///
  /// - Parameter version: The version of the format; 0: unknown, but the record itself tells.
  package func origin(version: UInt32) -> OriginRecord? {
    typealias Place = RecordFormat.Origin
    let number = half(at: Place.number)
    guard hasScope(version) else {
      return OriginRecord(
        number: number, scope: 0, parent: 0, name: text(from: Place.sizeInVersion1))
    }
    guard size >= Place.size, half(at: Place.zero) == 0 else { return nil }
    return OriginRecord(
      number: number, scope: word(at: Place.scope), parent: word(at: Place.parent),
      name: text(from: Place.size))
  }

  /// Whether an origin's record has the number of its scope.
  func hasScope(_ version: UInt32) -> Bool {
    let place = RecordFormat.Origin.sizeInVersion1
    return version > 1
      || version == 0 && size > place && payload.load(fromByteOffset: place, as: UInt8.self) == 0
  }

  /// The flags that an event in a journal may have.
  package static var eventFlags: UInt32 {
    RecordFormat.toldFlags | withoutPayload
  }

  /// The flags of events of which only position, type, cause and flags were kept: marked, withheld.
  package static var withoutPayload: UInt32 {
    UInt32(MAINSTEM_EVENT_MARKED | MAINSTEM_EVENT_WITHHELD)
  }

  /// Whether the record can be copied.
  var isSound: Bool {
    isEvent ? isSoundEvent : isSoundOther && hasSoundContent
  }

  /// Whether a writer could have made the header. This tells a record from other bytes before its checksum is computed.
  @inline(__always)
  var hasSoundHeader: Bool { isEvent ? isSoundEventHeader : isSoundOther }

  @inline(__always)
  private var isSoundEventHeader: Bool {
    header.pointee.flags & ~Self.eventFlags == 0 && header.pointee.cause < position
      && header.pointee.answers < position && header.pointee.correlation <= position
  }

  /// Whether the header of a record that is not an event has nothing but its kind, position, time and size.
  var isSoundOther: Bool {
    kind > 0 && header.pointee.flags == 0 && header.pointee.origin == 0
      && header.pointee.cause | header.pointee.correlation | header.pointee.answers == 0
  }

  /// Whether a stream could have had this event. A checksum proves only that nobody changed it.
  package var isSoundEvent: Bool {
    guard isSoundEventHeader else { return false }
    let isBare = header.pointee.flags & Self.withoutPayload != 0
    guard !isBare else { return header.pointee.status == 0 && (size == 0 || isDigest) }
    return header.pointee.status == 0 || hasError
  }

  /// Whether a mark has the digest of its payload.
  private var isDigest: Bool {
    size == RecordFormat.digestSize
      && header.pointee.flags & Self.withoutPayload == UInt32(MAINSTEM_EVENT_MARKED)
  }

  /// The event whose callbacks sent the skipped events; 0: they were inputs; nil: unknown.
  var skippedCause: UInt64? { size >= 24 ? word(at: 16) : nil }

  /// Whether the content of a record that is not an event can be true, whatever comes before it. For names see
  /// `JournalNames`.
  var hasSoundContent: Bool {
    switch kind {
    case RecordFormat.Kind.session: size >= RecordFormat.Session.size
    case RecordFormat.Kind.digest, RecordFormat.Kind.end: size >= 8
    case RecordFormat.Kind.skipped: isSoundSkip
    case RecordFormat.Kind.readPoint, RecordFormat.Kind.closing, RecordFormat.Kind.answered:
      size >= 24
    case RecordFormat.Kind.refused: isSoundRefusal
    case RecordFormat.Kind.ended: isSoundEnd
    case RecordFormat.Kind.list: WholeList(self) != nil
    default: true
    }
  }

  private var isSoundSkip: Bool {
    guard size >= 16 else { return false }
    let (first, last) = (word(at: 0), word(at: 8))
    return first > 0 && first <= last && last < .max && skippedCause ?? 0 < first
  }

  /// Whether a record of a refusal says what was refused, and when.
  private var isSoundRefusal: Bool {
    guard size >= 40 else { return false }
    let (event, number, count) = (word(at: 0), word(at: 8), word(at: 16))
    return event > 0 && event <= position && number > 0 && count > 0
      && count <= .max &- number && position <= word(at: 24) && half(at: 32) != 0
  }

  /// Whether a record of ends says which, and after what.
  private var isSoundEnd: Bool {
    guard size >= 32 else { return false }
    let (first, last) = (word(at: 0), word(at: 8))
    return first > 0 && first <= last && word(at: 16) < first
  }

  /// Whether the payload is three zero-ended texts.
  private var hasError: Bool {
    var zeros = 0
    var index = 0
    while index < size, zeros < 3 {
      if payload.load(fromByteOffset: index, as: UInt8.self) == 0 { zeros &+= 1 }
      index &+= 1
    }
    return zeros == 3
  }

  /// The event, as a callback would have received it.
  package var event: mainstem_event {
    var event = mainstem_event()
    write(to: &event)
    return event
  }

  /// Writes the event over another one of a journal. For a record that is not an event, the text is empty.
  @inline(__always)
  func write(to event: inout mainstem_event) {
    withUnsafeMutableBytes(of: &event) {
      $0.baseAddress.unsafelyUnwrapped.copyMemory(
        from: UnsafeRawPointer(header), byteCount: RecordFormat.headerSize)
    }
    event.offset = 0
    event.data = payload
    event.user_message = ErrorValue.text(ofPayload: payload, status: isEvent ? event.status : 0)
  }
}
