// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What follows when a tracked request, or an answer to one, has reached its observers. The deliverer's.
extension Stream {
  package func requestOrAnswerDelivered(_ event: UnsafeMutablePointer<mainstem_event>) {
    let handle = Handle(bits: event.pointee.reply)
    guard let (slot, key) = Slot.find(handle) else { return }
    if event.pointee.answers == 0 {
      if slot.pointee.state.load(ordering: .acquiring) == key {
        requestDelivered(slot, event)
      } else if tap != nil {
        noteAnswered(event)
      }
    } else if let request = request(in: slot, key) {
      let isProgress = event.pointee.flags & UInt32(MAINSTEM_EVENT_PROGRESS) != 0
      if let scheduler = request.pointee.completion.scheduler {
        hand(request, isProgress: isProgress, to: scheduler, event)
      } else if isProgress {
        call(request.pointee.completion.progress, of: request, event)
      } else {
        answerDelivered(request, event)
      }
    }
  }

  private func isOpen(_ request: Handle) -> Bool {
    guard let (slot, key) = Slot.find(request) else { return false }
    return slot.pointee.state.load(ordering: .acquiring) == key
  }

  /// The same was forgotten instead: what was asked ends without a word, and its hook runs.
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
      // Steps that were written down may wait there: the hook runs behind them.
      request.pointee.isForgotten = true
      return hand(request, isProgress: false, to: scheduler, event)
    }
    let completion = request.pointee.completion
    locked { unlink(request) }
    if !Request.keeps(request, event) { Memory.free(request) }
    guard let release = completion.release else { return }
    Frame.enter(self, nil) { _ in release(completion.userData) }
  }

  /// The request that an answer, or a step of progress, is for; nil when it has ended: a step may come too
  /// late for one that was withdrawn. Only the deliverer ends requests, so nobody takes it away meanwhile.
  private func request(in slot: Slot.Pointer, _ key: UInt64) -> Request.Pointer? {
    guard slot.pointee.state.load(ordering: .acquiring) >> 8 == key >> 8 else { return nil }
    return slot.pointee.object?.assumingMemoryBound(to: Request.self)
  }

  /// That a request was answered before it was delivered depends on what was accepted, too.
  @inline(never)
  private func noteAnswered(_ event: UnsafeMutablePointer<mainstem_event>) {
    guard let observers = state.pointee.observerTable.find(event.pointee.type),
      observers.pointee.open.load(ordering: .relaxed) & TypeObservers.reported != 0
    else { return }
    let asking = nearReadPoint(of: event.pointee.position, since: 2)
    noteReadPoint(of: asking, lastAccepted)
  }

  /// Nobody has answered yet: is there anybody to?
  private func requestDelivered(
    _ slot: Slot.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    guard let observers = state.pointee.observerTable.find(event.pointee.type) else { return }
    guard observers.pointee.handlerRows == 0 else { return tellActivityIfWanted(observers, event) }
    makeWay(for: event.pointee.position, answerTo: event.pointee.position)
    guard let request = settle(slot, Handle(bits: event.pointee.reply)) else { return }
    passProgress(request)
    let size = locked { writeUnhandled(request) }
    var draft = draft(request, Status.unhandled.rawValue, size: size)
    draft.cause = event.pointee.position
    draft.depth = Stream.depth(of: event) &+ 1
    enqueue(draft, Request.room(of: request))
  }

  private func answerDelivered(
    _ request: Request.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    let (completion, observers) = (request.pointee.completion, request.pointee.observers)
    call(completion.function, of: request, event)
    if isForked { return }
    locked { unlink(request) }
    if !Request.keeps(request, event) { Memory.free(request) }
    if let release = completion.release {
      Frame.enter(self, nil) { _ in release(completion.userData) }
    }
    tellActivityIfWanted(observers, event)
  }

  @inline(__always)
  package func tellActivityIfWanted(
    _ observers: TypeObservers.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    if observers.pointee.open.load(ordering: .relaxed) & TypeObservers.reported != 0 {
      tellActivityInItsPlace(observers, event)
    }
  }

  @inline(never)
  private func tellActivityInItsPlace(
    _ observers: TypeObservers.Pointer, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    // How many are open depends on what was accepted.
    let asking = nearReadPoint(of: event.pointee.position, since: 2)
    makeWay(for: event.pointee.position)
    // A source may have had an answer from outside in between.
    guard event.pointee.answers != 0 || !isFed || isOpen(Handle(bits: event.pointee.reply)) else {
      return
    }
    noteReadPoint(of: asking, tellActivity(observers, event))
  }

  /// Gives an answer to who asked.
  @inline(__always)
  private func call(
    _ function: mainstem_event_fn?, of request: Request.Pointer,
    _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    guard let function else { return }
    event.pointee.context = request.pointee.completion.through
    add(calls: 1)
    Frame.enter(self, event) { frame in
      frame.pointee.origin = request.pointee.completion.origin
      if request.pointee.isInput { frame.pointee.noteOutside() }
      function(request.pointee.completion.userData, event)
    }
  }
}
