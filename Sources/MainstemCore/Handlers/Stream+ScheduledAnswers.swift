// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Completions on a scheduler: they run there as scheduled completions, in the order of the stream.
extension Stream {
  /// Hands a request's answer, or a progress step, to its scheduler. Called by the deliverer.
  package func scheduleCompletion(
    of request: Request.Pointer, isProgress: Bool, on scheduler: Scheduler.Pointer,
    _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    // Answers and steps always have memory of their own.
    guard let queued = deliverer.pointee.current else { return }
    let observers = request.pointee.observers
    if isProgress {
      guard request.pointee.queuesSteps else { return }
      guard let place = Memory.allocate(QueueEntry.self) else {
        request.pointee.steps.wrappingSubtract(1, ordering: .relaxed)
        return
      }
      QueuedEvent.retain(queued)
      addCompletion(
        in: place, queued, UnsafeMutableRawPointer(request), tellStep, to: scheduler)
    } else if let place = request.pointee.completion.place {
      let isDropped = request.pointee.isForgotten
      let settled = locked { unlink(request) }
      QueuedEvent.retain(queued)
      addCompletion(
        in: place, queued, UnsafeMutableRawPointer(request), tellAnswer, to: scheduler)
      if let settled { isDropped ? forget(settled) : tell(settled, event) }
      tellActivityIfWanted(observers, event)
    }
  }

  /// Withdraws a request: from here on its completion is never called. Not for a callback that holds the delivery lock.
  ///
  /// - Returns: False if the request has its answer, or if the context is closing and gives it.
  package func withdraw(_ handle: Handle) -> Bool {
    state.pointee.lock.acquire()
    // Only the deliverer ends a request: it may be delivering a step of this one.
    var duty = Duty.nothing
    while !duty.isDeliverer {
      guard !isClosed else {
        state.pointee.lock.release()
        return false
      }
      duty = claimDelivery()
      if !duty.isDeliverer { waitForDeliverer() }
    }
    let request = Slot.find(handle).flatMap { settle($0.slot, handle) }
    let settled = request.flatMap { end(withdrawn: $0) }
    state.pointee.lock.release()
    if let settled { forget(settled) }
    fulfill(duty)
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
    while request.pointee.isInStep { waitForEnd() }
    state.pointee.lock.release()
    addCompletion(
      in: place, Request.room(of: request), UnsafeMutableRawPointer(request), endWithdrawn,
      to: scheduler)
    state.pointee.lock.acquire()
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
    countScheduled()
    withUnsafeMutablePointer(to: &event) { event in
      Frame.enterScheduled(self, event, nil) { frame in
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
    stream.callScheduled(
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
    stream.callScheduled(completion.function, completion, answer)
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
