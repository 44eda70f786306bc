// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Requesting: a tracked send that gets exactly one final response.
extension Requests {
  /// Sends a request and tracks it.
  ///
  /// - Parameters:
  ///   - given: Receives the handle before anybody can see the request.
  ///   - isShared: Whether it is asked together with others: `AskedOnce.swift`.
  package static func request(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int,
    _ completion: Request.Completion, _ given: UnsafeMutablePointer<OpaquePointer?>?,
    isShared: Bool = false
  ) throws(Refusal) {
    do throws(Refusal) {
      try ask(handle, type, data, size, completion, given, isShared: isShared)
    } catch {
      given?.pointee = nil
      throw error
    }
  }

  @_optimize(speed)
  private static func ask(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int,
    _ completion: Request.Completion, _ given: UnsafeMutablePointer<OpaquePointer?>?, isShared: Bool
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.asking(handle)
    let stream = resolved.stream
    var completion = completion
    completion.through = handle.pointer
    completion.origin = resolved.origin
    guard Frame.holding(stream) == nil else {
      try stream.demandNoShow()
      return try stream.trying { attempt throws(Refusal) in
        var draft = try resolved.draft(type, data, size, to: .request)
        _ = try stream.requests.ask(
          &draft, &completion, resolved, attempt, given, isShared: isShared)
      }
    }
    var draft = try resolved.draft(type, data, size, to: .request)
    let asked = try stream.requests.ask(
      &draft, &completion, resolved, .unnoted, given, isShared: isShared)
    try stream.requests.acknowledge(asked)
  }

  /// Waits until a request is on the disk, if the journal wants that.
  @inline(__always)
  package func acknowledge(_ asked: Handle) throws(Refusal) {
    do throws(Refusal) {
      try stream.acknowledge()
    } catch {
      // A stream that has stopped gets no more requests.
      if withdraw(asked) { throw error }
    }
  }

  /// Makes the draft one of a tracked request.
  ///
  /// - Returns: The observers of its type.
  @inline(__always)
  func checkRequest(_ draft: inout Draft) throws(Refusal) -> TypeObservers.Pointer {
    guard let observers = stream.state.pointee.observers.find(draft.type) else {
      throw .noType(draft.type)
    }
    _ = try response(to: draft.type, observers)
    guard try stream.goesAhead() else { throw .notAccepted }
    draft.flags |= UInt32(MAINSTEM_EVENT_TRACKED)
    return observers
  }

  /// Lets a request in whose draft and completion are known.
  ///
  /// - Returns: Its handle.
  @_optimize(speed)
  @inline(never)
  func ask(
    _ draft: inout Draft, _ completion: inout Request.Completion, _ resolved: ResolvedHandle,
    _ attempt: Attempt, _ given: UnsafeMutablePointer<OpaquePointer?>?, isShared: Bool
  ) throws(Refusal) -> Handle {
    let observers = try checkRequest(&draft)
    if isShared { draft.flags |= UInt32(MAINSTEM_EVENT_SHARED) }
    try stream.letIn(&draft, .program, attempt) { _ throws(Refusal) in
      guard resolved.isLive, !stream.isClosed else { throw .ended }
    } then: { draft, arrival throws(Refusal) in
      if isShared { observers.pointee.shareRequests() }
      return try place(
        &draft, &arrival, observers, &completion, resolved, given, isShared: isShared)
    }
    return Handle(bits: draft.reply)
  }

  /// Tracks a request that comes in, in the step that takes its position. Under the lock.
  @inline(__always)
  func place(
    _ draft: inout Draft, _ arrival: inout Arrival, _ observers: TypeObservers.Pointer,
    _ completion: inout Request.Completion, _ resolved: ResolvedHandle,
    _ given: UnsafeMutablePointer<OpaquePointer?>?, isShared: Bool = false
  ) throws(Refusal) -> Placed {
    let (request, scope) = try track(
      draft.type, observers, &completion, resolved, &arrival.tells, isShared: isShared)
    draft.reply = request.pointee.handle.bits
    let placed: Placed
    do throws(Refusal) {
      placed = try arrival.takePosition(for: &draft)
    } catch {
      untrack(request)
      throw error
    }
    given?.pointee = request.pointee.handle.pointer
    Request.put(request, at: placed.position, placed.correlation, isInput: placed.isInput)
    link(request, to: scope)
    noteEffect(of: request)
    return placed
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
    try stream.locked { () throws(Refusal) in
      guard let entry = stream.state.pointee.types[type], entry.contract.role == .request else {
        throw .noRequest(argument, stream.state.pointee.types[type]?.name.bytes ?? Bytes(""))
      }
      let response = stream.state.pointee.types.response(of: type)
      guard response != 0 else {
        throw Refusal(
          .invalid, argument,
          "names no registered response: register it, and name it in mainstem_type_add",
          .name(entry.name.bytes))
      }
      observers.pointee.response.store(response, ordering: .relaxed)
      return response
    }
  }

  /// Cancels a request.
  package static func cancelRequest(_ handle: Handle) throws(Refusal) {
    try findingAnswered { () throws(Refusal) in try giveUp(handle) }
  }

