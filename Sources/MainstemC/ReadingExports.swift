// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/journal.h: reading

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_journal_open")
public func mainstem_journal_open(
  _ path: UnsafePointer<CChar>?, _ journal: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  call("mainstem_journal_open", nil) { () throws(Refusal) in
    guard let journal else { throw .null("journal") }
    journal.pointee = nil
    journal.pointee = try OpenJournal.open(path).pointer
  }
}

@implementation @_cdecl("mainstem_journal_next")
public func mainstem_journal_next(
  _ journal: OpaquePointer?, _ flags: UInt32,
  _ event: UnsafeMutablePointer<UnsafePointer<mainstem_event>?>?
) -> mainstem_status {
  call("mainstem_journal_next", nil) { () throws(Refusal) in
    event?.pointee = nil
    try OpenJournal.with(Handle(journal)) { (journal) throws(Refusal) in
      guard let event else { throw .null("event") }
      event.pointee = try journal.next(amongAll: try isAmongAll(flags))
    }
  }
}

/// Whether every record is read, and not events only.
private func isAmongAll(_ flags: UInt32) throws(Refusal) -> Bool {
  guard flags & ~UInt32(MAINSTEM_JOURNAL_EVERY_RECORD) == 0 else {
    throw Refusal(.unsupported, "flags", "has a flag that this library does not support")
  }
  return flags != 0
}

@implementation @_cdecl("mainstem_journal_next_many")
public func mainstem_journal_next_many(
  _ journal: OpaquePointer?, _ flags: UInt32, _ buffer: UnsafeMutableRawPointer?, _ size: Int,
  _ count: UnsafeMutablePointer<Int>?, _ needed: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  count?.pointee = 0
  needed?.pointee = 0
  return call("mainstem_journal_next_many", nil) { () throws(Refusal) in
    try OpenJournal.with(Handle(journal)) { (journal) throws(Refusal) in
      let amongAll = try isAmongAll(flags)
      guard let count else { throw .null("count") }
      guard buffer != nil || size == 0 else { throw .null("buffer") }
      var records = RecordBuffer(buffer, size)
      let missing =
        try amongAll
        ? journal.reader.readManyRecords(into: &records) : journal.reader.readMany(into: &records)
      count.pointee = records.count
      needed?.pointee = missing
      guard records.count > 0 || missing == 0 else {
        throw Refusal(
          .tooBig, "size", "bytes are needed for the next event", .number(UInt64(missing)))
      }
    }
  }
}

@implementation @_cdecl("mainstem_journal_follow")
public func mainstem_journal_follow(_ journal: OpaquePointer?) -> mainstem_status {
  call("mainstem_journal_follow", nil) { () throws(Refusal) in
    try OpenJournal.with(Handle(journal)) { (journal) throws(Refusal) in
      try journal.reader.follow()
    }
  }
}

@implementation @_cdecl("mainstem_journal_info_read")
public func mainstem_journal_info_read(
  _ journal: OpaquePointer?, _ info: UnsafeMutablePointer<mainstem_journal_info>?
) -> mainstem_status {
  call("mainstem_journal_info_read", nil) { () throws(Refusal) in
    try OpenJournal.with(Handle(journal)) { (journal) throws(Refusal) in
      guard let info else { throw .null("info") }
      try checkSize(info.pointee.size, MemoryLayout<mainstem_journal_info>.size, "info")
      journal.reader.readInfo(into: info)
    }
  }
}

extension JournalReader {
  /// Fills in what is known so far.
  fileprivate func readInfo(into info: UnsafeMutablePointer<mainstem_journal_info>) {
    info.pointee.version = isBlank ? RecordFormat.version : version
    withUnsafeMutableBytes(of: &info.pointee.id) {
      $0.storeBytes(of: id.0, as: UInt64.self)
      $0.storeBytes(of: id.1, toByteOffset: 8, as: UInt64.self)
    }
    info.pointee.files = progress.files
    info.pointee.sessions = progress.sessions
    info.pointee.events = progress.events
    info.pointee.first = progress.first
    info.pointee.last = progress.last
    info.pointee.bytes = progress.bytes
    info.pointee.torn_bytes = progress.torn
    info.pointee.damaged_file = isDamaged ? place.number : 0
    info.pointee.damaged_at = isDamaged ? UInt64(place.end) : 0
    info.pointee.digest = progress.digest
    info.pointee.digest_position = progress.digestPosition
    info.pointee.is_read = isReading ? 0 : 1
    info.pointee.is_clean = isClean ? 1 : 0
  }
}

