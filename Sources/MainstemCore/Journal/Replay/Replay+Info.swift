// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What a replay reports about itself.
extension Replay {
  /// Updates what other threads see. Under the lock.
  mutating func show() {
    shown.mode = options.verifies ? UInt32(MAINSTEM_REPLAY_VERIFY) : UInt32(MAINSTEM_REPLAY_MUTED)
    shown.flags = hasEnded ? UInt32(MAINSTEM_REPLAY_ENDED) : 0
    if difference != nil { shown.flags |= UInt32(MAINSTEM_REPLAY_DIFFERS) }
    if source.isWhole { shown.flags |= UInt32(MAINSTEM_REPLAY_WHOLE) }
    shown.first = source.first
    shown.last = source.last
    shown.position = stream.position
    shown.fed = fed
    shown.matched = same
    shown.left_out = stream.leftOut
    shown.verified_until = options.verifies ? verifiedUntil ?? max(stream.position, from) : 0
    shown.digest = options.verifies && isDigestWhole ? digest.bits : 0
    shown.seed = source.session.seed
    shown.time = time
    shown.supplied = supplied
  }

  package static func readInfo(
    _ handle: Handle, into info: UnsafeMutablePointer<mainstem_replay_info>
  ) throws(Refusal) {
    try reading(handle) { replay in
      let size = info.pointee.size
      info.pointee = replay.pointee.shown
      info.pointee.size = size
    }
  }

  package static func readDifference(
    _ handle: Handle, into difference: UnsafeMutablePointer<mainstem_replay_difference>
  ) throws(Refusal) {
    try reading(handle) { replay in
      let size = difference.pointee.size
      difference.pointee = mainstem_replay_difference()
      difference.pointee.size = size
      difference.pointee.message = Draft.nothing.assumingMemoryBound(to: CChar.self)
      let shown = replay.pointee.shown.flags & UInt32(MAINSTEM_REPLAY_DIFFERS) != 0
      guard shown, let found = replay.pointee.difference else { return }
      difference.pointee.field = found.field.rawValue
      difference.pointee.position = found.position
      difference.pointee.offset = UInt64(found.offset)
      if let text = found.message?.text { difference.pointee.message = UnsafePointer(text) }
      difference.pointee.expected = found.expected.map { UnsafePointer(QueuedEvent.event(of: $0)) }
      difference.pointee.actual = found.actual.map { UnsafePointer(QueuedEvent.event(of: $0)) }
      difference.pointee.chain = UnsafePointer(found.chain)
      difference.pointee.chain_count = UInt64(found.chainCount)
    }
  }

  /// Runs `body` with the report, which is brought up to date first inside a callback of the delivery.
  private static func reading(
    _ handle: Handle, _ body: (Pointer) -> Void
  ) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .replay, "replay")
    try resolved.reading { () throws(Refusal) in
      guard let object = resolved.slot.pointee.object else { return }
      if Frame.holding(resolved.stream) != nil { of(object).pointee.show() }
      body(of(object))
    }
  }
}
