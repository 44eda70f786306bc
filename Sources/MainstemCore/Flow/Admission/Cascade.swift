// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Cascades: how far an event is from the outside event that it comes from.
extension Stream {
  /// The number of causes back to the outside event. While an event is delivered, the depth is in the field where a
  /// retained event has its origin.
  package static func depth(of event: UnsafeMutablePointer<mainstem_event>) -> UInt64 {
    event.pointee.through
  }

  /// Notes where an event near the limit came from. For the deliverer.
  @inline(__always)
  package func noteCascade(_ queued: QueuedEvent.Pointer) {
    let event = queued.pointee.event
    guard event.through &+ CascadeLog.shown > state.pointee.admissions.limits.cascade else {
      return
    }
    deliverer.pointee.cascadeLog.add(event.position, cause: event.cause, type: event.type)
  }

  /// Refuses the event that would make a cascade too long, and reports it.
  package func cut(
    _ draft: Draft, after event: UnsafeMutablePointer<mainstem_event>, _ attempt: Attempt
  ) -> Refusal {
    noteLack(.causes, .limit, of: attempt)
    let count = state.pointee.admissions.countCut()
    if isTold(count) {
      report(
        state.pointee.reports.own.limit,
        Cut(
          type: draft.type, origin: draft.origin, after: event.pointee.type,
          cause: event.pointee.cause, count: count))
    }
    return Refusal(
      .limit, "context",
      "causes are the limit of a chain: continue a longer one from a timer",
      .number(state.pointee.admissions.limits.cascade))
  }
}

/// The content of a "MainstemLimit" event.
private struct Cut: Report {
  /// The event that was refused.
  let type: UInt32
  let origin: UInt32
  /// The event in whose callback it was sent.
  let after: UInt32
  let cause: UInt64
  let count: UInt64

  func write(_ stream: Stream, to writer: inout JSONWriter) {
    writer.open()
    writer.member("type", name(of: type, in: stream))
    writer.member("origin", stream.state.pointee.scopes.describe(origin)?.name ?? Bytes(""))
    writer.member("limit", Int64(clamping: stream.state.pointee.admissions.limits.cascade))
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

  /// How many types of the chain are known, at most `CascadeLog.shown`.
  private func length(in stream: Stream) -> Int {
    var length = 1
    while length < Int(CascadeLog.shown), ancestor(length, in: stream) != nil { length &+= 1 }
    return length
  }

  /// The event that many causes before the last; nil for the last itself, and if it is not known.
  private func ancestor(_ earlier: Int, in stream: Stream) -> (type: UInt32, cause: UInt64)? {
    var found: (type: UInt32, cause: UInt64)?
    var next = cause
    var left = earlier
    while left > 0 {
      guard let step = stream.deliverer.pointee.cascadeLog.find(next) else { return nil }
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

/// Where the last events near the limit of a cascade came from, so that the report can name them. Used by the deliverer
/// only. If memory runs out it stays empty.
package struct CascadeLog {
  private struct Step {
    var position: UInt64 = 0
    var cause: UInt64 = 0
    var type: UInt32 = 0
  }

  private var steps: UnsafeMutablePointer<Step>?
  private var next = 0

  private static var capacity: Int { 64 }
  /// How many types a report names.
  package static var shown: UInt64 { 8 }

  package init() {}

  package mutating func add(_ position: UInt64, cause: UInt64, type: UInt32) {
    if steps == nil {
      steps = Memory.allocate(Step.self, count: CascadeLog.capacity)
      steps?.initialize(repeating: Step(), count: CascadeLog.capacity)
    }
    steps?[next] = Step(position: position, cause: cause, type: type)
    next = (next &+ 1) % CascadeLog.capacity
  }

  /// The type and the cause of an event; nil if it was not noted or has been overwritten.
  package func find(_ position: UInt64) -> (type: UInt32, cause: UInt64)? {
    guard let steps, position != 0 else { return nil }
    var index = 0
    while index < CascadeLog.capacity {
      if steps[index].position == position { return (steps[index].type, steps[index].cause) }
      index &+= 1
    }
    return nil
  }

  package mutating func free() {
    Memory.free(steps)
    self = CascadeLog()
  }
}
