// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
package import Synchronization

/// A tracked request that waits for its answer, in one block with room for it.
///
/// Made under the lock; ended under the lock, by the deliverer. Whoever settles it may use the room. Everything else in
/// it never changes, except the lists, which the lock guards.
package struct Request: ~Copyable {
  /// Room for the answer, so that the core's own answer cannot fail. The payload's room is at the end of the block.
  /// This is the first member, so that a pointer to it is a pointer to the request.
  private var room: QueuedEvent
  package let slot: Slot.Pointer
  package let handle: Handle
  package let observers: TypeObservers.Pointer
  package let type: UInt32
  package let response: UInt32
  package let completion: Completion
  /// The number of progress steps on their way to the completion's scheduler.
  package let steps = Atomic<Int>(0)
  /// Whether the scheduler is calling a step now, and whether it may.
  private let stepCalls = Atomic<UInt32>(0)
  package var position: UInt64 = 0
  package var correlation: UInt64 = 0
  /// What servers want called when somebody else has settled it: the first of a list.
  package var settledCalls: SettledCall.Pointer?
  // Together, so that the block stays small.
  /// The request is an input, so what its completion sends is an input too: a replay has the request but no requester.
  package var isInput = false
  /// The answer was dropped: of the completion, only the hook is called.
  package var isForgotten = false
  /// It was asked of servers of which the last has ended.
  var isAbandoned = false
  /// It is in a chain of some that are gone through: see `nextGathered`.
  var isGathered = false
  /// A handler that got it has failed. Under the lock.
  var hasFailed = false
  /// How many can answer it: its delivery, what waits for handlers on schedulers, its copies. Under the lock.
  var holders: UInt32 = 1
  /// In whose handling it was asked.
  package var fetches = Fetches.none
  /// Its type had a server when it was asked.
  package let hadServer: Bool
  /// The scope it was made through; nil once that has ended.
  package var scope: Scope.Pointer?
  package var previousInScope: Pointer?
  package var nextInScope: Pointer?
  /// Others of its type.
  package var previous: Pointer?
  package var next: Pointer?
  /// The instance of a service that got it, and what that got besides; nil: none did, or it has ended.
  var server: Scope.Pointer?
  var previousServed: Pointer?
  var nextServed: Pointer?
  /// The next in a chain that it is in for a while.
  fileprivate var nextGathered: Pointer?

  package typealias Pointer = UnsafeMutablePointer<Request>

  private init(
    room: Int, slot: Slot.Pointer, handle: Handle, observers: TypeObservers.Pointer, type: UInt32,
    completion: Completion
  ) {
    self.room = QueuedEvent(capacity: room)
    hadServer = room == Request.shortRoom
    self.slot = slot
    self.handle = handle
    self.observers = observers
    self.type = type
    self.completion = completion
    response = observers.pointee.response.load(ordering: .relaxed)
  }

  /// The receiver of the answer.
  package struct Completion {
    package var function: mainstem_event_fn?
    package var progress: mainstem_event_fn?
    package var userData: UnsafeMutableRawPointer?
    package var release: mainstem_release_fn?
    /// The time after which the core answers, in nanoseconds; 0: never.
    package var timeout: Int64 = 0
    /// The scheduler for the answer and the answer's entry in its queue; nil: at once.
    package var scheduler: Scheduler.Pointer?
    package var place: QueueEntry.Pointer?
    /// The handle the request was made with.
    package var through: OpaquePointer?
    package var origin: UInt32 = 0
    /// The number of the requested scheduler.
    package var schedulerNumber: UInt32 = 0

    package init(_ function: mainstem_event_fn?, _ userData: UnsafeMutableRawPointer?) {
      self.function = function
      self.userData = userData
    }
  }
}

extension Request {
  /// The number of progress steps that may wait on a scheduler.
  package static var mostSteps: Int { 1024 }

  /// Whether steps of progress wait on a scheduler.
  package var queuesSteps: Bool { completion.scheduler != nil && completion.progress != nil }
}

/// Requests that are gone through, the oldest first.
extension Request: Ordered {
  package static func next(after node: Pointer) -> Pointer? { node.pointee.nextGathered }
  package static func link(_ node: Pointer, to next: Pointer?) { node.pointee.nextGathered = next }

  package func precedes(_ other: borrowing Request) -> Bool { position < other.position }
}

