// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// How a fed stream treats inputs that ask or answer. Live servers answer the requests among them. A recorded answer
/// from outside that comes first settles what live servers ask now. Called by the deliverer, with no lock held.
extension Stream {
  package func takeUp(_ event: UnsafeMutablePointer<mainstem_event>) {
    if event.pointee.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0 { findRequest(of: event) }
    if event.pointee.answers != 0 {
      takeUpAnswer(event)
    } else if event.pointee.flags & UInt32(MAINSTEM_EVENT_TRACKED) != 0 {
      takeUpRequest(event)
    }
  }

  /// Tracks a request again.
  ///
  /// Nobody waits for its answer here, so only memory can run out. Then the request counts as one that was only sent.
  private func takeUpRequest(_ event: UnsafeMutablePointer<mainstem_event>) {
    let type = event.pointee.type
    guard let observers = state.pointee.observers.find(type),
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
      let isShared = Draft.isAsker(event.pointee.flags)
      if isShared { observers.pointee.shareRequests() }
      guard let scope = scope(of: event.pointee.origin) ?? state.pointee.scopes.root,
        let (request, room) = isShared ? Request.allocateShared() : Request.allocate(observers)
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

  /// Passes an answer, or a step of progress, to its request if that is still open.
  private func takeUpAnswer(_ event: UnsafeMutablePointer<mainstem_event>) {
    guard let request = openRequest(at: event.pointee.answers) else { return }
    let handle = request.pointee.handle
    guard event.pointee.flags & UInt32(MAINSTEM_EVENT_PROGRESS) != 0 else {
      if settleFed(request) { event.pointee.reply = handle.bits }
      return
    }
    guard let (slot, key) = Slot.find(handle),
      slot.pointee.state.load(ordering: .acquiring) == key || isSettledAhead(slot)
    else { return }
    if request.pointee.queuesSteps {
      guard request.pointee.steps.load(ordering: .relaxed) < Request.mostSteps else { return }
      request.pointee.steps.wrappingAdd(1, ordering: .relaxed)
    }
    event.pointee.reply = handle.bits
  }

  /// Finds the request that a secret answers, which no journal keeps. If the provider of the secret does not name it
  /// either, it is the oldest open request with that response type.
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

  /// Cancels the open requests when the source has nothing more. Whoever would have answered them was never asked.
  package func cancelWhatWasFed() {
    locked {
      eachOpenRequest { request in
        guard settleFed(request) else { return }
        let draft = draft(request, ErrorValue(.cancelled, "the replay ended before the answer"))
        enqueue(KeptEvent(draft, in: Request.room(of: request)))
      }
    }
    _ = work(after: position)
  }
}
