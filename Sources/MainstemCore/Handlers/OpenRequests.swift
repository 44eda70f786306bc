// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The requests of one stream that have no answer delivered yet, in the order they were made, and what
/// the core itself answers. The station's state behind `Upcalls`.
package struct OpenRequests {
  fileprivate var first: Request.Pointer?
  fileprivate var last: Request.Pointer?

  package init() {}

  package typealias Pointer = UnsafeMutablePointer<OpenRequests>
}

extension Stream {
  /// Connects a stream with its open requests.
  package func connect(_ requests: OpenRequests.Pointer) {
    state.pointee.upcalls.state = UnsafeMutableRawPointer(requests)
    state.pointee.upcalls.delivered = { stream, event in
      let stream = Stream(stream.assumingMemoryBound(to: StreamState.self))
      stream.requestOrAnswerDelivered(event.assumingMemoryBound(to: mainstem_event.self))
    }
    state.pointee.upcalls.abandoned = { stream, serial in
      Stream(stream.assumingMemoryBound(to: StreamState.self)).cancelAbandoned(at: serial)
    }
  }

  fileprivate var requests: OpenRequests.Pointer {
    state.pointee.upcalls.state!.assumingMemoryBound(to: OpenRequests.self)
  }

  /// Under the lock.
  package func link(_ request: Request.Pointer) {
    request.pointee.previous = requests.pointee.last
    if let last = requests.pointee.last {
      last.pointee.next = request
    } else {
      requests.pointee.first = request
    }
    requests.pointee.last = request
    state.pointee.openRequests.wrappingAdd(1, ordering: .relaxed)
  }

  /// Ends a request: its handle, its memory. Under the lock.
  package func forget(_ request: Request.Pointer) {
    let (previous, next) = (request.pointee.previous, request.pointee.next)
    if let previous { previous.pointee.next = next } else { requests.pointee.first = next }
    if let next { next.pointee.previous = previous } else { requests.pointee.last = previous }
    state.pointee.slots.end(request.pointee.slot)
    Memory.free(request.pointee.reserve)
    Memory.free(request)
  }

  /// A request has reached its observers, or an answer has: the holder's next step.
  private func requestOrAnswerDelivered(_ event: UnsafeMutablePointer<mainstem_event>) {
    let handle = Handle(bits: event.pointee.reply)
    guard let (slot, key) = Slot.find(handle) else { return }
    if event.pointee.answers == 0 {
      guard slot.pointee.state.load(ordering: .acquiring) == key,
        state.pointee.lanes.find(event.pointee.type)?.pointee.handlers == 0,
        let request = locked({ slot.pointee.object })
      else { return }
      let error = ErrorValue(.unhandled, "no server handles requests of this type")
      guard let answer = settle(request.assumingMemoryBound(to: Request.self), error) else {
        return
      }
      var draft = answer.draft
      draft.cause = event.pointee.position
      enqueue(draft, answer.kept)
    } else if let request = locked({ slot.pointee.object })?.assumingMemoryBound(to: Request.self) {
      complete(request.pointee.completion, event)
      locked { forget(request) }
    }
  }

  /// Gives the answer to who asked.
  private func complete(
    _ completion: Request.Completion, _ event: UnsafeMutablePointer<mainstem_event>
  ) {
    guard let function = completion.function else { return }
    event.pointee.context = completion.through
    add(calls: 1)
    Frame.enter(self, event) { frame in
      frame.pointee.origin = completion.origin
      function(completion.userData, event)
    }
  }

  /// The core's own answer to a request, if it is still open.
  private func settle(
    _ request: Request.Pointer, _ error: ErrorValue
  ) -> (draft: Draft, kept: KeptEvent.Pointer)? {
    guard settle(request.pointee.slot, request.pointee.handle),
      let draft = draft(request, error), let kept = request.pointee.reserve
    else { return nil }
    request.pointee.reserve = nil
    return (draft, kept)
  }

  /// The core's answer in the room reserved for it.
  package func draft(_ request: Request.Pointer, _ error: ErrorValue) -> Draft? {
    guard let kept = request.pointee.reserve else { return nil }
    let placed = request.pointee.placed
    error.pack(into: KeptEvent.payload(of: kept))
    var draft = Draft(
      type: request.pointee.response, data: UnsafeRawPointer(KeptEvent.payload(of: kept)),
      size: error.packedSize, origin: 0)
    draft.status = error.code
    draft.answers = placed.position
    draft.correlation = placed.correlation
    draft.reply = request.pointee.handle.bits
    return draft
  }

  /// Types have lost their last server. Under the lock, the word claimed or marked.
  private func cancelAbandoned(at serial: UInt32) {
    var next = requests.pointee.first
    while let request = next {
      next = request.pointee.next
      // One without a place is on its way, and will find no handler.
      guard request.pointee.placed.position != 0,
        state.pointee.lanes.find(request.pointee.type)?.pointee.abandoned == serial
      else { continue }
      let error = ErrorValue(.cancelled, "the last server of this type has ended")
      if let (draft, kept) = settle(request, error) { enqueueShared(draft, kept) }
    }
  }

  /// The context closes: every request that is still open is cancelled. For the holder.
  package func cancelAllRequests() {
    locked {
      var next = requests.pointee.first
      while let request = next {
        next = request.pointee.next
        // Where somebody settled it but came too late to be accepted, the answer is ours again.
        _ = settle(request.pointee.slot, request.pointee.handle)
        guard let draft = draft(request, ErrorValue(.cancelled, "the context was closed")),
          let kept = request.pointee.reserve
        else { continue }
        request.pointee.reserve = nil
        enqueue(draft, kept)
      }
    }
    _ = work(after: position)
  }
}
