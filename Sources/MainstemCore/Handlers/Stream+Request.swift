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
    var draft = try resolved.draft(type, data, size, to: .request)
    let observers = try stream.checkRequest(&draft)
    completion.origin = draft.origin
    let asked = try stream.ask(&draft, observers, completion, resolved, given)
    do throws(Refusal) {
      try stream.acknowledge()
    } catch {
      // A stream that has stopped gets no more requests.
      if stream.withdraw(asked) { throw error }
    }
  }

  /// Makes the draft one of a tracked request.
  ///
  /// - Returns: The observers of its type.
  @inline(__always)
  private func checkRequest(_ draft: inout Draft) throws(Refusal) -> TypeObservers.Pointer {
    guard let observers = state.pointee.observerTable.find(draft.type) else {
      throw .noType(draft.type)
    }
    _ = try response(to: draft.type, observers)
    guard try goesAhead() else { throw .notAccepted }
    draft.flags |= UInt32(MAINSTEM_EVENT_TRACKED)
    return observers
  }

  /// Requests from outside.
  private func ask(
    _ draft: inout Draft, _ observers: TypeObservers.Pointer,
    _ completion: Request.Completion,
    _ resolved: ResolvedHandle, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) -> Handle {
    endLeftovers()
    var copy = try copyToWait(&draft, observers)
    var tells = false
    let placed: Placed
    do throws(Refusal) {
      placed = try locked { () throws(Refusal) in
        try letIn(&draft, &copy, resolved.slot, resolved.key)
        return try place(&draft, copy, trackedFor: completion, observers, resolved, given, &tells)
      }
    } catch {
      if tells { signal() }
      giveUp(copy)
      throw error
    }
    if tells { signal() }
    finish(placed, draft, observers)
    return Handle(bits: draft.reply)
  }

  /// Tracks a request and gives it its position. Under the lock; call `finish` after unlocking.
  private func place(
    _ draft: inout Draft, _ copy: QueuedEvent.Pointer?,
    trackedFor completion: Request.Completion,
    _ observers: TypeObservers.Pointer, _ resolved: ResolvedHandle,
    _ given: UnsafeMutablePointer<OpaquePointer?>?, _ tells: inout Bool
  ) throws(Refusal) -> Placed {
    let (request, scope) = try track(draft.type, observers, completion, resolved, &tells)
    given?.pointee = request.pointee.handle.pointer
    draft.reply = request.pointee.handle.bits
    let placed: Placed
    do throws(Refusal) {
      placed = try place(&draft, copy)
    } catch {
      untrack(request)
      throw error
    }
    Request.put(request, at: placed.position, placed.correlation, isInput: true)
    link(request, to: scope)
    return placed
  }

  /// Requests inside a callback: the request waits its turn.
  @inline(never)
  private func askInside(
    _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int, _ completion: Request.Completion,
    _ resolved: ResolvedHandle, _ attempt: Attempt, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    var draft = try resolved.draft(type, data, size, to: .request)
    let observers = try checkRequest(&draft)
    var completion = completion
    completion.origin = draft.origin
    let frame = Frame.of(self)
    if let frame { try demandAdmission(draft, .program, in: frame, attempt) }
    guard let queued = QueuedEvent.make(copying: &draft) else { throw .noMemory }
    var tells = false
    if attempt.isTapped { makeWay() }
    do throws(Refusal) {
      try locked { () throws(Refusal) in
        let (request, scope) = try track(draft.type, observers, completion, resolved, &tells)
        do throws(Refusal) {
          _ = try isPromised(room: draft, queued)
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
    } catch {
      if tells { signal() }
      giveUp(queued)
      throw error
    }
    if tells { signal() }
  }

  /// The response type of a request type. Looked up once, because it never changes.
  ///
  /// - Parameter argument: The argument that says which request it is.
  @inline(__always)
  package func response(
    to type: UInt32, _ observers: TypeObservers.Pointer, _ argument: Phrase = "type"
  ) throws(Refusal) -> UInt32 {
    let known = observers.pointee.response.load(ordering: .relaxed)
    return known != 0 ? known : try findResponse(to: type, observers, argument)
  }

  @inline(never)
  private func findResponse(
    to type: UInt32, _ observers: TypeObservers.Pointer, _ argument: Phrase
  ) throws(Refusal) -> UInt32 {
    try locked { () throws(Refusal) in
      guard let entry = state.pointee.types[type], entry.contract.role == .request else {
        throw Refusal(.invalid, argument, "is not a request")
      }
      let response = state.pointee.types.response(of: type)
      guard response != 0 else {
        throw Refusal(.invalid, argument, "names no registered response", .name(entry.name.bytes))
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
    let asking = asker?.readPoint()
    var last: UInt64?
    defer { asking?.note(last) }
    let resolved = try ResolvedHandle.own(handle, .request, "pending")
    let stream = resolved.stream
    guard try stream.goesAhead() else { return }
    stream.makeWay()
    if Frame.holding(stream) == nil { stream.endLeftovers() }
    stream.state.pointee.lock.acquire()
    if stream.state == asker?.state { last = stream.position }
    guard resolved.isLive, !stream.isClosed, let request = stream.settle(resolved.slot, handle)
    else {
      stream.state.pointee.lock.release()
      throw Refusal(.stale, "pending", "is already answered")
    }
    let draft = stream.draft(request, ErrorValue(.cancelled, "the request was given up"))
    var placed: Placed?
    if Frame.holding(stream) != nil {
      stream.enqueue(draft, Request.room(of: request))
    } else {
      placed = stream.place(draft, in: Request.room(of: request))
    }
    stream.state.pointee.lock.release()
    if let placed { stream.finish(placed) }
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
