// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Final answers in the inbox. Their requests are settled, but a replay has an answer only where it was taken in. So what a
/// callback may have found settled is recorded, each request once.
extension Stream {
  /// Records for which requests an answer waits, when this thread was refused something because a request is settled, or
  /// when a callback has ended scopes: their requests that are settled were left alone. No lock held.
  ///
  /// - Parameter last: The last position before; nil: the last one now.
  @inline(never)
  package func noteAnswersWaiting(after last: UInt64? = nil) {
    guard connectedRecorder != nil, let event = eventOfCallback, !isForked else { return }
    guard isOwned || isGuarded else { return noteReleased(event, after: last) }
    // Only this thread takes in what is there: others append to it.
    while true {
      let (looked, isUnnoted, accepted) = locked {
        let next = state.pointee.loop.inbox.look()
        return (next, next.map { noteAnswer($0) } ?? false, position)
      }
      guard let queued = looked else { return }
      guard isUnnoted else { continue }
      record(
        .answered(
          AnsweredEarly(
            event: event.pointee.position, request: queued.pointee.event.answers,
            accepted: last ?? accepted)))
    }
  }

  /// Like `noteAnswersWaiting`, where any thread takes in what is there: in such a context only the answers wait that the
  /// library gives when the last copy of a request is released.
  private func noteReleased(
    _ event: UnsafeMutablePointer<mainstem_event>, after last: UInt64?
  ) {
    // So many with each look at the inbox, which others may empty meanwhile.
    var found = InlineArray<32, UInt64>(repeating: 0)
    var count = 0
    repeat {
      count = 0
      let accepted = locked { () -> UInt64 in
        while count < found.count, let queued = state.pointee.loop.inbox.look() {
          guard noteAnswer(queued) else { continue }
          found[count] = queued.pointee.event.answers
          count &+= 1
        }
        return position
      }
      for request in 0..<count {
        record(
          .answered(
            AnsweredEarly(
              event: event.pointee.position, request: found[request], accepted: last ?? accepted)))
      }
    } while count == found.count
  }

  /// Whether an event of the inbox is an answer that is not recorded yet as one that waits. Under the lock.
  private func noteAnswer(_ queued: QueuedEvent.Pointer) -> Bool {
    guard let slot = answeredSlot(queued) else { return false }
    let found = slot.pointee.origin.load(ordering: .relaxed)
    guard found & Slot.isNoted == 0 else { return false }
    slot.pointee.origin.store(found | Slot.isNoted, ordering: .relaxed)
    return true
  }

  /// The slot of the tracked request that an event of the inbox answers; nil: it is something else. Under the lock.
  func answeredSlot(_ queued: QueuedEvent.Pointer) -> Slot.Pointer? {
    let event = queued.pointee.event
    guard event.answers != 0, event.reply != 0, event.flags & UInt32(MAINSTEM_EVENT_PROGRESS) == 0
    else { return nil }
    return Slot.find(Handle(bits: event.reply))?.slot
  }
}
