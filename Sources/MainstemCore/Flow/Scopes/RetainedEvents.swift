// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The events that hosts keep beyond their callbacks. Under the stream's lock.
struct RetainedEvents {
  private(set) var first: QueuedEvent.Pointer?
  private(set) var count: UInt64 = 0

  mutating func add(_ queued: QueuedEvent.Pointer) {
    queued.pointee.next = first
    queued.pointee.other = nil
    first?.pointee.other = UnsafeMutableRawPointer(queued)
    first = queued
    count &+= 1
  }

  mutating func remove(_ queued: QueuedEvent.Pointer) {
    let previous = queued.pointee.other?.assumingMemoryBound(to: QueuedEvent.self)
    if let previous {
      previous.pointee.next = queued.pointee.next
    } else {
      first = queued.pointee.next
    }
    queued.pointee.next?.pointee.other = queued.pointee.other
    count &-= 1
  }

  /// Visits all, and returns how many they are.
  func each(_ visit: (QueuedEvent.Pointer) -> Void) -> Int {
    QueuedEvent.each(from: first, visit)
  }
}

/// Keeping events beyond their callbacks. A stream's retained events form a list, so that closing ends them.
extension Stream {
  /// Keeps a copy of an event.
  package static func retain(
    _ event: UnsafePointer<mainstem_event>
  ) throws(Refusal) -> Handle {
    let stream = try Stream.of(event)
    guard let queued = QueuedEvent.make(copying: event) else { throw .noMemory }
    let origin = Stream.origin(through: event)
    let handle = try stream.locked { () throws(Refusal) in
      try stream.retain(queued, through: origin)
    }
    if Frame.running(event) != nil { stream.deliverer.pointee.shows.isRetained = true }
    return handle
  }

  /// Takes over an event that a host keeps; if that fails, it is freed. Under the lock.
  ///
  /// - Parameter origin: That of the scope through which the host got it.
  @_optimize(speed)
  func retain(
    _ queued: QueuedEvent.Pointer, through origin: UInt32
  ) throws(Refusal) -> Handle {
    // The stream may be closing, but it cannot be closed while its own callback runs.
    guard state.pointee.scopes.root != nil else {
      QueuedEvent.free(queued)
      throw .closed
    }
    guard
      let (slot, handle) = state.pointee.slots.make(.retained, stream: address, object: queued)
    else {
      QueuedEvent.free(queued)
      throw Refusal(.limit, "", "out of handles")
    }
    queued.pointee.key = UInt64(UInt(bitPattern: slot))
    // Its own handle, not the context's: an observer must not get hold of more.
    queued.pointee.event.home = handle.bits
    queued.pointee.event.through = UInt64(origin)
    state.pointee.scopes.retained.add(queued)
    let event = UnsafePointer(QueuedEvent.event(of: queued))
    if Stream.isAsking(event) { _ = tellHeld(event, 1) }
    return handle
  }

  /// The event that a handle names.
  package static func retained(
    _ handle: Handle
  ) throws(Refusal) -> UnsafePointer<mainstem_event> {
    let resolved = try ResolvedHandle(handle, .retained, "retained")
    let queued = resolved.stream.locked { resolved.isLive ? resolved.retainedEvent : nil }
    guard let queued else { throw Refusal(.stale, "retained", "has ended") }
    return UnsafePointer(QueuedEvent.event(of: queued))
  }

  /// Ends a retained event.
  package static func endRetained(_ handle: Handle) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .retained, "retained")
    let stream = resolved.stream
    var isLast = false
    let queued = stream.locked { () -> QueuedEvent.Pointer? in
      guard resolved.isLive, let queued = resolved.retainedEvent else { return nil }
      stream.state.pointee.scopes.retained.remove(queued)
      stream.state.pointee.slots.end(resolved.slot)
      let event = UnsafePointer(QueuedEvent.event(of: queued))
      if Stream.isAsking(event) { isLast = stream.tellHeld(event, -1) }
      return queued
    }
    guard let queued else { throw Refusal(.stale, "retained", "has ended") }
    if isLast {
      // To release an event calls nobody: what follows from it waits, unless a callback releases it.
      let event = QueuedEvent.event(of: queued)
      let origin = UInt32(truncatingIfNeeded: event.pointee.through)
      stream.tellUnanswered(event, by: origin, toInbox: Frame.holding(stream) == nil)
    }
    QueuedEvent.free(queued)
  }

  /// Ends all retained events, when the stream is closed. Under the lock.
  func endAllRetained() {
    while let queued = state.pointee.scopes.retained.first {
      state.pointee.scopes.retained.remove(queued)
      if let slot = Slot.Pointer(bitPattern: UInt(queued.pointee.key)) {
        state.pointee.slots.end(slot)
      }
      QueuedEvent.free(queued)
    }
  }
}

extension Stream {
  /// The contract of an event that a callback got or that was retained; without bits, if its context is closed.
  package static func contract(of event: UnsafePointer<mainstem_event>) -> Contract {
    guard let stream = try? Stream.of(event) else { return Contract(bits: 0) }
    return stream.contract(of: event.pointee.type)
  }

  /// The origin of the scope through which an event was observed; for a retained event, even after that scope has
  /// ended.
  @_optimize(speed)
  static func origin(through event: UnsafePointer<mainstem_event>) -> UInt32 {
    if event.pointee.home != 0 { return UInt32(truncatingIfNeeded: event.pointee.through) }
    if let frame = Frame.of(event) {
      return frame.pointee.row?.pointee.scope.pointee.origin ?? frame.pointee.origin
    }
    let handle = Handle(bits: UInt64(UInt(bitPattern: event.pointee.context)))
    guard let resolved = try? ResolvedHandle(handle, .context, "event") else { return 0 }
    return resolved.origin
  }
}

extension ResolvedHandle {
  /// The retained event that the handle names. Under the lock.
  fileprivate var retainedEvent: QueuedEvent.Pointer? {
    slot.pointee.object?.assumingMemoryBound(to: QueuedEvent.self)
  }
}
