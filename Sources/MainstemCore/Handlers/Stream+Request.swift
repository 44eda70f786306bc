// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Requesting: a tracked send that gets exactly one final response.
extension Stream {
  /// Sends a request and tracks it.
  ///
  /// - Parameter given: Receives the handle before anybody can see the request.
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
    let resolved = try ResolvedHandle.own(handle)
    let stream = resolved.stream
    var completion = completion
    completion.through = handle.pointer
    if Frame.holding(stream) != nil {
      return try stream.trying { attempt throws(Refusal) in
        try stream.askInside(type, data, size, completion, resolved, attempt, given)
      }
    }
    let (draft, observers) = try resolved.draft(ofRequest: type, data, size)
    completion.origin = draft.origin
    let asked = try stream.ask(draft, observers, completion, resolved, given)
    do throws(Refusal) {
      try stream.acknowledge()
    } catch {
      // A stream that has stopped gets no more requests.
      if stream.withdraw(asked) { throw error }
    }
  }

  /// Requests from outside. If nobody else delivers, delivers the request without copying it.
  private func ask(
    _ draft: Draft, _ observers: TypeObservers.Pointer, _ completion: Request.Completion,
    _ resolved: ResolvedHandle,
    _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) -> Handle {
    endLeftovers()
    var draft = draft
    let promised = try lockForRequest(&draft, observers, resolved)
    do throws(Refusal) {
      try demandRoomToWait(for: draft.size)
      var tells = false
      let (request, scope) = try track(draft.type, observers, completion, resolved, &tells)
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
          deliver(&event, observers)
          tellAnswers(&event)
        }
        settle(after: position)
        return handle
      }
      guard let queued = promised ?? QueuedEvent.make(copying: &draft) else {
        untrack(request)
        throw .noMemory
      }
      let isDeliverer = take(draft, in: queued)
      Request.put(
        request, at: queued.pointee.event.position, queued.pointee.event.correlation, isInput: true)
      link(request, to: scope)
      unlock(after: queued, isDeliverer, tells: tells)
      return handle
    } catch {
      state.pointee.lock.release()
      giveUp(promised)
      throw error
    }
  }

  /// Takes the lock. If queues can refuse the request, copies it and gets their promise of room first.
  private func lockForRequest(
    _ draft: inout Draft, _ observers: TypeObservers.Pointer, _ resolved: ResolvedHandle
  ) throws(Refusal) -> QueuedEvent.Pointer? {
    guard asksForRoom(observers) else {
      state.pointee.lock.acquire()
      return nil
    }
    guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    do throws(Refusal) {
      try lockWithRoom(for: draft, queued, resolved.slot, resolved.key)
    } catch {
      giveUp(queued)
      throw error
    }
    return queued
  }

  /// Requests inside a callback: the request waits its turn.
  @inline(never)
  private func askInside(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int, _ completion: Request.Completion,
    _ resolved: ResolvedHandle, _ attempt: Attempt, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let (asked, observers) = try resolved.draft(ofRequest: type, data, size)
    var completion = completion
    completion.origin = asked.origin
    var draft = asked
    if let frame = Frame.of(self) { try demandRoom(for: draft, in: frame, attempt) }
    guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    var tells = false
    if let frame = Frame.of(self) { makeWay(in: frame, attempt) }
    do throws(Refusal) {
      try locked { () throws(Refusal) in
        let (request, scope) = try track(draft.type, observers, completion, resolved, &tells)
        do throws(Refusal) {
          _ = try isPromised(room: draft, queued, waits: false)
        } catch {
          untrack(request)
          throw error
        }
        given?.pointee = request.pointee.handle.pointer
        draft.reply = request.pointee.handle.bits
        enqueue(draft, queued)
        let event = QueuedEvent.event(of: queued)
        Request.put(
          request, at: event.pointee.position, event.pointee.correlation,
          isInput: event.pointee.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0)
        link(request, to: scope)
      }
      if tells { signal() }
    } catch {
      giveUp(queued)
      throw error
    }
  }

  /// Makes the record of a request, with everything its answer will need. Under the lock.
  private func track(
    _ type: UInt32, _ observers: TypeObservers.Pointer, _ completion: Request.Completion,
    _ resolved: ResolvedHandle,
    _ tells: inout Bool
  ) throws(Refusal) -> (Request.Pointer, Scope.Pointer) {
    guard resolved.isLive, !isClosed, let scope = resolved.scope else { throw .ended }
    if observers.pointee.open.load(ordering: .relaxed) & TypeObservers.reported != 0 {
      try prepareActivity(type, observers)
    }
    var completion = completion
    try choose(&completion)
    guard let (request, room) = Request.allocate(observers) else {
      Memory.free(completion.place)
      throw .noMemory
    }
    guard
      let (slot, handle) = state.pointee.slots.make(.request, stream: address, object: request)
    else {
      Memory.free(completion.place)
      Memory.free(request)
      throw .lacking(.handles)
    }
    Request.initialize(
      request, room: room, slot: slot, handle: handle, observers: observers, type: type,
      completion: completion)
    if completion.timeout > 0,
      !arm(Request.deadline(of: request), after: completion.timeout, tells: &tells)
    {
      untrack(request)
      throw .noMemory
    }
    return (request, scope)
  }

  /// Finds the scheduler for a completion and allocates its queue entry. Under the lock.
  private func choose(_ completion: inout Request.Completion) throws(Refusal) {
    let number = completion.schedulerNumber
    guard number != Schedulers.immediate else { return }
    completion.scheduler = try scheduler(number)
    completion.place = Memory.allocate(QueueEntry.self)
    guard completion.place != nil else { throw .noMemory }
  }

  /// Takes back a request that was never made. Under the lock.
  private func untrack(_ request: Request.Pointer) {
    disarm(Request.deadline(of: request))
    state.pointee.slots.end(request.pointee.slot)
    Memory.free(request.pointee.completion.place)
    Memory.free(request)
  }

  /// Answers a request whose time is over. Under the lock, which it releases.
  package func expireAndUnlock(_ request: Request.Pointer) {
    guard settle(request.pointee.slot, request.pointee.handle) != nil else {
      // It is settled, and the answer is on its way.
      return state.pointee.lock.release()
    }
    let error = ErrorValue(.timeout, "the request was not answered in time")
    place(draft(request, error), in: Request.room(of: request))
  }

  /// The response type of a request type. Looked up once, because it never changes.
  @inline(__always)
  package func response(to type: UInt32, _ observers: TypeObservers.Pointer) throws(Refusal)
    -> UInt32
  {
    let known = observers.pointee.response.load(ordering: .relaxed)
    return known != 0 ? known : try findResponse(to: type, observers)
  }

  @inline(never)
  private func findResponse(to type: UInt32, _ observers: TypeObservers.Pointer) throws(Refusal)
    -> UInt32
  {
    try locked { () throws(Refusal) in
      guard let entry = state.pointee.types[type], entry.contract.role == .request else {
        throw Refusal(.invalid, "type", "is not a request")
      }
      let response = state.pointee.types.response(of: type)
      guard response != 0 else {
        throw Refusal(.invalid, "type", "names no registered response", .name(entry.name.bytes))
      }
      observers.pointee.response.store(response, ordering: .relaxed)
      return response
    }
  }

  /// Cancels a request.
  package static func cancelRequest(_ handle: Handle) throws(Refusal) {
    // The request may be answered already and its stream gone. Then the stream of the current callback notes the read
    // point.
    let asker = Frame.innermost?.pointee.stream
    let asking = asker?.nearReadPoint() ?? 0
    var last: UInt64?
    defer {
      if asking != 0, let asker { asker.noteReadPoint(of: asking, last ?? asker.lastAccepted) }
    }
    let resolved = try ResolvedHandle.own(handle, .request, "pending")
    let stream = resolved.stream
    guard try stream.admits() else { return }
    if let event = Frame.holding(stream)?.pointee.event {
      stream.makeWay(for: event.pointee.position)
    }
    if Frame.holding(stream) == nil { stream.endLeftovers() }
    stream.state.pointee.lock.acquire()
    if stream.state == asker?.state { last = stream.position }
    guard resolved.isLive, !stream.isClosed, let request = stream.settle(resolved.slot, handle)
    else {
      stream.state.pointee.lock.release()
      throw Refusal(.stale, "pending", "is already answered")
    }
    let draft = stream.draft(request, ErrorValue(.cancelled, "the request was given up"))
    if Frame.holding(stream) != nil {
      stream.enqueue(draft, Request.room(of: request))
      stream.state.pointee.lock.release()
    } else {
      stream.place(draft, in: Request.room(of: request))
    }
  }

  /// The position of an open request.
  package static func position(ofRequest handle: Handle) throws(Refusal) -> UInt64 {
    let resolved = try ResolvedHandle(handle, .request, "pending")
    let position = resolved.stream.locked { () -> UInt64? in
      guard resolved.isLive, let object = resolved.slot.pointee.object else { return nil }
      return object.assumingMemoryBound(to: Request.self).pointee.position
    }
    guard let position else { throw Refusal(.stale, "pending", "is already answered") }
    return position
  }
}

extension ResolvedHandle {
  /// A checked draft of a tracked request.
  @inline(__always)
  fileprivate func draft(
    ofRequest type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(Refusal) -> (Draft, TypeObservers.Pointer) {
    var draft = try draft(type, data, size, to: .request)
    guard let observers = stream.state.pointee.observerTable.find(type) else { throw .noType(type) }
    _ = try stream.response(to: type, observers)
    guard try stream.admits() else { throw .notAccepted }
    draft.flags |= UInt32(MAINSTEM_EVENT_TRACKED)
    return (draft, observers)
  }
}

extension Request {
  /// Notes a request's position and correlation, and whether it is an input.
  package static func put(
    _ request: Pointer, at position: UInt64, _ correlation: UInt64, isInput: Bool
  ) {
    request.pointee.position = position
    request.pointee.correlation = correlation
    request.pointee.isInput = isInput
  }
}
