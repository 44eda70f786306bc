// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// A server's function for when nobody waits for its answer any more, kept with the request.
///
/// The request's list is under the lock until the request is unlinked; from then on it belongs to whoever did that.
package struct SettledCall {
  package let function: mainstem_settled_fn
  package let release: mainstem_release_fn?
  package let userData: UnsafeMutableRawPointer?
  /// Where the request was observed. When that scope has ended, the function is no longer called.
  fileprivate let scope: Slot.Pointer
  fileprivate let key: UInt64
  /// What the scope sends has this origin. Its own answer is no news to it.
  package let origin: UInt32
  /// The show of that scope. Good while the scope is live.
  let show: Show.Pointer?
  /// Where the function runs, and its entry in the queue there; nil: at once.
  package let scheduler: Scheduler.Pointer?
  package let place: QueueEntry.Pointer?
  /// Its number among those of its request that run at once, or among those on schedulers, from 1.
  package var ordinal: UInt32 = 0
  /// It was dropped: only the hook is called.
  package var isForgotten = false
  let part: Part
  fileprivate var next: Pointer?

  package typealias Pointer = UnsafeMutablePointer<SettledCall>

  /// What it is a part of.
  enum Part {
    case alone
    /// The first part of an `Asker`; it has no function.
    case asker
    /// The first part of something that a station above has. It is called behind all others, for every answer.
    case last
  }
}

extension SettledCall {
  /// Makes one for an observer that is being called; nil without memory.
  package static func make(
    _ function: @escaping mainstem_settled_fn, _ userData: UnsafeMutableRawPointer?,
    _ release: mainstem_release_fn?, for row: Subscription.Pointer
  ) -> Pointer? {
    let (slot, handle) = (row.pointee.scope.pointee.slot, row.pointee.scope.pointee.handle)
    guard let (_, key) = Slot.find(handle), let call = Memory.allocate(SettledCall.self) else {
      return nil
    }
    let scheduler = row.pointee.queue?.pointee.scheduler
    let place = scheduler == nil ? nil : Memory.allocate(QueueEntry.self)
    guard scheduler == nil || place != nil else {
      Memory.free(call)
      return nil
    }
    call.initialize(
      to: SettledCall(
        function: function, release: release, userData: userData, scope: slot, key: key,
        origin: row.pointee.scope.pointee.origin, show: row.pointee.scope.pointee.show,
        scheduler: scheduler, place: place, part: .alone))
    return call
  }

  /// The one of an asker.
  static func ofAsker(_ slot: Slot.Pointer) -> SettledCall {
    SettledCall({ _ in }, nil, slot, .asker)
  }

  /// One that is called behind all others, in the frame of the answer, and in one without an event if nobody can see
  /// that. Its memory belongs to the function.
  package static func last(
    _ function: @escaping mainstem_settled_fn, _ userData: UnsafeMutableRawPointer,
    _ slot: Slot.Pointer
  ) -> SettledCall {
    SettledCall(function, userData, slot, .last)
  }

  private init(
    _ function: @escaping mainstem_settled_fn, _ userData: UnsafeMutableRawPointer?,
    _ slot: Slot.Pointer, _ part: Part
  ) {
    self.init(
      function: function, release: nil, userData: userData, scope: slot, key: 0, origin: 0,
      show: nil, scheduler: nil, place: nil, part: part)
  }

  /// Makes the call, in its frame.
  package static func make(_ call: Pointer, in frame: UnsafeMutablePointer<Frame>) {
    frame.pointee.origin = call.pointee.origin
    frame.pointee.drawAs(call.pointee.ordinal)
    call.pointee.function(call.pointee.userData)
  }

  /// Adds a call behind those of a request, which are few.
  package static func append(_ call: Pointer, to first: inout Pointer?) {
    call.pointee.next = nil
    guard var last = first else { return first = call }
    while let next = last.pointee.next { last = next }
    last.pointee.next = call
  }

  /// Takes the first call off a list.
  package static func takeFirst(_ first: inout Pointer?) -> Pointer? {
    guard let call = first else { return nil }
    first = call.pointee.next
    return call
  }

  /// Frees one whose entry no queue has.
  package static func free(_ call: Pointer) {
    Memory.free(call.pointee.place)
    Memory.free(call)
  }

  /// Whether its scope has not ended.
  package var isLive: Bool { scope.pointee.state.load(ordering: .acquiring) == key }
}

/// Telling servers that nobody waits for their answer any more.
extension Requests {
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
      stream.requests.keep(call, with: Handle(bits: event.pointee.reply))
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
      try findingAnswered { () throws(Refusal) in _ = try Requests.asking(event) }
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
    if !stream.isForked { forgetHere(call) }
  }

  /// Adds a call to those of a request; false: its answer has been delivered.
  package func keepUntilSettled(_ call: SettledCall.Pointer, with request: Handle) -> Bool {
    stream.locked {
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
    enter(stream, nil, nil) { _ in release(userData) }
  }
}

/// When a request is settled. For the deliverer, with no lock held.
extension Requests {
  /// Makes the calls, after an answer has reached its observers and its requester.
  @inline(never)
  func tell(_ first: SettledCall.Pointer, _ answer: UnsafeMutablePointer<mainstem_event>) {
    var calls: SettledCall.Pointer? = first
    let isOfCore = Requests.isOfCore(answer)
    // A replay has only those that run at once.
    var (here, elsewhere): (UInt32, UInt32) = (0, 1 << 13)
    while !stream.isForked, let call = SettledCall.takeFirst(&calls) {
      if call.pointee.part != .alone {
        if call.pointee.part == .last, calls != nil {
          SettledCall.append(call, to: &calls)
          continue
        }
        if !stream.isUndisturbed { stream.attendObservers(between: false) }
        if !stream.isForked { end(call, after: answer) }
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
        let queued = stream.deliverer.pointee.current
      {
        QueuedEvent.retain(queued)
        stream.addCompletion(
          in: place, queued, UnsafeMutableRawPointer(call), tellSettled, to: scheduler)
      } else {
        if !stream.isUndisturbed { stream.attendObservers(between: false) }
        if !stream.isForked { run(call, answer) }
      }
    }
  }

  /// Runs only the hooks: the answer cannot be seen.
  @inline(never)
  func forget(_ first: SettledCall.Pointer) {
    var calls: SettledCall.Pointer? = first
    while !stream.isForked, let call = SettledCall.takeFirst(&calls) {
      if call.pointee.part == .alone { forgetHere(call) } else { end(call, after: nil) }
    }
  }

  /// Ends what the call is the first part of.
  private func end(
    _ call: SettledCall.Pointer, after answer: UnsafeMutablePointer<mainstem_event>?
  ) {
    if call.pointee.part == .asker { return leave(Asker.of(call), after: answer) }
    Frame.enter(stream, answer) { _ in call.pointee.function(call.pointee.userData) }
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
      stream.oweAfter(call.pointee.show, answer) {
        Frame.enter(stream, answer) { SettledCall.make(call, in: $0) }
      }
    }
    if stream.isForked { return }
    let (release, userData) = (call.pointee.release, call.pointee.userData)
    Memory.free(call)
    guard let release else { return }
    Frame.enter(stream, nil) { _ in release(userData) }
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
