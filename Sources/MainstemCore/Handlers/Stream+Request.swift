// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Asking: a tracked send that gets exactly one final response.
extension Stream {
  /// Sends a request and tracks it.
  ///
  /// - Parameter given: Gets the handle before anybody can see the request.
  package static func request(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int,
    _ completion: Request.Completion, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    do throws(Refusal) {
      try ask(handle, type, data, size, completion, given)
    } catch {
      given?.pointee = nil
      throw error
    }
  }

  private static func ask(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int,
    _ completion: Request.Completion, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let entrance = try Entrance.own(handle)
    let stream = entrance.stream
    var completion = completion
    completion.through = handle.pointer
    if Frame.holding(stream) != nil {
      return try stream.trying { attempt throws(Refusal) in
        try stream.askInside(type, data, size, completion, entrance, attempt, given)
      }
    }
    let (draft, lane) = try entrance.draft(ofRequest: type, data, size)
    completion.origin = draft.origin
    let asked = try stream.ask(draft, lane, completion, entrance, given)
    do throws(Refusal) {
      try stream.acknowledge()
    } catch {
      // Where the stream has stopped, it is not asked any more.
      if stream.withdraw(asked) { throw error }
    }
  }

  /// Asks from outside; delivers the request, not copied, when nobody else delivers.
  private func ask(
    _ draft: Draft, _ lane: Lane.Pointer, _ completion: Request.Completion, _ entrance: Entrance,
    _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) -> Handle {
    endLeftovers()
    var draft = draft
    let promised = try lockForRequest(&draft, lane, entrance)
    do throws(Refusal) {
      try demandRoomToWait(for: draft.size)
      var tells = false
      let (request, scope) = try track(draft.type, lane, completion, entrance, &tells)
      let handle = request.pointee.handle
      given?.pointee = handle.pointer
      draft.reply = handle.bits
      if promised == nil, let position = advanceIfFree() {
        let cause = Frame.scheduled(self)?.pointee.event
        Request.put(
          request, at: position, cause?.pointee.correlation ?? position, isInput: true)
        link(request, to: scope)
        state.pointee.lock.release()
        if tells { signal() }
        var event = placed(draft, at: position, by: cause)
        if mayBeSeen(&event) {
          deliver(&event, lane)
          tellAnswers(&event)
        }
        settle(after: position)
        return handle
      }
      guard let kept = promised ?? KeptEvent.make(copying: &draft) else {
        untrack(request)
        throw .noMemory
      }
      let isClaimed = take(draft, in: kept)
      Request.put(
        request, at: kept.pointee.event.position, kept.pointee.event.correlation, isInput: true)
      link(request, to: scope)
      unlock(after: kept, isClaimed, tells: tells)
      return handle
    } catch {
      state.pointee.lock.release()
      giveUp(promised)
      throw error
    }
  }

  /// Takes the lock. Where queues refuse what is too much, they have then promised room to a copy.
  private func lockForRequest(
    _ draft: inout Draft, _ lane: Lane.Pointer, _ entrance: Entrance
  ) throws(Refusal) -> KeptEvent.Pointer? {
    guard asksForRoom(lane) else {
      state.pointee.lock.acquire()
      return nil
    }
    guard let kept = KeptEvent.make(copying: &draft) else { throw .noMemory }
    do throws(Refusal) {
      try lockWithRoom(for: draft, kept, entrance.slot, entrance.key)
    } catch {
      giveUp(kept)
      throw error
    }
    return kept
  }

  /// Asks inside a callback: the request waits its turn.
  @inline(never)
  private func askInside(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int, _ completion: Request.Completion,
    _ entrance: Entrance, _ attempt: Attempt, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let (asked, lane) = try entrance.draft(ofRequest: type, data, size)
    var completion = completion
    completion.origin = asked.origin
    var draft = asked
    if let frame = Frame.of(self) { try demandRoom(for: draft, in: frame, attempt) }
    guard let kept = KeptEvent.make(copying: &draft) else { throw .noMemory }
    var tells = false
    do throws(Refusal) {
      try locked { () throws(Refusal) in
        let (request, scope) = try track(draft.type, lane, completion, entrance, &tells)
        do throws(Refusal) {
          _ = try isPromised(room: draft, kept, waits: false)
        } catch {
          untrack(request)
          throw error
        }
        given?.pointee = request.pointee.handle.pointer
        draft.reply = request.pointee.handle.bits
        enqueue(draft, kept)
        let event = KeptEvent.event(of: kept)
        Request.put(
          request, at: event.pointee.position, event.pointee.correlation,
          isInput: event.pointee.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0)
        link(request, to: scope)
      }
      if tells { signal() }
    } catch {
      giveUp(kept)
      throw error
    }
  }

