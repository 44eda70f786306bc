// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// An event with memory of its own: one that waits for its delivery, or that a host retained.
///
/// The payload follows it directly, and a copy ends with a zero byte. Several queues may hold the same event: the last to release it frees it. It is also
/// an entry of the stream's queue, and may there carry, instead of an event, something else that has its turn between
/// two events.
package struct QueuedEvent: ~Copyable {
  /// First, so that a pointer to the whole is a pointer to the event.
  package var event = mainstem_event()
  package var next: UnsafeMutablePointer<QueuedEvent>?
  /// Its order among what waits: twice the position for an event, one more for what comes after it.
  package var key: UInt64 = 0
  /// What has its turn here instead of an event.
  package var other: UnsafeMutableRawPointer?
  /// Who gets the memory back when the event has been delivered; nil: it is freed.
  package var lender: UnsafeMutableRawPointer?
  /// How many bytes of payload there is room for.
  package let capacity: Int
  /// The payload of a secret, wiped before its memory is reused; nil: not a secret.
  package var secret: UnsafeMutableRawPointer?
  /// The list of promises of room that queues have made to it: see `Room.swift`. Nil when it is freed.
  package var promises: UnsafeMutableRawPointer?
  /// How many hold it, besides the first.
  private let sharers = Atomic<Int>(0)

  package typealias Pointer = UnsafeMutablePointer<QueuedEvent>

  package init(capacity: Int) { self.capacity = capacity }
}

extension QueuedEvent: Linked {
  package static func next(after node: Pointer) -> Pointer? { node.pointee.next }
  package static func link(_ node: Pointer, to next: Pointer?) { node.pointee.next = next }
}

extension QueuedEvent {
  /// Visits an event and all that are linked behind it, and returns how many they are.
  package static func each(from first: Pointer?, _ visit: (Pointer) -> Void) -> Int {
    var (next, count) = (first, 0)
    while let queued = next {
      next = queued.pointee.next
      visit(queued)
      count &+= 1
    }
    return count
  }
}

extension QueuedEvent {
  /// Room for an event with a payload of at most `capacity` bytes; nil without memory.
  @_optimize(speed)
  package static func make(capacity: Int) -> Pointer? {
    let (size, overflow) = (MemoryLayout<QueuedEvent>.stride &+ 1).addingReportingOverflow(capacity)
    guard !overflow, let raw = Memory.allocate(UInt8.self, count: size) else { return nil }
    let queued = UnsafeMutableRawPointer(raw).bindMemory(to: QueuedEvent.self, capacity: 1)
    queued.initialize(to: QueuedEvent(capacity: capacity))
    return queued
  }

  package static func retain(_ queued: Pointer) {
    queued.pointee.sharers.wrappingAdd(1, ordering: .relaxed)
  }

  /// Whether only the caller holds it: then nobody else can come to hold it.
  package static func isOnlyOwner(_ queued: Pointer) -> Bool {
    queued.pointee.sharers.load(ordering: .acquiring) == 0
  }

  /// Releases it; the last holder frees it.
  package static func release(_ queued: Pointer) {
    // Only an owner makes another owner, so a sole owner stays one.
    guard
      queued.pointee.sharers.load(ordering: .acquiring) == 0
        || queued.pointee.sharers.wrappingSubtract(1, ordering: .acquiringAndReleasing).oldValue
          == 0
    else { return }
    free(queued)
  }

  /// Frees an event that nobody else holds.
  package static func free(_ queued: Pointer?) {
    guard let queued else { return }
    if queued.pointee.event.isOfList { ListStep.release(ListStep.of(event(of: queued))) }
    wipe(queued)
    Memory.free(queued)
  }

  /// Wipes a secret from memory that will be reused.
  package static func wipe(_ queued: Pointer) {
    guard let secret = queued.pointee.secret else { return }
    mainstem_p_wipe(secret, queued.pointee.capacity)
    queued.pointee.secret = nil
  }

  /// Frees an event and those behind it, which nobody else holds.
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

  /// The event that a payload directly follows.
  package static func of(payload: UnsafeMutableRawPointer) -> Pointer {
    (payload - MemoryLayout<QueuedEvent>.stride).assumingMemoryBound(to: QueuedEvent.self)
  }

  /// Room that already contains the draft's payload; `draft.data` then points into it.
  @_optimize(speed)
  package static func make(copying draft: inout Draft) -> Pointer? {
    if let step = draft.step { return make(sharing: step) }
    guard let queued = make(capacity: draft.size) else { return nil }
    copyPayload(of: &draft, into: queued)
    return queued
  }

  /// An event of a list, which holds the step.
  @inline(never)
  private static func make(sharing step: ListStep.Pointer) -> Pointer? {
    guard let queued = make(capacity: 0) else { return nil }
    ListStep.retain(step)
    queued.pointee.event.data = UnsafeRawPointer(ListStep.data(of: step))
    queued.pointee.event.flags = UInt32(MAINSTEM_EVENT_LIST)
    return queued
  }

