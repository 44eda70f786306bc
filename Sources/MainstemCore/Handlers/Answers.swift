// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What follows when a tracked request, or an answer to one, has reached its observers. Called by the deliverer.
extension Requests {
  @_optimize(speed)
  package func requestOrAnswerDelivered(_ event: UnsafeMutablePointer<mainstem_event>) {
    let handle = Handle(bits: event.pointee.reply)
    guard let (slot, key) = Slot.find(handle) else { return }
    if event.pointee.answers == 0 {
      if slot.pointee.state.load(ordering: .acquiring) == key {
        requestDelivered(slot, event)
      } else if stream.isTapped {
        noteAnswered(event)
      }
    } else if let request = request(in: slot, key) {
      let isProgress = event.pointee.flags & UInt32(MAINSTEM_EVENT_PROGRESS) != 0
      if let scheduler = request.pointee.completion.scheduler {
        scheduleCompletion(of: request, isProgress: isProgress, on: scheduler, event)
      } else if isProgress {
        call(request.pointee.completion.progress, of: request, event)
      } else {
        answerDelivered(request, event)
      }
    }
  }

  private func isOpen(_ request: Handle) -> Bool {
    guard let (slot, key) = Slot.find(request) else { return false }
    return slot.pointee.state.load(ordering: .acquiring) == key || isAwaited(request)
  }

  /// Ends the request of a dropped answer: its completion is not called, but its hook runs.
  package func requestOrAnswerDropped(_ event: UnsafeMutablePointer<mainstem_event>) {
    guard event.pointee.answers != 0,
      let (slot, key) = Slot.find(Handle(bits: event.pointee.reply)),
      let request = request(in: slot, key)
    else { return }
    if event.pointee.flags & UInt32(MAINSTEM_EVENT_PROGRESS) != 0 {
      if request.pointee.queuesSteps {
        request.pointee.steps.wrappingSubtract(1, ordering: .relaxed)
      }
      return
    }
    if let scheduler = request.pointee.completion.scheduler {
      // Recorded steps of progress may wait on the scheduler: the hook runs after them.
      request.pointee.isForgotten = true
      return scheduleCompletion(of: request, isProgress: false, on: scheduler, event)
    }
    let completion = request.pointee.completion
    let settled = stream.locked { unlink(request) }
    if !Request.keeps(request, event) { Memory.free(request) }
    if let release = completion.release {
      Frame.enter(stream, nil) { _ in release(completion.userData) }
    }
    if let settled { forget(settled) }
  }

  /// The request that an answer or a step of progress belongs to; nil when it has ended. A step may come too late for a
  /// withdrawn request. Only the deliverer ends requests, so nobody frees it meanwhile.
  func request(in slot: Slot.Pointer, _ key: UInt64) -> Request.Pointer? {
    guard slot.pointee.state.load(ordering: .acquiring) >> 8 == key >> 8 else { return nil }
    return slot.pointee.object?.assumingMemoryBound(to: Request.self)
  }

  /// Notes a read point: whether a request was answered before its delivery depends on what was accepted, too.
  @inline(never)
  private func noteAnswered(_ event: UnsafeMutablePointer<mainstem_event>) {
    guard let observers = stream.state.pointee.observers.find(event.pointee.type) else { return }
    guard !Draft.isAsker(event.pointee.flags) else { return share(event, observers) }
    guard observers.pointee.open.load(ordering: .relaxed) & TypeObservers.reported != 0 else {
      return
    }
    // A replay has that answer later.
    guard !isAwaited(Handle(bits: event.pointee.reply)) else {
      return tellActivityInItsPlace(observers, event)
    }
    stream.readPoint(of: event.pointee.position, since: 2)?.note()
  }

  /// Answers a request UNHANDLED if it has reached its observers unanswered and has no server.
  private func requestDelivered(
    _ slot: Slot.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    guard let observers = stream.state.pointee.observers.find(event.pointee.type) else { return }
    guard !isHandled(event, observers), !Draft.isAsker(event.pointee.flags) else {
      tellActivityIfWanted(observers, event)
      return endHolding(by: observers, event)
    }
    let position = event.pointee.position
    stream.makeWay(for: position, answerTo: position)
    guard let request = settle(slot, Handle(bits: event.pointee.reply)) else {
      if stream.isTapped, isAwaited(Handle(bits: event.pointee.reply)) { noteAnswered(event) }
      return
    }
    passProgress(request)
    let own = stream.locked { writeUnhandled(request) }
    // The recorded message may name servers that are not here.
    let recorded = stream.readUnhandled(
      position, request.pointee.response, into: Request.payload(of: request),
      Request.capacity(of: request))
    let size = recorded > 0 ? recorded : own
    var draft = draft(request, Status.unhandled.rawValue, size: size)
    draft.cause = event.pointee.position
    draft.depth = Stream.depth(of: event) &+ 1
    stream.enqueue(KeptEvent(draft, in: Request.room(of: request)))
  }