  /// Makes the record of a request, with all that its answer will need. Under the lock.
  private func track(
    _ type: UInt32, _ lane: Lane.Pointer, _ completion: Request.Completion, _ entrance: Entrance,
    _ tells: inout Bool
  ) throws(Refusal) -> (Request.Pointer, Scope.Pointer) {
    guard entrance.isLive, !isClosed, let scope = entrance.scope else { throw .closed }
    if lane.pointee.open.load(ordering: .relaxed) & Lane.reported != 0 {
      try prepareActivity(type, lane)
    }
    var completion = completion
    try choose(&completion)
    guard let (request, room) = Request.allocate(lane) else {
      Memory.free(completion.errand)
      throw .noMemory
    }
    guard
      let (slot, handle) = state.pointee.slots.make(.request, stream: address, object: request)
    else {
      Memory.free(completion.errand)
      Memory.free(request)
      throw .lacking(.handles)
    }
    Request.initialize(
      request, room: room, slot: slot, handle: handle, lane: lane, type: type,
      completion: completion)
    if completion.timeout > 0,
      !arm(Request.deadline(of: request), after: completion.timeout, tells: &tells)
    {
      untrack(request)
      throw .noMemory
    }
    return (request, scope)
  }

  /// Finds the scheduler that a completion is for, and makes its place there. Under the lock.
  private func choose(_ completion: inout Request.Completion) throws(Refusal) {
    let number = completion.schedulerNumber
    guard number != Schedulers.immediate else { return }
    completion.scheduler = try scheduler(number)
    completion.errand = Memory.allocate(HandOver.self)
    guard completion.errand != nil else { throw .noMemory }
  }

  /// Takes back a request that was never asked. Under the lock.
  private func untrack(_ request: Request.Pointer) {
    disarm(Request.deadline(of: request))
    state.pointee.slots.end(request.pointee.slot)
    Memory.free(request.pointee.completion.errand)
    Memory.free(request)
  }

  /// A request's time is over. Under the lock, which it releases.
  package func expireAndUnlock(_ request: Request.Pointer) {
    guard settle(request.pointee.slot, request.pointee.handle) != nil else {
      // It was answered, and the answer is on its way.
      return state.pointee.lock.release()
    }
    let error = ErrorValue(.timeout, "the request was not answered in time")
    place(draft(request, error), in: Request.room(of: request))
  }

  /// The type that answers a request type. Looked up once: it never changes.
  @inline(__always)
  package func response(to type: UInt32, _ lane: Lane.Pointer) throws(Refusal) -> UInt32 {
    let known = lane.pointee.response.load(ordering: .relaxed)
    return known != 0 ? known : try findResponse(to: type, lane)
  }

  @inline(never)
  private func findResponse(to type: UInt32, _ lane: Lane.Pointer) throws(Refusal) -> UInt32 {
    try locked { () throws(Refusal) in
      guard let entry = state.pointee.types[type], entry.contract.role == .request else {
        throw Refusal(.invalid, "type", "is not a request")
      }
      let response = state.pointee.types.response(of: type)
      guard response != 0 else {
        throw Refusal(.invalid, "type", "names no registered response", .name(entry.name.bytes))
      }
      lane.pointee.response.store(response, ordering: .relaxed)
      return response
    }
  }

  /// Gives a request up.
  package static func cancelRequest(_ handle: Handle) throws(Refusal) {
    // It may have its answer, and no stream any more: then the one whose callback this is wants to know.
    let asker = Frame.innermost?.pointee.stream
    let asking = asker?.nearHorizon() ?? 0
    var last: UInt64?
    defer {
      if asking != 0, let asker { asker.noteHorizon(of: asking, last ?? asker.lastAccepted) }
    }
    let entrance = try Entrance.own(handle, .request, "pending")
    let stream = entrance.stream
    guard try stream.admits() else { return }
    stream.state.pointee.lock.acquire()
    if stream.state == asker?.state { last = stream.position }
    guard entrance.isLive, !stream.isClosed, let request = stream.settle(entrance.slot, handle)
    else {
      stream.state.pointee.lock.release()
      throw Refusal(.stale, "pending", "has its answer")
    }
    let draft = stream.draft(request, ErrorValue(.cancelled, "the request was given up"))
    if Frame.holding(stream) != nil {
      stream.enqueue(draft, Request.room(of: request))
      stream.state.pointee.lock.release()
    } else {
      stream.place(draft, in: Request.room(of: request))
    }
  }

  /// The position of a request that is still open.
  package static func position(ofRequest handle: Handle) throws(Refusal) -> UInt64 {
    let entrance = try Entrance(handle, .request, "pending")
    let position = entrance.stream.locked { () -> UInt64? in
      guard entrance.isLive, let object = entrance.slot.pointee.object else { return nil }
      return object.assumingMemoryBound(to: Request.self).pointee.position
    }
    guard let position else { throw Refusal(.stale, "pending", "has its answer") }
    return position
  }
}

extension Entrance {
  /// A checked draft of a request that is tracked.
  @inline(__always)
  fileprivate func draft(
    ofRequest type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) -> (Draft, Lane.Pointer) {
    var draft = try draft(type, data, size, to: .request)
    guard let lane = stream.state.pointee.lanes.find(type) else { throw .noType(type) }
    _ = try stream.response(to: type, lane)
    guard try stream.admits() else { throw .notAccepted }
    draft.flags |= UInt32(MAINSTEM_EVENT_TRACKED)
    return (draft, lane)
  }
}

extension Request {
  /// Notes where a request has its place, and whose it is.
  package static func put(
    _ request: Pointer, at position: UInt64, _ correlation: UInt64, isInput: Bool
  ) {
    request.pointee.position = position
    request.pointee.correlation = correlation
    request.pointee.isInput = isInput
  }
}
