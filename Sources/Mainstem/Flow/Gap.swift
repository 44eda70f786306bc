// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What one observer lost, for example because its ``Queue`` was full. A gap comes before the observer's next
/// event or, at the end of a burst, after the last waiting one.
public struct Gap: Sendable, Hashable {
  /// The position of the first event lost.
  public let from: UInt64
  /// The position of the last event lost.
  public let to: UInt64
  /// How many, counting only events this observer would have got.
  public let count: UInt64
}

extension Gap {
  /// The gap a callback got instead of an event; `nil` for every event of the stream.
  init?(_ event: UnsafePointer<mainstem_event>) {
    guard event.pointee.flags & UInt32(MAINSTEM_EVENT_GAP) != 0,
      let data = event.pointee.data, event.pointee.size >= MemoryLayout<mainstem_gap>.size
    else { return nil }
    let gap = data.loadUnaligned(as: mainstem_gap.self)
    self.init(from: gap.from, to: gap.to, count: gap.count)
  }
}
