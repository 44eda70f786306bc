// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// An event with memory of its own: one that waits for its delivery, or that a host retained.
///
/// The payload stands directly behind it. Several queues may hold the same one: the last to release it
/// frees it. Also a place in a queue, where it may carry, instead of an
/// event, something else that has its turn between two events.
package struct KeptEvent: ~Copyable {
  /// First, so that a pointer to the whole is a pointer to the event.
  package var event = mainstem_event()
  package var next: UnsafeMutablePointer<KeptEvent>?
  /// Its place among what waits: twice the position for an event, one more for what comes after it.
  package var key: UInt64 = 0
  /// What has its turn here instead of an event.
  package var other: UnsafeMutableRawPointer?
  /// Who gets the memory back when the event has been delivered; nil: it is freed.
  package var lender: UnsafeMutableRawPointer?
  /// How many bytes of payload there is room for.
  package let capacity: Int
  /// The payload of a secret: overwritten before its memory is another's. Nil: it is none.
  package var secret: UnsafeMutableRawPointer?
  /// The room that queues have promised to it, a list: see `Stream+Room`. Nil where it is freed.
  package var promises: UnsafeMutableRawPointer?
  /// Who holds it, beside the first.
  private let sharers = Atomic<Int>(0)

  package typealias Pointer = UnsafeMutablePointer<KeptEvent>

  package init(capacity: Int) { self.capacity = capacity }
}

extension KeptEvent {
  /// Room for an event with a payload of at most `capacity` bytes; nil when there is no memory.
  package static func make(capacity: Int) -> Pointer? {
    let (size, overflow) = MemoryLayout<KeptEvent>.stride.addingReportingOverflow(capacity)
    guard !overflow, let raw = Memory.allocate(UInt8.self, count: size) else { return nil }
    let kept = UnsafeMutableRawPointer(raw).bindMemory(to: KeptEvent.self, capacity: 1)
    kept.initialize(to: KeptEvent(capacity: capacity))
    return kept
  }

  package static func retain(_ kept: Pointer) {
    kept.pointee.sharers.wrappingAdd(1, ordering: .relaxed)
  }

  /// Whether nobody but the caller holds it: then nobody else will.
  package static func isLastHolder(_ kept: Pointer) -> Bool {
    kept.pointee.sharers.load(ordering: .acquiring) == 0
  }

  /// The last one to release it frees it.
  package static func release(_ kept: Pointer) {
    // Nobody but a holder makes another one: a sole holder stays one.
    guard
      kept.pointee.sharers.load(ordering: .acquiring) == 0
        || kept.pointee.sharers.wrappingSubtract(1, ordering: .acquiringAndReleasing).oldValue == 0
    else { return }
    free(kept)
  }

  /// Gives the memory of one that nobody else holds back.
  package static func free(_ kept: Pointer?) {
    guard let kept else { return }
    wipe(kept)
    Memory.free(kept)
  }

  /// Leaves nothing of a secret in memory that will be used again.
  package static func wipe(_ kept: Pointer) {
    guard let secret = kept.pointee.secret else { return }
    mainstem_p_wipe(secret, kept.pointee.capacity)
    kept.pointee.secret = nil
  }

  /// Frees one, and those behind it that nobody else holds.
  package static func freeAll(_ first: Pointer?) {
    var next = first
    while let kept = next {
      next = kept.pointee.next
      free(kept)
    }
  }

  package static func event(of kept: Pointer) -> UnsafeMutablePointer<mainstem_event> {
    UnsafeMutableRawPointer(kept).assumingMemoryBound(to: mainstem_event.self)
  }

  package static func payload(of kept: Pointer) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(kept + 1)
  }

  /// Room that already holds the draft's payload; `draft.data` then points into it.
  package static func make(copying draft: inout Draft) -> Pointer? {
    guard let kept = make(capacity: draft.size) else { return nil }
    copyPayload(of: &draft, into: kept)
    return kept
  }

  package static func copyPayload(of draft: inout Draft, into kept: Pointer) {
    let payload = payload(of: kept)
    if let data = draft.data, draft.size > 0 {
      Memory.copy(draft.size, from: data, to: payload, isSecret: draft.isSecret)
    }
    note(payload, in: kept, isSecret: draft.isSecret)
    draft.data = UnsafeRawPointer(payload)
  }

  /// Notes where a payload is, if it has to be overwritten in the end.
  package static func note(
    _ payload: UnsafeMutableRawPointer, in kept: Pointer, isSecret: Bool
  ) {
    kept.pointee.secret = isSecret ? payload : nil
  }

  /// A copy of an event that points into its own memory.
  package static func make(copying event: UnsafePointer<mainstem_event>) -> Pointer? {
    guard let kept = make(capacity: Int(event.pointee.size)) else { return nil }
    copy(event, into: kept)
    return kept
  }

  /// As `make(copying:)`, in memory that is large enough.
  package static func copy(_ event: UnsafePointer<mainstem_event>, into kept: Pointer) {
    let payload = payload(of: kept)
    let isSecret = event.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0
    Memory.copy(
      Int(event.pointee.size), from: event.pointee.data, to: payload, isSecret: isSecret)
    note(payload, in: kept, isSecret: isSecret)
    kept.pointee.event = event.pointee
    kept.pointee.event.data = UnsafeRawPointer(payload)
    kept.pointee.event.text = ErrorValue.text(
      ofPayload: UnsafeRawPointer(payload), status: event.pointee.status)
  }
}
