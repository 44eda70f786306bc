// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// A host's buffer that events are written to: headers from the front, payloads from the back, each at a multiple of 8
/// from the start of the buffer.
package struct RecordBuffer {
  private let start: UnsafeMutableRawPointer?
  package private(set) var count = 0
  /// Where the payloads begin.
  private var back: Int

  package init(_ start: UnsafeMutableRawPointer?, _ size: Int) {
    self.start = start
    // An offset has four bytes.
    back = start == nil ? 0 : max(0, min(size, Int(UInt32.max))) & ~7
  }

  /// How large an empty buffer must be for one event.
  package static func size(for payload: Int) -> Int { header &+ padded(payload) }

  private static var header: Int { MemoryLayout<mainstem_event_header>.size }

  /// The offsets of `offset` and `flags` in a header.
  private static var offset: Int { 44 }
  private static var flags: Int { 60 }

  private static func padded(_ payload: Int) -> Int { (payload &+ 7) & ~7 }

  /// Whether there is room for one more event.
  @inline(__always)
  package func hasRoom(for payload: Int) -> Bool {
    RecordBuffer.size(for: payload) <= back &- count &* RecordBuffer.header
  }

  /// Takes room for one more event, if there is any.
  @inline(__always)
  package mutating func reserve(_ payload: Int) -> Bool {
    guard hasRoom(for: payload) else { return false }
    count &+= 1
    back &-= RecordBuffer.padded(payload)
    return true
  }

  /// Writes one more event; false: there is no room.
  @discardableResult
  package mutating func write(_ event: UnsafePointer<mainstem_event>) -> Bool {
    let isSecret = event.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0
    // The first 64 bytes of an event are its header.
    let header = UnsafeRawPointer(event).assumingMemoryBound(to: mainstem_event_header.self)
    return write(header, event.pointee.data, isSecret: isSecret)
  }

  /// Writes one more event that is given in two parts.
  @inline(__always)
  package mutating func write(
    _ header: UnsafePointer<mainstem_event_header>, _ payload: UnsafeRawPointer?,
    isSecret: Bool = false
  ) -> Bool {
    let size = Int(header.pointee.size)
    guard reserve(size), let start else { return false }
    let place = start + (count &- 1) &* RecordBuffer.header
    place.copyMemory(from: header, byteCount: RecordBuffer.header)
    // The buffer need not be aligned.
    var offset = UInt32(truncatingIfNeeded: back)
    (place + RecordBuffer.offset).copyMemory(from: &offset, byteCount: 4)
    // The bytes alone are no list: nothing may look for one behind them.
    var flags = header.pointee.flags & ~UInt32(MAINSTEM_EVENT_LIST)
    (place + RecordBuffer.flags).copyMemory(from: &flags, byteCount: 4)
    if size > 0, let payload {
      Memory.copy(size, from: payload, to: start + back, isSecret: isSecret)
    }
    return true
  }
}