  /// Whether a server has got a request.
  private func isHandled(
    _ event: UnsafeMutablePointer<mainstem_event>, _ observers: TypeObservers.Pointer
  ) -> Bool {
    let origin = event.pointee.origin
    guard stream.isFed else { return observers.pointee.handles(origin) }
    return observers.pointee.hasCalledHandler(of: origin)
      || !stream.isUnhandled(
        event.pointee.position, observers.pointee.response.load(ordering: .relaxed))
  }

  private func answerDelivered(
    _ request: Request.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    let (completion, observers) = (request.pointee.completion, request.pointee.observers)
    noteAnswer(event, of: request)
    call(completion.function, of: request, event)
    if stream.isForked { return }
    let settled = stream.locked { unlink(request) }
    if !Request.keeps(request, event) { Memory.free(request) }
    if let release = completion.release {
      Frame.enter(stream, nil) { _ in release(completion.userData) }
    }
    if let settled { tell(settled, event) }
    tellActivityIfWanted(observers, event)
  }

  @inline(__always)
  package func tellActivityIfWanted(
    _ observers: TypeObservers.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    if observers.pointee.open.load(ordering: .relaxed) & TypeObservers.watched != 0 {
      shareOrTellActivity(observers, event)
    }
  }

  @inline(never)
  private func shareOrTellActivity(
    _ observers: TypeObservers.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    guard !Draft.isAsker(event.pointee.flags) else { return share(event, observers) }
    guard observers.pointee.open.load(ordering: .relaxed) & TypeObservers.reported != 0 else {
      return
    }
    tellActivityInItsPlace(observers, event)
  }

  private func tellActivityInItsPlace(
    _ observers: TypeObservers.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    // The number of open requests depends on what was accepted.
    let asking = stream.readPoint(of: event.pointee.position, since: 2)
    stream.makeWay(for: event.pointee.position, before: 2)
    // The source may have fed an answer from outside meanwhile.
    guard event.pointee.answers != 0 || !stream.isFed || isOpen(Handle(bits: event.pointee.reply))
    else {
      return
    }
    let last = tellActivity(observers, event)
    asking?.note(last)
  }

  /// Calls a completion or its progress function.
  @inline(__always)
  private func call(
    _ function: mainstem_event_fn?, of request: Request.Pointer,
    _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    guard let function else { return }
    if stream.state.pointee.delivery.hasShows.load(ordering: .relaxed) {
      return callOfServer(function, of: request, event)
    }
    call(function, of: request, with: event)
  }

  /// Like `call`, where the asker may be a server that shows.
  @inline(never)
  private func callOfServer(
    _ function: @escaping mainstem_event_fn, of request: Request.Pointer,
    _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    // What is asked for askers is asked by no server.
    let isOfServer = !request.pointee.isInput && request.pointee.completion.through != nil
    let show = !isOfServer ? nil : stream.locked { request.pointee.scope?.pointee.show }
    stream.oweAfter(show, event) { call(function, of: request, with: event) }
  }

  @inline(__always)
  private func call(
    _ function: @escaping mainstem_event_fn, of request: Request.Pointer,
    with event: UnsafeMutablePointer<mainstem_event>
  ) {
    event.pointee.context = request.pointee.completion.through
    stream.state.pointee.delivery.add(calls: 1)
    Frame.enter(stream, event) { frame in
      frame.pointee.origin = request.pointee.completion.origin
      if request.pointee.isInput { frame.pointee.noteOutside() }
      function(request.pointee.completion.userData, event)
    }
  }
}

/// Completions on a scheduler: they run there as scheduled completions, in the order of the stream.
extension Requests {
  /// Hands a request's answer, or a progress step, to its scheduler. Called by the deliverer.
  package func scheduleCompletion(
    of request: Request.Pointer, isProgress: Bool, on scheduler: Scheduler.Pointer,
    _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    // Answers and steps always have memory of their own.
    guard let queued = stream.deliverer.pointee.current else { return }
    let observers = request.pointee.observers
    if isProgress {
      guard request.pointee.queuesSteps else { return }
      guard let place = Memory.allocate(QueueEntry.self) else {
        request.pointee.steps.wrappingSubtract(1, ordering: .relaxed)
        return
      }
      QueuedEvent.retain(queued)
      stream.addCompletion(
        in: place, queued, UnsafeMutableRawPointer(request), tellStep, to: scheduler)
    } else if let place = request.pointee.completion.place {
      let isDropped = request.pointee.isForgotten
      let settled = stream.locked { unlink(request) }
      QueuedEvent.retain(queued)
      stream.addCompletion(
        in: place, queued, UnsafeMutableRawPointer(request), tellAnswer, to: scheduler)
      if let settled { isDropped ? forget(settled) : tell(settled, event) }
      tellActivityIfWanted(observers, event)
    }
  }