/// Progress steps on the scheduler, and their end.
extension Request {
  /// The bits of `stepCalls`.
  private static var withdrawn: UInt32 { 1 }
  private static var running: UInt32 { 2 }

  /// Whether the request was withdrawn: its completion is never called.
  package var isWithdrawn: Bool {
    stepCalls.load(ordering: .acquiring) & Request.withdrawn != 0
  }

  /// Whether the scheduler is calling a step.
  package var isInStep: Bool { stepCalls.load(ordering: .acquiring) & Request.running != 0 }

  package func withdraw() {
    stepCalls.bitwiseOr(Request.withdrawn, ordering: .acquiringAndReleasing)
  }

  /// Announces that the scheduler is about to call a step; false: it may not. `endStep` follows in either case.
  package func beginStep() -> Bool {
    let now = stepCalls.bitwiseOr(Request.running, ordering: .acquiringAndReleasing).newValue
    return now & Request.withdrawn == 0
  }

  /// Ends what `beginStep` began; true: the thread that withdraws the request waits to be woken.
  package func endStep() -> Bool {
    let now = stepCalls.bitwiseAnd(~Request.running, ordering: .acquiringAndReleasing).newValue
    return now & Request.withdrawn != 0
  }
}

/// Memory and room.
extension Request {
  /// The room of a request that had a server: enough for short answers and for the core's own.
  package static var shortRoom: Int { 128 }
  /// The room of a request that has no server: the core's answer names the servers there are.
  private static var longRoom: Int { 640 }

  /// The room of a shared request. It tells it from others: nobody has asked a server for it.
  private static var sharedRoom: Int { longRoom &+ 8 }
  /// The largest answer for which a shared request has room.
  package static var mostOfShared: Int { sharedRoom }

  /// Whether it is a shared request, which gets what another one gets.
  package static func isShared(_ request: Pointer) -> Bool { capacity(of: request) == sharedRoom }

  /// Allocates a shared request; nil without memory. Under the lock.
  package static func allocateShared() -> (request: Pointer, room: Int)? {
    allocate(room: sharedRoom)
  }

  /// Allocates a request of a type; nil without memory. Under the lock.
  package static func allocate(_ observers: TypeObservers.Pointer) -> (request: Pointer, room: Int)?
  {
    allocate(room: observers.pointee.hasHandlers ? shortRoom : longRoom)
  }

  @inline(__always)
  private static func allocate(room: Int) -> (request: Pointer, room: Int)? {
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
    let expire: Deadline.Function = { state, request, due in
      KeptEvent.set(
        due, to: Requests(of: state).expire(request.assumingMemoryBound(to: Request.self)))
    }
    deadline(of: request).initialize(to: Deadline(of: request, expire))
  }

  /// The room for the answer.
  package static func room(of request: Pointer) -> QueuedEvent.Pointer {
    UnsafeMutableRawPointer(request).assumingMemoryBound(to: QueuedEvent.self)
  }

  /// The room for the answer's payload.
  package static func payload(of request: Pointer) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(deadline(of: request).advanced(by: 1))
  }

  /// The size of the payload's room, in bytes.
  package static func capacity(of request: Pointer) -> Int { room(of: request).pointee.capacity }

  /// The deadline at which the core answers, if there is a timeout. It lies behind the struct, so that it has its own
  /// pointer.
  package static func deadline(of request: Pointer) -> Deadline.Pointer {
    UnsafeMutableRawPointer(request.advanced(by: 1)).assumingMemoryBound(to: Deadline.self)
  }

  /// Whether the answer, which the deliverer frees, lies in the request's own room.
  package static func keeps(_ request: Pointer, _ event: UnsafeMutablePointer<mainstem_event>)
    -> Bool
  {
    UInt(bitPattern: request) == UInt(bitPattern: event)
  }
}

extension Requests {
  /// Settles a request: the one caller that gets the request gives the answer. Called under the lock, or by the
  /// deliverer, which calls `passProgress` next.
  package func settle(_ slot: Slot.Pointer, _ handle: Handle) -> Request.Pointer? {
    guard let request = close(slot, handle) else { return nil }
    countSettled(request)
    return request
  }

