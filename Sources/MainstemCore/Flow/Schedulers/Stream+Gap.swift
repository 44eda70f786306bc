// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Gaps: a subscription whose queue lost events is told how many.
extension Stream {
  /// The event that tells a subscription of its loss. It is not on the stream: its position is that of the last lost
  /// event.
  package func event(of gap: UnsafePointer<mainstem_gap>) -> mainstem_event {
    var draft = Draft(
      type: state.pointee.schedulers.gapType, data: UnsafeRawPointer(gap),
      size: MemoryLayout<mainstem_gap>.size, origin: 0)
    draft.flags = UInt32(MAINSTEM_EVENT_GAP)
    return draft.event(at: gap.pointee.to, cause: 0, chain: 0, time: 0, isOutside: false)
  }

  func addGapType() throws(Refusal) -> UInt32 {
    let size = UInt64(MemoryLayout<mainstem_gap>.size)
    let contract =
      Contract.Payload.structure.rawValue << 32 | Contract.Role.notice.rawValue << 36 | 5 << 40
      | size
    return try addType(Bytes("MainstemGap"), contract, response: nil)
  }
}