  private static func giveUp(_ handle: Handle) throws(Refusal) {
    // The request may be answered already and its stream gone. Then the stream of the current callback notes the read
    // point.
    let asker = Frame.innermost?.pointee.stream
    let asking = asker?.readPoint()
    var last: UInt64?
    defer { asking?.note(last) }
    let resolved = try ResolvedHandle.changing(handle, .request, "pending")
    let stream = resolved.stream
    guard try stream.goesAhead() else { return }
    stream.makeWay()
    let waits = !stream.isAtHome
    if !waits { stream.endLeftovers() }
    try stream.letInKept(toInbox: waits) { () throws(Refusal) in
      if stream.state == asker?.state { last = stream.position }
      let slot = resolved.slot
      guard resolved.isLive, !stream.isClosed,
        let request = waits
          ? stream.requests.handOver(slot, handle, Slot.cancelIsHandedOver)
          : stream.requests.settle(slot, handle)
      else { throw Refusal(.stale, "pending", "is already answered") }
      let draft = stream.requests.draft(request, ErrorValue(.cancelled, "the request was given up"))
      return KeptEvent(draft, in: Request.room(of: request))
    }
  }

  /// The position of an open request.
  package static func position(ofRequest handle: Handle) throws(Refusal) -> UInt64 {
    try findingAnswered { () throws(Refusal) in try positionOfOpen(handle) }
  }

  private static func positionOfOpen(_ handle: Handle) throws(Refusal) -> UInt64 {
    let resolved = try ResolvedHandle(handle, .request, "pending")
    let position = resolved.stream.locked { () -> UInt64? in
      guard resolved.isLive, let object = resolved.slot.pointee.object else { return nil }
      return object.assumingMemoryBound(to: Request.self).pointee.position
    }
    guard let position else { throw Refusal(.stale, "pending", "is already answered") }
    return position
  }
}

/// Tracking: the record of a request, until it is settled.
extension Requests {
  /// Makes the record of a request, with everything its answer will need. Under the lock.
  @inline(__always)
  func track(
    _ type: UInt32, _ observers: TypeObservers.Pointer, _ completion: inout Request.Completion,
    _ resolved: ResolvedHandle, _ tells: inout Bool, isShared: Bool = false
  ) throws(Refusal) -> (Request.Pointer, Scope.Pointer) {
    guard let scope = resolved.scope else { throw .ended }
    if observers.pointee.open.load(ordering: .relaxed) & TypeObservers.reported != 0 {
      try prepareActivity(type, observers)
    }
    if completion.schedulerNumber != Schedulers.immediate { try choose(&completion) }
    guard
      let (request, room) = isShared ? Request.allocateShared() : Request.allocate(observers)
    else {
      Memory.free(completion.place)
      throw .noMemory
    }
    guard
      let (slot, handle) = stream.state.pointee.slots.make(
        .request, stream: stream.address, object: request)
    else {
      Memory.free(completion.place)
      Memory.free(request)
      throw .lacking(.handles)
    }
    Request.initialize(
      request, room: room, slot: slot, handle: handle, observers: observers, type: type,
      completion: completion)
    if completion.timeout > 0,
      !stream.arm(Request.deadline(of: request), after: completion.timeout, tells: &tells)
    {
      untrack(request)
      throw .noMemory
    }
    return (request, scope)
  }

  /// Finds the scheduler for a completion and allocates its queue entry. Under the lock.
  private func choose(_ completion: inout Request.Completion) throws(Refusal) {
    completion.scheduler = try stream.scheduler(completion.schedulerNumber)
    completion.place = Memory.allocate(QueueEntry.self)
    guard completion.place != nil else { throw .noMemory }
  }

  /// Takes back a request that was never made. Under the lock.
  func untrack(_ request: Request.Pointer) {
    stream.disarm(Request.deadline(of: request))
    stream.state.pointee.slots.end(request.pointee.slot)
    Memory.free(request.pointee.completion.place)
    Memory.free(request)
  }

  /// The core's answer to a request whose time is over; nil if it is settled, and its answer on its way. Under the
  /// lock.
  @inline(__always)
  func expire(_ request: Request.Pointer) -> KeptEvent? {
    guard settle(request.pointee.slot, request.pointee.handle) != nil else { return nil }
    let error = ErrorValue(.timeout, "the request was not answered in time")
    return KeptEvent(draft(request, error), in: Request.room(of: request))
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

/// Requests remember in whose fetches they are asked, and so do their answers.
extension Requests {
  /// The fetches in whose handling a request was asked; of an answer, those of its request.
  func inherited(_ event: UnsafeMutablePointer<mainstem_event>) -> Fetches {
    if event.pointee.answers != 0 {
      let last = open.pointee.answered
      if last.position == event.pointee.position { return last.fetches }
    }
    guard event.pointee.reply != EndMark.reply,
      let (slot, key) = Slot.find(Handle(bits: event.pointee.reply)),
      let request = request(in: slot, key)
    else { return .none }
    return request.pointee.fetches
  }

  /// Notes in whose handling a request is asked.
  @inline(__always)
  func noteEffect(of request: Request.Pointer) {
    if stream.hasFetches { inheritEffect(request) }
  }

  @inline(never)
  private func inheritEffect(_ request: Request.Pointer) {
    guard let frame = Frame.holding(stream) else { return }
    request.pointee.fetches = stream.fetches(in: frame)
  }

  /// Notes what the completion of a request inherits, and a show that comes after it.
  @inline(__always)
  func noteAnswer(_ event: UnsafeMutablePointer<mainstem_event>, of request: Request.Pointer) {
    guard !request.pointee.fetches.isEmpty else { return }
    open.pointee.answered = AnsweredInFetch(
      position: event.pointee.position, fetches: request.pointee.fetches)
  }
}

/// The last answer that came for what a fetch had asked.
struct AnsweredInFetch {
  var position: UInt64 = 0
  var fetches = Fetches.none
}
