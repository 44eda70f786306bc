// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// How a fed stream treats inputs that ask or answer. Live servers answer the requests among them. A recorded answer
/// from outside that comes first settles what live servers ask now. Called by the deliverer, with no lock held.
extension Requests {
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
    guard let observers = stream.state.pointee.observers.find(type),
      (try? response(to: type, observers)) != nil
    else {
      return
    }
    let handle = stream.locked { () -> Handle? in
      if observers.pointee.open.load(ordering: .relaxed) & TypeObservers.reported != 0,
        (try? prepareActivity(type, observers)) == nil
      {
        return nil
      }
      let isShared = Draft.isAsker(event.pointee.flags)
      if isShared { observers.pointee.shareRequests() }
      guard
        let scope = stream.state.pointee.scopes.scope(of: event.pointee.origin)
          ?? stream.state.pointee.scopes.root,
        let (request, room) = isShared ? Request.allocateShared() : Request.allocate(observers)
      else { return nil }
      guard
        let (slot, handle) = stream.state.pointee.slots.make(
          .request, stream: stream.address, object: request)
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
    stream.locked {
      eachOpenRequest { request in
        guard settleFed(request) else { return }
        let draft = draft(request, ErrorValue(.cancelled, "the replay ended before the answer"))
        stream.enqueue(KeptEvent(draft, in: Request.room(of: request)))
      }
    }
    _ = stream.work(after: stream.position)
  }
}

/// Requests whose answer is given before it is on the stream: in a context of one thread and in a guarded one, answers from
/// elsewhere wait in the inbox.
///
/// The request is settled at once (law 8), but it counts as open until the answer is taken in, as it does in a replay.
/// Where a callback finds it settled before that, the journal says so, and a replay settles it there, too.
extension Requests {
  /// Runs what is refused if a request is settled.
  static func findingAnswered<Result>(
    _ body: () throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let stream = Frame.innermost?.pointee.stream
    stream?.settleAsRecorded()
    do throws(Refusal) {
      return try body()
    } catch {
      stream?.noteAnswersWaiting()
      throw error
    }
  }

  /// Settles a request by an answer that goes to the inbox. Under the lock.
  ///
  /// - Parameter how: What the slot says until the answer is taken in.
  func handOver(
    _ slot: Slot.Pointer, _ handle: Handle, _ how: UInt32
  ) -> Request.Pointer? {
    guard let request = close(slot, handle) else { return nil }
    slot.pointee.origin.store(how, ordering: .relaxed)
    return request
  }

  /// The answer to a request that was settled early is taken in. Under the lock.
  func noteTakenIn(_ handle: Handle) {
    if let (slot, key) = Slot.find(handle), let request = request(in: slot, key) {
      countSettled(request)
    }
  }

  /// Whether a settled request is to get its answer yet.
  func isAwaited(_ handle: Handle) -> Bool {
    guard let (slot, key) = Slot.find(handle) else { return false }
    return stream.locked {
      slot.pointee.state.load(ordering: .acquiring) >> 8 == key >> 8
        && slot.pointee.origin.load(ordering: .relaxed) != 0
    }
  }
}

/// The same in a fed stream. For the deliverer, with no lock held.
extension Requests {
  /// Settles the request at a position, ahead of the answer that the source will feed.
  func settleAhead(at position: UInt64) {
    guard let request = openRequest(at: position),
      close(request.pointee.slot, request.pointee.handle) != nil
    else { return }
    request.pointee.slot.pointee.origin.store(Slot.answerIsFed, ordering: .relaxed)
  }

  /// Settles a request by an answer that has come; false: it has another one.
  func settleFed(_ request: Request.Pointer) -> Bool {
    let slot = request.pointee.slot
    if settle(slot, request.pointee.handle) != nil {
      passProgress(request)
      return true
    }
    guard isSettledAhead(slot) else { return false }
    slot.pointee.origin.store(0, ordering: .relaxed)
    countSettled(request)
    return true
  }

  /// Whether the answer that settles a request is yet to be fed. Its slot must be the request's.
  func isSettledAhead(_ slot: Slot.Pointer) -> Bool {
    slot.pointee.origin.load(ordering: .relaxed) == Slot.answerIsFed
  }
}
