// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Numbers and ids that programs draw.
extension Stream {
  /// The next number for the caller; inside a callback, one that depends on that callback alone.
  package func draw() -> UInt64 {
    guard let frame = Frame.of(self), let event = frame.pointee.event else {
      return state.pointee.loop.chance.draw()
    }
    let count = frame.pointee.countDraw()
    return SeededRandom.number(seed, event.pointee.position, subscription(frame), UInt64(count))
  }

  /// One of a number of schedulers, by the seed alone.
  package func pick(below count: UInt64) -> UInt64 { state.pointee.loop.chance.pick() % count }

  package var seed: UInt64 { state.pointee.loop.chance.seed }

  /// Identifies the subscription of a call, the same in every run: its scope's identity and its number within the
  /// scope. Other observers have no influence.
  private func subscription(_ frame: UnsafeMutablePointer<Frame>) -> UInt64 {
    guard let row = frame.pointee.row else { return 0 }
    return row.pointee.scope.pointee.identity &+ UInt64(row.pointee.number)
  }

  /// Writes an id of 36 characters and a terminating zero: a UUID of version 4.
  package func writeID(_ text: UnsafeMutablePointer<CChar>) {
    let high = draw() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = draw() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    var digit = 0
    var place = 0
    while place < 36 {
      if place == 8 || place == 13 || place == 18 || place == 23 {
        text[place] = 0x2D
      } else {
        let half = digit < 16 ? high : low
        let value = CChar(truncatingIfNeeded: half >> UInt64(60 &- digit % 16 &* 4) & 15)
        text[place] = value < 10 ? 0x30 &+ value : 0x57 &+ value
        digit &+= 1
      }
      place &+= 1
    }
    text[36] = 0
  }
}