  /// Withdraws a request: from here on its completion is never called. Not for a callback that holds the delivery lock.
  ///
  /// - Returns: False if the request has its answer, or if the context is closing and gives it.
  package func withdraw(_ handle: Handle) -> Bool {
    stream.state.pointee.lock.acquire()
    // Only the deliverer ends a request: it may be delivering a step of this one.
    var duty = Duty.nothing
    while !duty.isDeliverer {
      guard !stream.isClosed else {
        stream.state.pointee.lock.release()
        return false
      }
      duty = stream.claimDelivery()
      if !duty.isDeliverer { stream.waitForDeliverer() }
    }
    let request = Slot.find(handle).flatMap { settle($0.slot, handle) }
    let settled = request.flatMap { end(withdrawn: $0) }
    stream.state.pointee.lock.release()
    if let settled { forget(settled) }
    stream.fulfill(duty)
    return request != nil
  }

  /// Ends a withdrawn request, under both locks. Steps may wait or run on its scheduler: its memory is freed after
  /// them.
  private func end(withdrawn request: Request.Pointer) -> SettledCall.Pointer? {
    let settled = unlink(request)
    guard let scheduler = request.pointee.completion.scheduler,
      let place = request.pointee.completion.place
    else {
      Memory.free(request)
      return settled
    }
    request.pointee.withdraw()
    while request.pointee.isInStep { stream.waitForEnd() }
    stream.state.pointee.lock.release()
    stream.addCompletion(
      in: place, Request.room(of: request), UnsafeMutableRawPointer(request), endWithdrawn,
      to: scheduler)
    stream.state.pointee.lock.acquire()
    return settled
  }

  /// Calls a completion on its scheduler, with a copy of the event, because others read the original.
  fileprivate func callScheduled(
    _ function: mainstem_event_fn?, _ completion: Request.Completion,
    _ shared: UnsafeMutablePointer<mainstem_event>
  ) {
    guard let function else { return }
    var event = shared.pointee
    event.context = completion.through
    stream.state.pointee.delivery.countScheduled()
    withUnsafeMutablePointer(to: &event) { event in
      Frame.enterScheduled(stream, event, nil) { frame in
        frame.pointee.origin = completion.origin
        function(completion.userData, event)
      }
    }
  }
}

/// Calls a progress step on its scheduler. The request still exists, because its end waits behind the step there.
private func tellStep(
  _ stream: UnsafeMutableRawPointer, _ owner: UnsafeMutableRawPointer,
  _ event: UnsafeMutableRawPointer
) {
  let stream = Stream(stream.assumingMemoryBound(to: StreamState.self))
  let request = owner.assumingMemoryBound(to: Request.self)
  request.pointee.steps.wrappingSubtract(1, ordering: .relaxed)
  if request.pointee.beginStep() {
    let completion = request.pointee.completion
    stream.requests.callScheduled(
      completion.progress, completion, event.assumingMemoryBound(to: mainstem_event.self))
  }
  if request.pointee.endStep() { stream.locked { stream.state.pointee.lock.wakeAll() } }
}

/// Calls the completion and frees the request, together with an answer that lies in its room.
private func tellAnswer(
  _ stream: UnsafeMutableRawPointer, _ owner: UnsafeMutableRawPointer,
  _ event: UnsafeMutableRawPointer
) {
  let stream = Stream(stream.assumingMemoryBound(to: StreamState.self))
  let request = owner.assumingMemoryBound(to: Request.self)
  let answer = event.assumingMemoryBound(to: mainstem_event.self)
  let completion = request.pointee.completion
  if !request.pointee.isForgotten {
    stream.requests.callScheduled(completion.function, completion, answer)
  }
  if stream.isForked { return }
  if !Request.keeps(request, answer) { Memory.free(request) }
  guard let release = completion.release else { return }
  Frame.enterScheduled(stream, nil, nil) { _ in release(completion.userData) }
}

/// Ends a withdrawn request after its last step: its memory is freed with the queue entry.
private func endWithdrawn(
  _ stream: UnsafeMutableRawPointer, _ owner: UnsafeMutableRawPointer,
  _ event: UnsafeMutableRawPointer
) {}
