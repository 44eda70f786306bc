// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What a fed stream does with inputs that ask or answer: live servers answer what was asked then, and what
/// came from outside in time settles what they ask now. The deliverer; no lock held.
extension Stream {
  package func takeUp(_ event: UnsafeMutablePointer<mainstem_event>) {
    if event.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0 { findRequest(of: event) }
    if event.pointee.answers != 0 {
      takeUpAnswer(event)
    } else if event.pointee.flags & UInt32(MAINSTEM_EVENT_TRACKED) != 0 {
      takeUpRequest(event)
    }
  }

  /// Tracks a request again. Nobody waits for its answer here, so nothing but memory can be lacking; then
  /// it is a request that is only sent.
  private func takeUpRequest(_ event: UnsafeMutablePointer<mainstem_event>) {
    let type = event.pointee.type
    guard let observers = state.pointee.observerTable.find(type),
      (try? response(to: type, observers)) != nil
    else {
      return
    }
    let handle = locked { () -> Handle? in
      if observers.pointee.open.load(ordering: .relaxed) & TypeObservers.reported != 0,
        (try? prepareActivity(type, observers)) == nil
      {
        return nil
      }
      guard let scope = scope(of: event.pointee.origin),
        let (request, room) = Request.allocate(observers)
      else { return nil }
      guard
        let (slot, handle) = state.pointee.slots.make(.request, stream: address, object: request)
      else {
        Memory.free(request)
        return nil
      }
      Request.initialize(
        request, room: room, slot: slot, handle: handle, observers: observers, type: type,
        completion: Request.Completion(nil, nil))
      Request.put(
        request, at: event.pointee.position, event.pointee.correlation, isInput: true)
      link(request, to: scope)
      return handle
    }
    if let handle { event.pointee.reply = handle.bits }
  }

  /// Gives an answer, or a step before it, to the request it belongs to, if that is still open.
  private func takeUpAnswer(_ event: UnsafeMutablePointer<mainstem_event>) {
    guard let request = openRequest(at: event.pointee.answers) else { return }
    let handle = request.pointee.handle
    guard event.pointee.flags & UInt32(MAINSTEM_EVENT_PROGRESS) != 0 else {
      guard settle(request.pointee.slot, handle) != nil else { return }
      passProgress(request)
      event.pointee.reply = handle.bits
      return
    }
    guard let (slot, key) = Slot.find(handle),
      slot.pointee.state.load(ordering: .acquiring) == key
    else { return }
    if request.pointee.queuesSteps {
      guard request.pointee.steps.load(ordering: .relaxed) < Request.mostSteps else { return }
      request.pointee.steps.wrappingAdd(1, ordering: .relaxed)
    }
    event.pointee.reply = handle.bits
  }

  /// No journal keeps which request a secret answers. Where who knows the secret does not say it either, it is the
  /// oldest one that is open and has such answers.
  private func findRequest(of event: UnsafeMutablePointer<mainstem_event>) {
    let other = MAINSTEM_EVENT_WITHHELD | MAINSTEM_EVENT_TRACKED | MAINSTEM_EVENT_PROGRESS
    let request: Request.Pointer? =
      if event.pointee.answers != 0 {
        openRequest(at: event.pointee.answers)
      } else if event.pointee.flags & UInt32(other) == 0 {
        oldestRequest(answeredBy: event.pointee.type)
      } else {
        nil
      }
    guard let request else { return }
    event.pointee.answers = request.pointee.position
    event.pointee.correlation = request.pointee.correlation
  }

  /// Cancels what is open when the source has nothing more: who would have answered was never asked.
  package func cancelWhatWasFed() {
    locked {
      eachOpenRequest { request in
        guard settle(request.pointee.slot, request.pointee.handle) != nil else { return }
        let draft = draft(request, ErrorValue(.cancelled, "the replay ended before the answer"))
        enqueue(draft, Request.room(of: request))
      }
    }
    _ = work(after: position)
  }
}
