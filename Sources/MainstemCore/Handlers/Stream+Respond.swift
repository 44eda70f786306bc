// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Answering. Who settles the request's slot gives the answer; all others come too late.
extension Stream {
  /// What an answer says.
  package enum Answer {
    case payload(UnsafeRawPointer?, Int)
    case error(ErrorValue)
  }

  /// Answers the request that an event is.
  package static func respond(
    _ event: UnsafePointer<mainstem_event>, _ answer: Answer
  ) throws(Refusal) {
    guard event.pointee.answers == 0 else {
      if let stream = try? Stream.of(event), stream.isClosed { throw .closed }
      throw Refusal(.invalid, "event", "is no request")
    }
    if event.pointee.reply == 0 { return try broadcast(event, answer) }
    let handle = Handle(bits: event.pointee.reply)
    guard let (slot, key) = Slot.find(handle),
      slot.pointee.state.load(ordering: .acquiring) == key,
      let stream = Stream(address: slot.pointee.stream)
    else { throw Refusal(.stale, "event", "has its answer") }
    guard !stream.isClosed else { throw .closed }
    var draft = try stream.draft(answering: event, answer)
    draft.reply = event.pointee.reply
    let kept = try keep(&draft, answer)
    guard stream.settle(slot, handle) else {
      Memory.free(kept)
      throw Refusal(.stale, "event", "has its answer")
    }
    try stream.give(draft, kept)
  }

  /// The answer to a request that was only sent: a plain event.
  private static func broadcast(
    _ event: UnsafePointer<mainstem_event>, _ answer: Answer
  ) throws(Refusal) {
    let stream = try Stream.of(event)
    guard !stream.isClosed else { throw .closed }
    var draft = try stream.draft(answering: event, answer)
    let kept = try keep(&draft, answer)
    try stream.give(draft, kept)
  }

  /// A checked draft of an answer.
  private func draft(
    answering event: UnsafePointer<mainstem_event>, _ answer: Answer
  ) throws(Refusal) -> Draft {
    let response = try locked { () throws(Refusal) in try responseType(of: event.pointee.type) }
    var draft = Draft(type: response, data: nil, size: 0, origin: Stream.origin(through: event))
    switch answer {
    case .payload(let data, let size):
      guard size >> 32 == 0, contract(of: response).admits(data, size) else {
        throw refusal(response, data, size)
      }
      draft.data = data
      draft.size = size
    case .error(let error):
      draft.size = error.packedSize
      draft.status = error.code
    }
    draft.answers = event.pointee.position
    draft.correlation = event.pointee.correlation
    return draft
  }

  /// The draft's payload in memory of its own.
  private static func keep(
    _ draft: inout Draft, _ answer: Answer
  ) throws(Refusal) -> KeptEvent.Pointer {
    if case .error(let error) = answer {
      guard let kept = KeptEvent.make(capacity: draft.size) else { throw .noMemory }
      error.pack(into: KeptEvent.payload(of: kept))
      draft.data = UnsafeRawPointer(KeptEvent.payload(of: kept))
      return kept
    }
    guard let kept = KeptEvent.make(copying: &draft) else { throw .noMemory }
    return kept
  }

  /// Puts an answer on the stream, or, on a thread that is not the context's own, in its inbox. Takes over
  /// the memory, also when it fails.
  private func give(_ draft: Draft, _ kept: KeptEvent.Pointer) throws(Refusal) {
    if Frame.of(self) != nil, !isClosed { return enqueue(draft, kept) }
    state.pointee.lock.acquire()
    guard !isClosed else {
      state.pointee.lock.release()
      Memory.free(kept)
      throw .closed
    }
    guard isMine else {
      kept.pointee.event = draft.event(at: 0, cause: 0, chain: 0, time: 0)
      return handOverAndUnlock(kept)
    }
    place(draft, in: kept)
  }
}