  /// Settles a request that counts as open until `countSettled`.
  @inline(__always)
  func close(_ slot: Slot.Pointer, _ handle: Handle) -> Request.Pointer? {
    guard let (_, key) = Slot.find(handle) else { return nil }
    let answered = key & ~0xFF | UInt64(Kind.answered.rawValue)
    guard
      slot.pointee.state.compareExchange(
        expected: key, desired: answered, ordering: .sequentiallyConsistent
      ).exchanged, let object = slot.pointee.object
    else { return nil }
    return object.assumingMemoryBound(to: Request.self)
  }

  @inline(__always)
  func countSettled(_ request: Request.Pointer) {
    stream.state.pointee.openRequests.wrappingSubtract(1, ordering: .relaxed)
    request.pointee.observers.pointee.open.wrappingSubtract(1, ordering: .relaxed)
  }

  /// Lets a progress step that began before a request was settled take its place before the answer.
  @inline(__always)
  package func passProgress(_ request: Request.Pointer) {
    guard request.pointee.slot.pointee.origin.load(ordering: .sequentiallyConsistent) != 0 else {
      return
    }
    stream.locked {}
  }
}

/// The requests of one stream whose answers are not delivered yet, by type, in the order they were made: the station's
/// state at the stream's port. Under the lock.
package struct OpenRequests {
  /// Requests that an instance of a service got which has ended, and that are not cancelled yet.
  var lost: Request.Pointer?
  /// Requests whose scope has ended and that are not cancelled yet, linked like those of a scope.
  package internal(set) var ending: Request.Pointer?
  package var activities: Activity.Pointer?
  /// The last answer to what a fetch had asked. The deliverer's.
  var answered = AnsweredInFetch()
  /// What is asked once for all who ask the same.
  var asked = HashTable<AskedOnce.Entry>()

  package init() {}

  package typealias Pointer = UnsafeMutablePointer<OpenRequests>
}

extension OpenRequests {
  /// What the stream tells this station.
  package static var functions: RequestFunctions {
    RequestFunctions(
      passed: { _, stream, event, isDropped in
        let event = event.assumingMemoryBound(to: mainstem_event.self)
        if isDropped {
          Requests(of: stream).requestOrAnswerDropped(event)
        } else {
          Requests(of: stream).requestOrAnswerDelivered(event)
        }
      },
      fed: { Requests(of: $1).takeUp($2.assumingMemoryBound(to: mainstem_event.self)) },
      holds: { Requests(of: $0).hold($1.assumingMemoryBound(to: mainstem_event.self), $2) },
      unanswered: {
        Requests(of: $0).endUnanswered(
          $1.assumingMemoryBound(to: mainstem_event.self), by: $2, toInbox: $3)
      },
      settle: { Requests(of: $1).settleAhead(at: $2) },
      takenIn: { Requests(of: $1).noteTakenIn(Handle(bits: $2)) },
      ending: { Requests(of: $1).gatherRequests(of: $2.assumingMemoryBound(to: Scope.self)) },
      abandoned: { Requests(of: $1).cancelAbandoned(at: $2) },
      markOrigins: { Requests(of: $1).markOriginsOfRequests() },
      fetch: { stream, event, fetches in
        fetches.assumingMemoryBound(to: Fetches.self).pointee = Requests(of: stream).inherited(
          event.assumingMemoryBound(to: mainstem_event.self))
      })
  }
}

extension Stream {
  /// The station above the port that knows the requests.
  package var requests: Requests { Requests(self) }
}

/// The requests of one stream: who asked, and who gets the answer. It is the only part that settles them.
package struct Requests {
  package let stream: Stream

  fileprivate init(_ stream: Stream) { self.stream = stream }

  /// The station of the memory that a function of the port gets.
  package init(of state: UnsafeMutableRawPointer) { stream = Stream(of: state) }

  package var open: OpenRequests.Pointer {
    stream.requestState!.assumingMemoryBound(to: OpenRequests.self)
  }
}

extension Requests {
  /// Marks the origins of those who asked, and returns how many there are.
  fileprivate func markOriginsOfRequests() -> Int {
    var count = 0
    eachOpenRequest { request in
      stream.markOrigin(request.pointee.completion.origin)
      count &+= 1
    }
    return count
  }
}

/// Lists. Under the lock.
extension Requests {
  /// Visits the requests whose answers are not delivered, in the order they were made; the visitor may settle them.
  package func eachOpenRequest(_ visit: (Request.Pointer) -> Void) {
    var all = Chain<Request>()
    _ = openRequest { request in
      all.append(request)
      return false
    }
    all.sort()
    while let request = all.takeFirst() { visit(request) }
  }

