// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
package import Synchronization

/// A tracked request that waits for its answer, in one block with room for it.
///
/// Made and ended under the stream's lock, ended by the deliverer. Who settles it may use the room; the
/// rest of it never changes, but for the lists, which are the lock's.
package struct Request: ~Copyable {
  /// Room for the answer, so that one of the core's own cannot fail. The payload's is behind the whole.
  /// First, so that a pointer to it is a pointer to the request.
  private var room: QueuedEvent
  package let slot: Slot.Pointer
  package let handle: Handle
  package let observers: TypeObservers.Pointer
  package let type: UInt32
  package let response: UInt32
  package let completion: Completion
  /// Steps of progress on their way to the completion's scheduler.
  package let steps = Atomic<Int>(0)
  /// Whether its scheduler calls a step just now, and whether it may.
  private let stepCalls = Atomic<UInt32>(0)
  /// Its answer was forgotten: of what it was asked with only the hook is called.
  package var isForgotten = false
  package var position: UInt64 = 0
  package var correlation: UInt64 = 0
  /// It is an input, and so is what its completion sends: a replay has the request, and nobody who asked.
  package var isInput = false
  /// Where it was asked; nil once that has ended.
  package var scope: Scope.Pointer?
  package var previousInScope: Pointer?
  package var nextInScope: Pointer?
  package var previous: Pointer?
  package var next: Pointer?

  package typealias Pointer = UnsafeMutablePointer<Request>

  private init(
    room: Int, slot: Slot.Pointer, handle: Handle, observers: TypeObservers.Pointer, type: UInt32,
    completion: Completion
  ) {
    self.room = QueuedEvent(capacity: room)
    self.slot = slot
    self.handle = handle
    self.observers = observers
    self.type = type
    self.completion = completion
    response = observers.pointee.response.load(ordering: .relaxed)
  }

  /// Who gets the answer.
  package struct Completion {
    package var function: mainstem_event_fn?
    package var progress: mainstem_event_fn?
    package var userData: UnsafeMutableRawPointer?
    package var release: mainstem_release_fn?
    /// Nanoseconds after which the core answers; 0: never.
    package var timeout: Int64 = 0
    /// Where it gets it, and the place in that queue; nil: at once.
    package var scheduler: Scheduler.Pointer?
    package var place: QueueEntry.Pointer?
    /// The handle it was requested with.
    package var through: OpaquePointer?
    package var origin: UInt32 = 0
    /// The number of the scheduler that was asked for.
    package var schedulerNumber: UInt32 = 0

    package init(_ function: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?) {
      self.function = function
      self.userData = userData
    }
  }
}

extension Request {
  /// How many steps of progress may wait on a scheduler.
  package static var mostSteps: Int { 1024 }

  /// Whether the steps of its progress wait somewhere.
  package var queuesSteps: Bool { completion.scheduler != nil && completion.progress != nil }
}

/// Those whose scope has ended: the first asked is cancelled first.
extension Request: Linked {
  package var link: Pointer? {
    get { nextInScope }
    set { nextInScope = newValue }
  }

  package func precedes(_ other: borrowing Request) -> Bool { position < other.position }
}

/// Steps on the scheduler, and the end of them.
extension Request {
  /// Bits of `stepCalls`.
  private static var withdrawn: UInt32 { 1 }
  private static var running: UInt32 { 2 }

  /// Whether it was taken back after it was asked: nothing it was asked with is called any more.
  package var isWithdrawn: Bool {
    stepCalls.load(ordering: .acquiring) & Request.withdrawn != 0
  }

  /// Whether its scheduler calls a step.
  package var isInStep: Bool { stepCalls.load(ordering: .acquiring) & Request.running != 0 }

  package func withdraw() {
    stepCalls.bitwiseOr(Request.withdrawn, ordering: .acquiringAndReleasing)
  }

  /// Its scheduler is about to call a step; false: it may not. `endStep` follows in any case.
  package func beginStep() -> Bool {
    let now = stepCalls.bitwiseOr(Request.running, ordering: .acquiringAndReleasing).newValue
    return now & Request.withdrawn == 0
  }