@implementation @_cdecl("mainstem_journal_type_read")
public func mainstem_journal_type_read(
  _ journal: OpaquePointer?, _ type: mainstem_event_type,
  _ info: UnsafeMutablePointer<mainstem_type_info>?
) -> mainstem_status {
  call("mainstem_journal_type_read", nil) { () throws(Refusal) in
    try OpenJournal.with(Handle(journal)) { (journal) throws(Refusal) in
      guard let info else { throw .null("info") }
      try checkSize(info.pointee.size, MemoryLayout<mainstem_type_info>.size, "info")
      let types = journal.reader.names.types
      guard let name = types.name(of: type) else { throw .noType(type) }
      info.pointee.response = types.response(of: type)
      info.pointee.contract = types.contract(of: type)?.bits ?? 0
      info.pointee.name = name.start.assumingMemoryBound(to: CChar.self)
      info.pointee.history_count = 0
      info.pointee.history_max_age_ms = 0
      let layer = Contract(bits: info.pointee.contract).layer
      let text = journal.reader.nameOfLayer(layer) ?? Bytes("")
      info.pointee.layer = text.start.assumingMemoryBound(to: CChar.self)
    }
  }
}

@implementation @_cdecl("mainstem_journal_origin_name")
public func mainstem_journal_origin_name(
  _ journal: OpaquePointer?, _ origin: UInt32,
  _ name: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> mainstem_status {
  call("mainstem_journal_origin_name", nil) { () throws(Refusal) in
    try OpenJournal.with(Handle(journal)) { (journal) throws(Refusal) in
      guard let name else { throw .null("name") }
      guard let bytes = journal.reader.nameOfOrigin(origin) else {
        throw Refusal(.invalid, "origin", "is not an origin", .number(UInt64(origin)))
      }
      name.pointee = bytes.start.assumingMemoryBound(to: CChar.self)
    }
  }
}

@implementation @_cdecl("mainstem_journal_event_line")
public func mainstem_journal_event_line(
  _ journal: OpaquePointer?, _ event: UnsafePointer<mainstem_event>?,
  _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ length: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  call("mainstem_journal_event_line", nil) { () throws(Refusal) in
    try OpenJournal.with(Handle(journal)) { (journal) throws(Refusal) in
      guard let event else { throw .null("event") }
      guard buffer != nil || capacity == 0 else { throw .null("buffer") }
      let written = journal.reader.line(event, buffer, capacity)
      length?.pointee = written
    }
  }
}

@implementation @_cdecl("mainstem_journal_close")
public func mainstem_journal_close(_ journal: OpaquePointer?) -> mainstem_status {
  call("mainstem_journal_close", nil) { () throws(Refusal) in
    guard let journal else { return }
    try OpenJournal.close(Handle(journal))
  }
}

@implementation @_cdecl("mainstem_journal_salvage")
public func mainstem_journal_salvage(
  _ path: UnsafePointer<CChar>?, _ to: UnsafePointer<CChar>?,
  _ report: UnsafeMutablePointer<mainstem_salvage_report>?
) -> mainstem_status {
  call("mainstem_journal_salvage", nil) { () throws(Refusal) in
    if let report {
      try checkSize(report.pointee.size, MemoryLayout<mainstem_salvage_report>.size, "report")
    }
    let ranges = report?.pointee.ranges
    let room = ranges == nil ? 0 : Int(report?.pointee.range_capacity ?? 0)
    let found = try Salvage.salvage(path, to: to, lost: ranges, room: room)
    report?.pointee.range_count = found.ranges
    report?.pointee.events = found.events
    report?.pointee.first = found.first
    report?.pointee.last = found.last
    report?.pointee.lost_positions = found.lostPositions
    report?.pointee.lost_bytes = found.lostBytes
  }
}
