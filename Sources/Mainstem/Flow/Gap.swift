// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What one observer lost because its ``Queue`` was full; it is told before its next event, or, at the end of a
/// burst, behind the last that waits.
public struct Gap: Sendable, Hashable {
  /// The position of the first event lost.
  public let from: UInt64
  /// The position of the last event lost.
  public let to: UInt64
  /// How many: only events that this observer would have got are counted.
  public let count: UInt64
}

extension Gap {
  /// The gap that a callback got in place of an event; `nil` for every event of the stream.
  init?(_ event: UnsafePointer<mainstem_event>) {
    guard event.pointee.flags & UInt32(MAINSTEM_EVENT_GAP) != 0,
      let data = event.pointee.data, event.pointee.size >= MemoryLayout<mainstem_gap>.size
    else { return nil }
    let gap = data.loadUnaligned(as: mainstem_gap.self)
    self.init(from: gap.from, to: gap.to, count: gap.count)
  }
}
