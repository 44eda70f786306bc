// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// A host's buffer that events are written into: headers from the front, payloads from the back, each at a
/// multiple of 8 from the buffer's begin.
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

  /// How large an empty buffer has to be for one event.
  package static func size(for payload: Int) -> Int { header &+ padded(payload) }

  private static var header: Int { MemoryLayout<mainstem_header>.size }

  private static func padded(_ payload: Int) -> Int { (payload &+ 7) & ~7 }

  /// Takes room for one more event, if there is some.
  package mutating func reserve(_ payload: Int) -> Bool {
    let free = back &- count &* RecordBuffer.header
    guard RecordBuffer.size(for: payload) <= free else { return false }
    count &+= 1
    back &-= RecordBuffer.padded(payload)
    return true
  }

  /// Writes one more event, for which there is room.
  package mutating func write(_ event: UnsafePointer<mainstem_event>) {
    let size = Int(event.pointee.size)
    guard reserve(size), let start else { return }
    var header = UnsafeRawPointer(event).load(as: mainstem_header.self)
    header.offset = UInt32(truncatingIfNeeded: back)
    // The buffer need not be aligned.
    withUnsafeBytes(of: &header) { header in
      (start + (count &- 1) &* RecordBuffer.header).copyMemory(
        from: header.baseAddress.unsafelyUnwrapped, byteCount: RecordBuffer.header)
    }
    guard size > 0 else { return }
    Memory.copy(
      size, from: event.pointee.data, to: start + back,
      isSecret: event.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0)
  }
}
