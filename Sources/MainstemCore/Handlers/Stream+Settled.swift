// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Telling servers that nobody waits for their answer any more.
extension Stream {
  /// Has a function called when somebody else settles the request that a callback got.
  package static func onSettled(
    _ event: UnsafePointer<mainstem_event>, _ function: @escaping mainstem_settled_fn,
    _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?
  ) throws(Refusal) {
    guard let frame = Frame.of(event) ?? Frame.running(event) else {
      guard try Stream.of(event).isMine else { throw .wrongThread("event") }
      throw .notInCallback
    }
    let stream = frame.pointee.stream
    guard !stream.isForked else { throw .forked }
    guard let row = frame.pointee.row, stream.contract(of: event.pointee.type).role == .request
    else { throw Refusal(.invalid, "event", "is not a request: nobody waits for an answer") }
    try stream.trying { _ throws(Refusal) in
      guard let call = SettledCall.make(function, userData, release, for: row) else {
        throw .noMemory
      }
      stream.keep(call, with: Handle(bits: event.pointee.reply))
    }
  }

  /// Whether nobody waits for the answer to a request any more. What a callback finds out, a replay does, too.
  package static func isSettled(
    _ event: UnsafePointer<mainstem_event>
  ) throws(Refusal) -> Bool {
    let stream = try Stream.of(event)
    guard event.pointee.answers == 0, stream.contract(of: event.pointee.type).role == .request
    else { throw .noRequest("event") }
    let asking = Frame.holding(stream)?.pointee.stream.readPoint()
    defer { asking?.note(stream.position) }
    do throws(Refusal) {
      try findingAnswered { () throws(Refusal) in _ = try Stream.asking(event) }
      return false
    } catch {
      guard error.status == .stale else { throw error }
      return true
    }
  }

  /// Keeps a call with its request; makes it now if the request is over.
  private func keep(_ call: SettledCall.Pointer, with request: Handle) {
    // Nobody waits for the answer to a request that was only sent, or is drawn, and nobody will stop waiting.
    guard request != .none, request.bits != DrawnMark.reply else { return forgetHere(call) }
    if keepUntilSettled(call, with: request) { return }
    if call.pointee.isLive { call.pointee.function(call.pointee.userData) }
    if !isForked { forgetHere(call) }
  }

  /// Adds a call to those of a request; false: its answer has been delivered.
  package func keepUntilSettled(_ call: SettledCall.Pointer, with request: Handle) -> Bool {
    locked {
      // The slot's kind tells whether it is answered, its generation whether the answer has been delivered.
      guard let (slot, key) = Slot.find(request),
        slot.pointee.state.load(ordering: .acquiring) >> 8 == key >> 8,
        let request = slot.pointee.object?.assumingMemoryBound(to: Request.self)
      else { return false }
      SettledCall.append(call, to: &request.pointee.settledCalls)
      return true
    }
  }

  /// Ends a call inside the callback that asks for it.
  private func forgetHere(_ call: SettledCall.Pointer) {
    let isScheduled = call.pointee.scheduler != nil
    let (release, userData) = (call.pointee.release, call.pointee.userData)
    SettledCall.free(call)
    guard let release else { return }
    let enter = isScheduled ? Frame.enterScheduled : Frame.enter
    enter(self, nil, nil) { _ in release(userData) }
  }
}

/// When a request is settled. For the deliverer, with no lock held.
extension Stream {
  /// Makes the calls, after an answer has reached its observers and its requester.
  @inline(never)
  func tell(_ first: SettledCall.Pointer, _ answer: UnsafeMutablePointer<mainstem_event>) {
    var calls: SettledCall.Pointer? = first
    let isOfCore = Stream.isOfCore(answer)
    // A replay has only those that run at once.
    var (here, elsewhere): (UInt32, UInt32) = (0, 1 << 13)
    while !isForked, let call = SettledCall.takeFirst(&calls) {
      if call.pointee.part != .alone {
        if call.pointee.part == .last, calls != nil {
          SettledCall.append(call, to: &calls)
          continue
        }
        if !isUndisturbed { attendObservers(between: false) }
        if !isForked { end(call, after: answer) }
        continue
      }
      if call.pointee.scheduler == nil { here &+= 1 } else { elsewhere &+= 1 }
      call.pointee.ordinal = call.pointee.scheduler == nil ? here : elsewhere
      if !isOfCore, call.pointee.origin == answer.pointee.origin { call.pointee.isForgotten = true }
      guard !call.pointee.isForgotten || call.pointee.release != nil else {
        SettledCall.free(call)
        continue
      }
      if let scheduler = call.pointee.scheduler, let place = call.pointee.place,
        let queued = deliverer.pointee.current
      {
        QueuedEvent.retain(queued)
        addCompletion(
          in: place, queued, UnsafeMutableRawPointer(call), tellSettled, to: scheduler)
      } else {
        if !isUndisturbed { attendObservers(between: false) }
        if !isForked { run(call, answer) }
      }
    }
  }

  /// Runs only the hooks: the answer cannot be seen.
  @inline(never)
  func forget(_ first: SettledCall.Pointer) {
    var calls: SettledCall.Pointer? = first
    while !isForked, let call = SettledCall.takeFirst(&calls) {
      if call.pointee.part == .alone { forgetHere(call) } else { end(call, after: nil) }
    }
  }

  /// Ends what the call is the first part of.
  private func end(
    _ call: SettledCall.Pointer, after answer: UnsafeMutablePointer<mainstem_event>?
  ) {
    if call.pointee.part == .asker { return leave(Asker.of(call), after: answer) }
    Frame.enter(self, answer) { _ in call.pointee.function(call.pointee.userData) }
  }

  /// Whether an answer is the core's own. One that the context itself gives differs from it only in its status.
  private static func isOfCore(_ answer: UnsafeMutablePointer<mainstem_event>) -> Bool {
    let status = answer.pointee.status
    guard answer.pointee.flags & UInt32(MAINSTEM_EVENT_SHARED) == 0 else { return true }
    return answer.pointee.origin == 0
      && (status == Status.timeout.rawValue || status == Status.cancelled.rawValue
        || status == Status.unhandled.rawValue || status == Status.incomplete.rawValue)
  }

  private func run(
    _ call: SettledCall.Pointer, _ answer: UnsafeMutablePointer<mainstem_event>
  ) {
    if !call.pointee.isForgotten, call.pointee.isLive {
      oweAfter(call.pointee.show, answer) {
        Frame.enter(self, answer) { SettledCall.make(call, in: $0) }
      }
    }
    if isForked { return }
    let (release, userData) = (call.pointee.release, call.pointee.userData)
    Memory.free(call)
    guard let release else { return }
    Frame.enter(self, nil) { _ in release(userData) }
  }
}

/// Makes a call on its scheduler.
private func tellSettled(
  _ stream: UnsafeMutableRawPointer, _ owner: UnsafeMutableRawPointer,
  _ event: UnsafeMutableRawPointer
) {
  let stream = Stream(stream.assumingMemoryBound(to: StreamState.self))
  let call = owner.assumingMemoryBound(to: SettledCall.self)
  let answer = event.assumingMemoryBound(to: mainstem_event.self)
  if !call.pointee.isForgotten, call.pointee.isLive {
    Frame.enterScheduled(stream, answer, nil) { SettledCall.make(call, in: $0) }
  }
  if stream.isForked { return }
  let (release, userData) = (call.pointee.release, call.pointee.userData)
  Memory.free(call)
  guard let release else { return }
  Frame.enterScheduled(stream, nil, nil) { _ in release(userData) }
}