  /// True: who withdraws it waits to be woken.
  package func endStep() -> Bool {
    let now = stepCalls.bitwiseAnd(~Request.running, ordering: .acquiringAndReleasing).newValue
    return now & Request.withdrawn != 0
  }
}

/// Room.
extension Request {
  /// The room of one that had a server when it was asked: for short answers, and for the core's own.
  package static var shortRoom: Int { 128 }
  /// The room of one that nobody may answer: what could have answered is named in it.
  private static var longRoom: Int { 640 }

  /// Memory for a request of a type; nil when there is none. Under the lock.
  package static func allocate(_ observers: TypeObservers.Pointer) -> (request: Pointer, room: Int)?
  {
    let room = observers.pointee.handlers.first != nil ? shortRoom : longRoom
    let size = MemoryLayout<Request>.stride &+ MemoryLayout<Deadline>.stride &+ room
    guard let raw = Memory.allocate(UInt8.self, count: size) else { return nil }
    return (UnsafeMutableRawPointer(raw).bindMemory(to: Request.self, capacity: 1), room)
  }

  package static func initialize(
    _ request: Pointer, room: Int, slot: Slot.Pointer, handle: Handle,
    observers: TypeObservers.Pointer,
    type: UInt32, completion: Completion
  ) {
    request.initialize(
      to: Request(
        room: room, slot: slot, handle: handle, observers: observers, type: type,
        completion: completion))
    let expire: Deadline.Function = { state, request in
      Stream(state.assumingMemoryBound(to: StreamState.self))
        .expireAndUnlock(request.assumingMemoryBound(to: Request.self))
    }
    deadline(of: request).initialize(to: Deadline(of: request, expire))
  }

  /// Where the answer is kept.
  package static func room(of request: Pointer) -> QueuedEvent.Pointer {
    UnsafeMutableRawPointer(request).assumingMemoryBound(to: QueuedEvent.self)
  }

  /// Where its payload is.
  package static func payload(of request: Pointer) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(deadline(of: request).advanced(by: 1))
  }

  /// How many bytes of payload there is room for.
  package static func capacity(of request: Pointer) -> Int { room(of: request).pointee.capacity }

  /// When the core answers, if it was given a time; behind the struct, so that it has a pointer of its own.
  package static func deadline(of request: Pointer) -> Deadline.Pointer {
    UnsafeMutableRawPointer(request.advanced(by: 1)).assumingMemoryBound(to: Deadline.self)
  }

  /// Whether the answer, which the deliverer frees, is in the request's own room.
  package static func keeps(_ request: Pointer, _ event: UnsafeMutablePointer<mainstem_event>)
    -> Bool
  {
    UInt(bitPattern: request) == UInt(bitPattern: event)
  }
}

extension Stream {
  /// Settles a request: the one caller who gets it gives the answer. Under the lock, or for the deliverer,
  /// who calls `passProgress` next.
  package func settle(_ slot: Slot.Pointer, _ handle: Handle) -> Request.Pointer? {
    guard let (_, key) = Slot.find(handle) else { return nil }
    let answered = key & ~0xFF | UInt64(Kind.answered.rawValue)
    guard
      slot.pointee.state.compareExchange(
        expected: key, desired: answered, ordering: .sequentiallyConsistent
      ).exchanged, let object = slot.pointee.object
    else { return nil }
    let request = object.assumingMemoryBound(to: Request.self)
    state.pointee.openRequests.wrappingSubtract(1, ordering: .relaxed)
    request.pointee.observers.pointee.open.wrappingSubtract(1, ordering: .relaxed)
    return request
  }

  /// Lets a step of progress that began before a request was settled get its place before the answer.
  @inline(__always)
  package func passProgress(_ request: Request.Pointer) {
    guard request.pointee.slot.pointee.origin.load(ordering: .sequentiallyConsistent) != 0 else {
      return
    }
    locked {}
  }
}