  package static func copyPayload(of draft: inout Draft, into queued: Pointer) {
    let payload = payload(of: queued)
    if let data = draft.data, draft.size > 0 {
      Memory.copy(draft.size, from: data, to: payload, isSecret: draft.isSecret)
    }
    payload.storeBytes(of: 0, toByteOffset: draft.size, as: UInt8.self)
    noteSecret(payload, in: queued, isSecret: draft.isSecret)
    draft.data = UnsafeRawPointer(payload)
  }

  /// Notes where a payload is, if it must be wiped in the end.
  package static func noteSecret(
    _ payload: UnsafeMutableRawPointer, in queued: Pointer, isSecret: Bool
  ) {
    queued.pointee.secret = isSecret ? payload : nil
  }

  /// A copy of an event that points into its own memory.
  @_optimize(speed)
  package static func make(copying event: UnsafePointer<mainstem_event>) -> Pointer? {
    if event.pointee.isOfList {
      let queued = make(sharing: ListStep.of(event))
      queued?.pointee.event = event.pointee
      return queued
    }
    guard let queued = make(capacity: Int(event.pointee.size)) else { return nil }
    copy(event, into: queued)
    return queued
  }

  /// The bytes that law 9 counts while it waits. They stay the same.
  @inline(__always)
  package static func weight(of queued: Pointer) -> Int {
    guard queued.pointee.event.isOfList else { return queued.pointee.capacity }
    return ListStep.of(event(of: queued)).pointee.weight
  }

  /// Like `make(copying:)`, in the memory of an event that is no longer needed, if the payload fits and it is not far too
  /// large.
  package static func make(
    copying event: UnsafePointer<mainstem_event>, reusing spare: inout Pointer?
  ) -> Pointer? {
    let size = Int(event.pointee.size)
    guard let fitting = spare, !event.pointee.isOfList, !fitting.pointee.event.isOfList,
      fitting.pointee.capacity >= size, fitting.pointee.capacity <= size &* 2 &+ 64
    else { return make(copying: event) }
    spare = nil
    copy(event, into: fitting)
    return fitting
  }

  private static func copy(_ event: UnsafePointer<mainstem_event>, into queued: Pointer) {
    let payload = payload(of: queued)
    let isSecret = event.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0
    Memory.copy(
      Int(event.pointee.size), from: event.pointee.data, to: payload, isSecret: isSecret)
    payload.storeBytes(of: 0, toByteOffset: Int(event.pointee.size), as: UInt8.self)
    noteSecret(payload, in: queued, isSecret: isSecret)
    queued.pointee.event = event.pointee
    queued.pointee.event.data = UnsafeRawPointer(payload)
    queued.pointee.event.user_message = ErrorValue.text(
      ofPayload: UnsafeRawPointer(payload), status: event.pointee.status)
  }
}

/// A first-in, first-out queue of events, and of whatever else has its turn between them.
///
/// The owner changes it; every thread may read how much is in it.
package struct EventQueue: ~Copyable {
  package private(set) var first: QueuedEvent.Pointer?
  package private(set) var last: QueuedEvent.Pointer?
  private let places = Atomic<Int>(0)
  private let payload = Atomic<Int>(0)

  package init() {}

  package var count: Int { places.load(ordering: .relaxed) }
  /// Bytes of payload.
  package var bytes: Int { payload.load(ordering: .relaxed) }

  @inline(__always)
  package mutating func append(_ queued: QueuedEvent.Pointer) {
    queued.pointee.next = nil
    if let last { last.pointee.next = queued } else { first = queued }
    last = queued
    add(1, QueuedEvent.weight(of: queued))
  }

  /// Appends everything in another queue, which is empty afterwards.
  package mutating func append(_ other: inout EventQueue) {
    guard let start = other.first else { return }
    if let last { last.pointee.next = start } else { first = start }
    last = other.last
    add(other.count, other.bytes)
    other = EventQueue()
  }

  package mutating func takeFirst() -> QueuedEvent.Pointer? {
    guard let queued = first else { return nil }
    first = queued.pointee.next
    if first == nil { last = nil }
    add(-1, 0 &- QueuedEvent.weight(of: queued))
    return queued
  }

  /// Visits all, and returns how many they are. For the owner.
  package func each(_ visit: (QueuedEvent.Pointer) -> Void) -> Int {
    QueuedEvent.each(from: first, visit)
  }

  /// Only the owner calls this, so the load and the store need not be one atomic step.
  private func add(_ count: Int, _ bytes: Int) {
    places.store(self.count &+ count, ordering: .relaxed)
    payload.store(self.bytes &+ bytes, ordering: .relaxed)
  }
}