  /// The first request for which something holds, type by type.
  ///
  /// - Parameter response: The type of its answers; 0: any.
  private func openRequest(
    answeredBy response: UInt32 = 0, _ holds: (Request.Pointer) -> Bool
  ) -> Request.Pointer? {
    var type: UInt32 = 0
    while type < stream.state.pointee.types.count {
      type &+= 1
      guard let observers = stream.state.pointee.observers.find(type) else { continue }
      var next = observers.pointee.firstRequest?.assumingMemoryBound(to: Request.self)
      if response != 0, response != next?.pointee.response { next = nil }
      while let request = next {
        if holds(request) { return request }
        next = request.pointee.next
      }
    }
    return nil
  }

  /// The request at a position, if its answer is not delivered. Called by the deliverer of a fed stream, where nobody
  /// else makes or ends requests.
  package func openRequest(at position: UInt64) -> Request.Pointer? {
    openRequest { $0.pointee.position == position }
  }

  /// The oldest unanswered request with this response type. Called by the deliverer of a fed stream.
  package func oldestRequest(answeredBy type: UInt32) -> Request.Pointer? {
    var oldest: Request.Pointer?
    _ = openRequest(answeredBy: type) { request in
      guard !Request.isShared(request), let (slot, key) = Slot.find(request.pointee.handle),
        slot.pointee.state.load(ordering: .acquiring) == key || isSettledAhead(slot),
        request.pointee.position < oldest?.pointee.position ?? .max
      else { return false }
      oldest = request
      return false
    }
    return oldest
  }

  package func link(_ request: Request.Pointer, to scope: Scope.Pointer) {
    let observers = request.pointee.observers
    let last = observers.pointee.lastRequest?.assumingMemoryBound(to: Request.self)
    request.pointee.previous = last
    if let last {
      last.pointee.next = request
    } else {
      observers.pointee.firstRequest = UnsafeMutableRawPointer(request)
    }
    observers.pointee.lastRequest = UnsafeMutableRawPointer(request)
    let first = scope.pointee.firstRequest?.assumingMemoryBound(to: Request.self)
    first?.pointee.previousInScope = request
    request.pointee.nextInScope = first
    request.pointee.scope = scope
    scope.pointee.firstRequest = UnsafeMutableRawPointer(request)
    stream.state.pointee.openRequests.wrappingAdd(1, ordering: .relaxed)
    observers.pointee.open.wrappingAdd(1, ordering: .relaxed)
  }

  /// Ends a request's handle and takes the request off the lists. The caller frees its memory.
  ///
  /// - Returns: What is to be called now.
  package func unlink(_ request: Request.Pointer) -> SettledCall.Pointer? {
    stream.disarm(Request.deadline(of: request))
    let (previous, next) = (request.pointee.previous, request.pointee.next)
    let observers = request.pointee.observers
    if let previous {
      previous.pointee.next = next
    } else {
      observers.pointee.firstRequest = UnsafeMutableRawPointer(next)
    }
    if let next {
      next.pointee.previous = previous
    } else {
      observers.pointee.lastRequest = UnsafeMutableRawPointer(previous)
    }
    leaveServer(request)
    let nextInScope = request.pointee.nextInScope
    nextInScope?.pointee.previousInScope = request.pointee.previousInScope
    if let previous = request.pointee.previousInScope {
      previous.pointee.nextInScope = nextInScope
    } else if let scope = request.pointee.scope {
      scope.pointee.firstRequest = UnsafeMutableRawPointer(nextInScope)
    } else if open.pointee.ending == request {
      open.pointee.ending = nextInScope
    }
    stream.state.pointee.slots.end(request.pointee.slot)
    return request.pointee.settledCalls
  }

  /// Cancels every open request when the context closes. Called by the deliverer.
  package func cancelAllRequests() {
    stream.locked {
      eachOpenRequest { request in
        guard settle(request.pointee.slot, request.pointee.handle) != nil else { return }
        let draft = draft(request, .contextClosed)
        stream.enqueue(KeptEvent(draft, in: Request.room(of: request)))
      }
    }
    _ = stream.work(after: stream.position)
  }
}
