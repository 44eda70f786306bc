// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What comes from other threads: posted by them, taken in by the context's own.
extension Stream {
  /// Hands an event over from any thread.
  package static func post(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let entrance = try Entrance(handle, .context)
    var draft = try entrance.draft(type, data, size)
    guard let kept = KeptEvent.make(copying: &draft) else { throw .noMemory }
    try entrance.stream.post(draft, kept, entrance.slot, entrance.key)
  }

  /// Puts a kept event in the inbox. Takes over the memory, also when it fails.
  package func post(
    _ draft: Draft, _ kept: KeptEvent.Pointer, _ slot: Slot.Pointer, _ key: UInt64
  ) throws(Refusal) {
    kept.pointee.event = draft.event(at: 0, cause: 0, chain: 0, time: 0)
    let isAccepted = locked {
      guard slot.pointee.state.load(ordering: .acquiring) == key, !isClosed else { return false }
      state.pointee.inbox.append(kept)
      return true
    }
    guard isAccepted else {
      Memory.free(kept)
      throw .closed
    }
  }

  /// Takes in what waits, each as a turn of its own; at most `limit`, 0 for all that waits now.
  package func drain(_ limit: Int) -> Int {
    endLeftovers()
    let count = locked {
      state.pointee.inbox.beginDrain()
      let waiting = state.pointee.inbox.count
      return limit > 0 ? min(limit, waiting) : waiting
    }
    var taken = 0
    while taken < count, takeIn() { taken &+= 1 }
    locked { state.pointee.inbox.endDrain() }
    return taken
  }

  /// Accepts the first event of the inbox; false when it is empty.
  package func takeIn() -> Bool {
    state.pointee.lock.acquire()
    guard let kept = state.pointee.inbox.takeFirst() else {
      state.pointee.lock.release()
      return false
    }
    place(Draft(of: kept), in: kept)
    return true
  }

  /// Ends what another thread cancelled in a context of one thread.
  package func endLeftovers() {
    guard state.pointee.attention.load(ordering: .relaxed) != 0 else { return }
    state.pointee.lock.acquire()
    endCancelledAndUnlock()
  }

  /// Waits until there is something to drain, and drains it.
  package static func wait(_ handle: Handle, _ timeoutMs: Int64) throws(Refusal) {
    let entrance = try Entrance.waiting(handle)
    let stream = entrance.stream
    let descriptor = try entrance.descriptor()
    if stream.locked({ stream.state.pointee.inbox.count }) == 0 {
      switch mainstem_p_wake_wait(descriptor, timeoutMs) {
      case 0: throw Refusal(.timeout, "timeout_ms", "is over, and nothing came")
      case -1: throw Refusal(.interrupted, "", "a signal arrived")
      default: break
      }
    }
    guard entrance.isLive else { throw .closed }
    _ = stream.drain(0)
  }

  /// Returns when all that was accepted or posted before has reached its observers.
  package func flush() {
    _ = drain(0)
    locked {
      let target = position
      state.pointee.reached = 0
      while state.pointee.reached < target,
        Word(bits: state.pointee.word.load(ordering: .acquiring)).isDelivering
      {
        waitForHolder()
      }
    }
  }
}

extension Entrance {
  /// A checked draft of an event sent through this handle.
  package func draft(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) -> Draft {
    guard isLive, !stream.isClosed else { throw .closed }
    let contract = stream.contract(of: type)
    guard contract.bits != 0, size >> 32 == 0, contract.admits(data, size) else {
      guard isLive else { throw .closed }
      throw stream.refusal(type, data, size)
    }
    return Draft(type: type, data: data, size: size, origin: origin)
  }

  /// The descriptor that tells of what waits.
  package func descriptor() throws(Refusal) -> Int32 {
    try locked { () throws(Refusal) in
      guard let descriptor = stream.state.pointee.inbox.openDescriptor() else {
        throw Refusal(.limit, "", "no file descriptor is left")
      }
      return descriptor
    }
  }
}

extension Draft {
  /// The draft that a kept event was made from.
  fileprivate init(of kept: KeptEvent.Pointer) {
    let event = kept.pointee.event
    self.init(
      type: event.type, data: event.data, size: Int(event.size), origin: event.origin)
    status = event.status
    answers = event.answers
    correlation = event.answers == 0 ? 0 : event.correlation
    flags = event.flags & ~UInt32(MAINSTEM_EVENT_OUTSIDE)
    reply = event.reply
  }
}
