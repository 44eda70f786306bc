// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What other threads have handed over and the context has not taken in yet. Under the stream's lock; `Wake` tells the
/// host about it.
struct Inbox: ~Copyable {
  private var waiting = EventQueue()
  /// The last one that `look` has given; nil: it was taken in, and all before it.
  private var lastSeen: QueuedEvent.Pointer?

  init() {}

  var count: Int { waiting.count }
  var bytes: Int { waiting.bytes }
  var first: QueuedEvent.Pointer? { waiting.first }

  /// Appends an event that has no position yet.
  mutating func append(_ queued: QueuedEvent.Pointer) { waiting.append(queued) }

  func each(_ visit: (QueuedEvent.Pointer) -> Void) -> Int { waiting.each(visit) }

  mutating func takeFirst() -> QueuedEvent.Pointer? {
    let queued = waiting.takeFirst()
    if queued == lastSeen { lastSeen = nil }
    return queued
  }

  /// The next event that this has not given before: each is looked at once.
  mutating func look() -> QueuedEvent.Pointer? {
    guard let next = lastSeen.map({ $0.pointee.next }) ?? first else { return nil }
    lastSeen = next
    return next
  }
}

/// What comes from other threads: posted by them, taken in by the context's own thread.
extension Stream {
  /// Hands an event over, from any thread.
  @_optimize(speed)
  package static func post(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .context)
    try resolved.stream.demandOpen()
    try resolved.stream.demandNoShow()
    let isPosted = try resolved.stream.trying { _ throws(Refusal) -> Bool in
      var draft = try resolved.draft(type, data, size)
      guard try resolved.stream.goesAhead() else { return false }
      guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
      try resolved.stream.letIn(
        draft, .program, .unnoted, in: queued, toInbox: true, through: resolved)
      return true
    }
    if isPosted { resolved.stream.countInCallback() }
  }

  /// Leaves a queued event in the inbox. Under the lock.
  ///
  /// - Returns: Whether `signal` must be called after unlocking.
  package func leave(_ queued: QueuedEvent.Pointer) -> Bool {
    let tellsOfInterrupts = absorbInterrupts(before: queued)
    state.pointee.loop.inbox.append(queued)
    return state.pointee.loop.wake.arrive() || tellsOfInterrupts
  }

  /// Accepts the first event of the inbox; false if it is empty.
  func takeIn() -> Bool {
    if isForked { return false }
    var isEmpty = false
    var late: QueuedEvent.Pointer?
    letInKept {
      // While a drain runs nobody is told: there is nothing to signal.
      if !state.pointee.loop.hasPosts { _ = absorbInterrupts() }
      guard let queued = state.pointee.loop.inbox.takeFirst() else {
        isEmpty = true
        return nil
      }
      state.pointee.loop.wake.take()
      guard isDue(queued) else {
        late = queued
        return nil
      }
      takeInRoom(of: queued)
      return KeptEvent(Draft(of: queued), in: queued)
    }
    giveUp(late)
    return !isEmpty
  }

  /// Delivers what was accepted. What was posted before, also by signal handlers, counts as accepted; each event is a
  /// turn of its own. For the deliverer of a closing stream.
  package func deliverLastPosts() {
    locked { state.pointee.loop.openInterrupts }?.pointee.close()
    repeat { _ = work(after: position) } while takeIn()
  }

  /// Whether an event from the inbox still has its place: progress has one only before the answer. The answer is yet to
  /// come while the request is open, or while the answer is itself in the inbox, behind the progress. Under the lock.
  private func isDue(_ queued: QueuedEvent.Pointer) -> Bool {
    if let slot = answeredSlot(queued) {
      slot.pointee.origin.store(0, ordering: .relaxed)
      tellTakenIn(queued.pointee.event.reply)
      return true
    }
    let event = queued.pointee.event
    guard event.answers != 0, event.reply != 0,
      let (slot, key) = Slot.find(Handle(bits: event.reply))
    else { return true }
    let found = slot.pointee.state.load(ordering: .acquiring)
    return found == key
      || found >> 8 == key >> 8
        && slot.pointee.origin.load(ordering: .relaxed) & ~Slot.isNoted == Slot.answerIsHandedOver
  }
}

extension Loop {
  /// How many events wait to come in, and their bytes. What signal handlers handed over comes in before the next post.
  /// Under the lock.
  package var posted: (count: Int, bytes: Int) {
    let before = openInterrupts?.pointee.load ?? (count: 0, bytes: 0)
    return (
      inbox.count &+ before.count, inbox.bytes &+ before.bytes
    )
  }

  /// The first event of the inbox. Under the lock.
  package var firstPosted: QueuedEvent.Pointer? { inbox.first }
}

extension Draft {
  /// The draft that a queued event was made from.
  fileprivate init(of queued: QueuedEvent.Pointer) {
    let event = queued.pointee.event
    self.init(
      type: event.type, data: event.data, size: Int(event.size), origin: event.origin)
    status = event.status
    answers = event.answers
    cause = event.cause == 0 ? nil : event.cause
    correlation = event.correlation
    flags = event.flags & ~UInt32(MAINSTEM_EVENT_OUTSIDE)
    reply = event.reply
  }
}
