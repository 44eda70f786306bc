// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Events that a host packed: headers at the front, payloads behind them. Borrowed for the call; the host must not
/// change them meanwhile.
package struct PackedEvents {
  private let start: UnsafeRawPointer?
  private let size: Int
  package let count: Int

  package init(_ start: UnsafeRawPointer?, _ size: Int, _ count: Int) throws(Refusal) {
    guard count >= 0, count <= 1 << 24 else {
      throw Refusal(.tooBig, "count", "is over 16,777,216 events")
    }
    guard start != nil || count == 0 else { throw .null("batch") }
    guard size >= count &* MemoryLayout<mainstem_event_header>.size else {
      throw Refusal(.invalid, "size", "is too small for the headers")
    }
    self.start = start
    self.size = size
    self.count = count
  }

  /// One of the events; nil if its payload is not inside the batch.
  @inline(__always)
  package subscript(index: Int) -> PackedEvent? {
    let header = start.unsafelyUnwrapped.loadUnaligned(
      fromByteOffset: index &* MemoryLayout<mainstem_event_header>.size,
      as: mainstem_event_header.self)
    let (offset, length) = (Int(header.offset), Int(header.size))
    guard offset <= size, length <= size &- offset else { return nil }
    return PackedEvent(type: header.type, data: start.unsafelyUnwrapped + offset, size: length)
  }

  package func row(_ index: Int) throws(Refusal) -> PackedEvent {
    guard let row = self[index] else {
      throw Refusal(.invalid, "batch", "has a payload outside of it")
    }
    return row
  }
}

/// One event of a batch; its payload is not copied.
package struct PackedEvent {
  package let type: UInt32
  package let data: UnsafeRawPointer
  package let size: Int
}
