// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Law 9: what has no room is refused, and so is what would make a cascade too long.
extension Stream {
  /// Whether one more event has room among what waits for the holder. Answers of tracked requests, and what
  /// the core itself must say, do not ask.
  package func hasRoom(for size: Int) -> Bool {
    let (own, arrived) = (holder.pointee.own.count, holder.pointee.arrived.count)
    let bytes =
      holder.pointee.own.bytes &+ holder.pointee.arrived.bytes &+ state.pointee.shared.bytes
    return state.pointee.limits.waiting.fits(
      size, beside: own &+ arrived &+ state.pointee.shared.count, bytes)
  }

  /// Refuses an event that would have to wait and has no room. Under the lock.
  package func demandRoomToWait(for size: Int) throws(Refusal) {
    let word = Word(bits: state.pointee.word.load(ordering: .acquiring))
    if word.isDelivering || word.isHeld, !hasRoom(for: size) { throw full() }
  }

  /// Refuses a post that has no room. Under the lock.
  package func demandRoomInInbox(for size: Int) throws(Refusal) {
    let (count, bytes) = (state.pointee.inbox.count, state.pointee.inbox.bytes)
    guard state.pointee.limits.posts.fits(size, beside: count, bytes) else { throw full() }
  }

  /// Refuses an event, sent inside a callback, that has no room or would make the cascade too long.
  package func demandRoom(
    for draft: Draft, in frame: UnsafeMutablePointer<Frame>
  ) throws(Refusal) {
    if let event = frame.pointee.event, Stream.depth(of: event) >= state.pointee.limits.cascade {
      throw cut(draft, after: event)
    }
    guard hasRoom(for: draft.size) else { throw full() }
  }

  private func full() -> Refusal {
    state.pointee.rejections.wrappingAdd(1, ordering: .relaxed)
    return Refusal(.full, "context", "as much waits already as may: nothing was sent")
  }
}

/// Cascades: how far an event is from the outside event that it comes from.
extension Stream {
  /// The number of causes back to the outside event. While an event is delivered it stands where a kept one
  /// has its origin.
  package static func depth(of event: UnsafeMutablePointer<mainstem_event>) -> UInt64 {
    event.pointee.through
  }

  /// Notes where an event came from that is near the limit. For the holder.
  @inline(__always)
  package func noteTrail(_ kept: KeptEvent.Pointer) {
    let event = kept.pointee.event
    guard event.through &+ Trail.shown > state.pointee.limits.cascade else { return }
    holder.pointee.trail.note(event.position, cause: event.cause, type: event.type)
  }

  /// Refuses the event that would make a cascade too long, and tells of it.
  private func cut(
    _ draft: Draft, after event: UnsafeMutablePointer<mainstem_event>
  ) -> Refusal {
    state.pointee.rejections.wrappingAdd(1, ordering: .relaxed)
    let (_, count) = state.pointee.cuts.wrappingAdd(1, ordering: .relaxed)
    if isTold(count) {
      report(
        state.pointee.reports.limit,
        Cut(
          type: draft.type, origin: draft.origin, after: event.pointee.type,
          cause: event.pointee.cause, count: count))
    }
    return Refusal(
      .limit, "context", "causes is as far as an event may be from the outside one",
      .number(state.pointee.limits.cascade))
  }
}

/// What a "MainstemLimit" event says.
private struct Cut: Report {
  /// The event that was refused.
  let type: UInt32
  let origin: UInt32
  /// The one in whose callback it was sent.
  let after: UInt32
  let cause: UInt64
  let count: UInt64

  func write(_ stream: Stream, to writer: inout JSONWriter) {
    writer.open()
    writer.member("type", name(of: type, in: stream))
    writer.member("origin", stream.state.pointee.origins[origin] ?? Bytes(""))
    writer.member("limit", Int64(clamping: stream.state.pointee.limits.cascade))
    writer.openList("chain")
    var earlier = length(in: stream)
    while earlier > 0 {
      earlier &-= 1
      writer.element(name(of: ancestor(earlier, in: stream)?.type ?? after, in: stream))
    }
    writer.closeList()
    writer.member("count", Int64(clamping: count))
    writer.close()
  }

  /// How many types of the chain are known, at most `Trail.shown`.
  private func length(in stream: Stream) -> Int {
    var length = 1
    while length < Int(Trail.shown), ancestor(length, in: stream) != nil { length &+= 1 }
    return length
  }

  /// The event so many causes before the last; nil for that one itself, and where it is not known.
  private func ancestor(_ earlier: Int, in stream: Stream) -> (type: UInt32, cause: UInt64)? {
    var found: (type: UInt32, cause: UInt64)?
    var next = cause
    var left = earlier
    while left > 0 {
      guard let step = stream.holder.pointee.trail.find(next) else { return nil }
      found = step
      next = step.cause
      left &-= 1
    }
    return found
  }

  private func name(of type: UInt32, in stream: Stream) -> Bytes {
    stream.state.pointee.types[type]?.name.bytes ?? Bytes("")
  }
}
