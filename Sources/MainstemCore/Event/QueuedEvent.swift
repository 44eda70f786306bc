// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// An event with memory of its own: one that waits for its delivery, or that a host retained.
///
/// The payload stands directly behind it. Several queues may hold the same one: the last to release it
/// frees it. Also a place in a queue, where it may carry, instead of an
/// event, something else that has its turn between two events.
package struct QueuedEvent: ~Copyable {
  /// First, so that a pointer to the whole is a pointer to the event.
  package var event = mainstem_event()
  package var next: UnsafeMutablePointer<QueuedEvent>?
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

  package typealias Pointer = UnsafeMutablePointer<QueuedEvent>

  package init(capacity: Int) { self.capacity = capacity }
}

extension QueuedEvent {
  /// Room for an event with a payload of at most `capacity` bytes; nil when there is no memory.
  package static func make(capacity: Int) -> Pointer? {
    let (size, overflow) = MemoryLayout<QueuedEvent>.stride.addingReportingOverflow(capacity)
    guard !overflow, let raw = Memory.allocate(UInt8.self, count: size) else { return nil }
    let queued = UnsafeMutableRawPointer(raw).bindMemory(to: QueuedEvent.self, capacity: 1)
    queued.initialize(to: QueuedEvent(capacity: capacity))
    return queued
  }

  package static func retain(_ queued: Pointer) {
    queued.pointee.sharers.wrappingAdd(1, ordering: .relaxed)
  }

  /// Whether nobody but the caller holds it: then nobody else will.
  package static func isOnlyOwner(_ queued: Pointer) -> Bool {
    queued.pointee.sharers.load(ordering: .acquiring) == 0
  }

  /// The last one to release it frees it.
  package static func release(_ queued: Pointer) {
    // Nobody but an owner makes another one: a sole owner stays one.
    guard
      queued.pointee.sharers.load(ordering: .acquiring) == 0
        || queued.pointee.sharers.wrappingSubtract(1, ordering: .acquiringAndReleasing).oldValue
          == 0
    else { return }
    free(queued)
  }

  /// Gives the memory of one that nobody else holds back.
  package static func free(_ queued: Pointer?) {
    guard let queued else { return }
    wipe(queued)
    Memory.free(queued)
  }

  /// Leaves nothing of a secret in memory that will be used again.
  package static func wipe(_ queued: Pointer) {
    guard let secret = queued.pointee.secret else { return }
    mainstem_p_wipe(secret, queued.pointee.capacity)
    queued.pointee.secret = nil
  }

  /// Frees one, and those behind it that nobody else holds.
  package static func freeAll(_ first: Pointer?) {
    var next = first
    while let queued = next {
      next = queued.pointee.next
      free(queued)
    }
  }

  package static func event(of queued: Pointer) -> UnsafeMutablePointer<mainstem_event> {
    UnsafeMutableRawPointer(queued).assumingMemoryBound(to: mainstem_event.self)
  }

  package static func payload(of queued: Pointer) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(queued + 1)
  }

  /// Room that already holds the draft's payload; `draft.data` then points into it.
  package static func make(copying draft: inout Draft) -> Pointer? {
    guard let queued = make(capacity: draft.size) else { return nil }
    copyPayload(of: &draft, into: queued)
    return queued
  }

  package static func copyPayload(of draft: inout Draft, into queued: Pointer) {
    let payload = payload(of: queued)
    if let data = draft.data, draft.size > 0 {
      Memory.copy(draft.size, from: data, to: payload, isSecret: draft.isSecret)
    }
    note(payload, in: queued, isSecret: draft.isSecret)
    draft.data = UnsafeRawPointer(payload)
  }

  /// Notes where a payload is, if it has to be overwritten in the end.
  package static func note(
    _ payload: UnsafeMutableRawPointer, in queued: Pointer, isSecret: Bool
  ) {
    queued.pointee.secret = isSecret ? payload : nil
  }

  /// A copy of an event that points into its own memory.
  package static func make(copying event: UnsafePointer<mainstem_event>) -> Pointer? {
    guard let queued = make(capacity: Int(event.pointee.size)) else { return nil }
    copy(event, into: queued)
    return queued
  }

  /// As `make(copying:)`, in memory that is large enough.
  package static func copy(_ event: UnsafePointer<mainstem_event>, into queued: Pointer) {
    let payload = payload(of: queued)
    let isSecret = event.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0
    Memory.copy(
      Int(event.pointee.size), from: event.pointee.data, to: payload, isSecret: isSecret)
    note(payload, in: queued, isSecret: isSecret)
    queued.pointee.event = event.pointee
    queued.pointee.event.data = UnsafeRawPointer(payload)
    queued.pointee.event.text = ErrorValue.text(
      ofPayload: UnsafeRawPointer(payload), status: event.pointee.status)
  }
}
