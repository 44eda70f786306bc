// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Events read from a journal but not yet returned, and the names already looked up, which are right for all of
/// them.
struct JournalBatch {
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 8)
  private var count = 0
  private var given = 0
  private var names: [mainstem_event_type: String] = [:]
  private var origins: [UInt32: String] = [:]

  func free() { buffer.deallocate() }

  /// Drops the events not yet returned.
  mutating func clear() { (count, given) = (0, 0) }

  /// Returns the next event; `nil` at the end.
  mutating func next(
    of journal: OpaquePointer?, types: EventTypes
  ) throws(StreamError) -> JournalEvent? {
    if given == count { try read(journal) }
    guard given < count else { return nil }
    var event = event(at: given)
    given += 1
    return withUnsafePointer(to: &event) { event in
      JournalEvent(
        event, name: name(of: event.pointee.type, in: journal),
        origin: origin(event.pointee.origin, in: journal),
        line: JournalEvent.line(of: event, in: journal), types: types)
    }
  }

  private mutating func read(_ journal: OpaquePointer?) throws(StreamError) {
    var needed = 0
    clear()
    var status = read(journal, &needed)
    if status == MAINSTEM_TOO_BIG {
      buffer.deallocate()
      buffer = .allocate(byteCount: needed, alignment: 8)
      status = read(journal, &needed)
    }
    try StreamError.check(status)
    names.removeAll(keepingCapacity: true)
    origins.removeAll(keepingCapacity: true)
  }

  private mutating func read(_ journal: OpaquePointer?, _ needed: inout Int) -> mainstem_status {
    mainstem_journal_next_many(journal, 0, buffer.baseAddress, buffer.count, &count, &needed)
  }

  private func event(at index: Int) -> mainstem_event {
    let size = MemoryLayout<mainstem_event_header>.size
    var event = mainstem_event()
    withUnsafeMutableBytes(of: &event) { event in
      event.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: buffer[index * size..<(index + 1) * size]))
    }
    event.data = buffer.baseAddress.map { UnsafeRawPointer($0) + Int(event.offset) }
    return event
  }

  private mutating func name(of type: mainstem_event_type, in journal: OpaquePointer?) -> String {
    if let known = names[type] { return known }
    let name = JournalEvent.name(of: type, in: journal)
    names[type] = name
    return name
  }

  private mutating func origin(_ number: UInt32, in journal: OpaquePointer?) -> String {
    if let known = origins[number] { return known }
    let origin = JournalEvent.origin(number, in: journal)
    origins[number] = origin
    return origin
  }
}
