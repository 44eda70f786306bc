// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Comparing what callbacks sent with what the journal has. Called by the deliverer, with no lock held.
extension Replay {
  /// Looks at an event that is about to be delivered, and compares it if it is an output.
  mutating func look(_ event: UnsafeMutablePointer<mainstem_event>) {
    let position = event.pointee.position
    if !event.pointee.isInput {
      do throws(Refusal) {
        try catchUp()
      } catch {
        fail(error)
      }
      if !stream.contract(of: event.pointee.type).keepsNoTime { event.pointee.time = time }
    }
    guard difference == nil, failure == nil, !isUndecided || position < extra ?? .max else {
      return
    }
    checkDigests(before: position)
    if !event.pointee.isInput, difference == nil {
      if extra == position {
        differ(.extra, at: position, expected: nil, actual: event)
      } else {
        compare(event)
      }
    }
    takeIntoDigest(event)
  }

  private mutating func compare(_ event: UnsafeMutablePointer<mainstem_event>) {
    let position = event.pointee.position
    guard let queued = expected.first, queued.pointee.event.position == position,
      queued.pointee.event.type != 0
    else {
      // The position was skipped, perhaps with a digest directly behind it, or it is behind the end.
      if position <= source.last, stream.contract(of: event.pointee.type).recordMode != .none {
        fail(
          Refusal(
            .unsupported, "replay",
            "is where the replay stops: an input came in of a type that is not recorded",
            .number(position)))
      }
      return
    }
    _ = expected.takeFirst()
    if !stream.contract(of: event.pointee.type).keepsNoTime {
      takeTime(of: queued)
      event.pointee.time = time
    }
    if event.pointee.correlation == 0 {
      event.pointee.correlation = queued.pointee.event.correlation
    }
    guard let (field, offset) = firstDifference(of: event, from: queued) else {
      same &+= 1
      return QueuedEvent.free(queued)
    }
    differ(field, at: position, expected: queued, actual: event, offset: offset)
  }

  /// The first field in which an output differs from the journal.
  private mutating func firstDifference(
    of event: UnsafeMutablePointer<mainstem_event>, from queued: QueuedEvent.Pointer
  ) -> (Difference.Field, Int)? {
    let was = queued.pointee.event
    if event.pointee.type != was.type { return (.type, 0) }
    let kinds = UInt32(
      MAINSTEM_EVENT_TRACKED | MAINSTEM_EVENT_PROGRESS | MAINSTEM_EVENT_SHARED)
    let isOfKind = event.pointee.flags & kinds == was.flags & kinds
    let isOfOrigin =
      origins.digest(of: event.pointee.origin, on: stream)
      == origins.digest(of: was.origin, on: stream)
    if was.isBare {
      if event.pointee.cause != was.cause { return (.cause, 0) }
      guard isOfKind else { return (.flags, 0) }
      guard was.origin == 0 || was.flags & UInt32(MAINSTEM_EVENT_MARKED) == 0 || isOfOrigin else {
        return (.origin, 0)
      }
      guard Int(was.size) == RecordFormat.digestSize, let digest = was.data else { return nil }
      return Digest(ofPayload: event).bits == digest.load(as: UInt64.self) ? nil : (.payload, 0)
    }
    if !isOfOrigin { return (.origin, 0) }
    if event.pointee.cause != was.cause { return (.cause, 0) }
    if event.pointee.correlation != was.correlation { return (.correlation, 0) }
    if event.pointee.answers != was.answers { return (.answers, 0) }
    if !isOfKind { return (.flags, 0) }
    if event.pointee.status != was.status { return (.status, 0) }
    let (here, there) = (
      Bytes(event.pointee.data, Int(event.pointee.size)), Bytes(was.data, Int(was.size))
    )
    guard here != there else { return nil }
    var offset = 0
    while offset < min(here.count, there.count), here[offset] == there[offset] { offset &+= 1 }
    return (.payload, offset)
  }
}

/// The digest of what happens here, next to the journal's.
extension Replay {
  private mutating func takeIntoDigest(_ event: UnsafeMutablePointer<mainstem_event>) {
    let contract = stream.contract(of: event.pointee.type)
    guard !contract.isSecret, contract.recordMode != .none else { return }
    if event.pointee.isBare { isDigestWhole = false }
    var there = event.pointee
    there.type = source.typeThere(there.type)
    digest.take(&there, origin: origins.digest(of: there.origin, on: stream))
  }

  /// Compares the digest with those that the journal has for events before a position.
  mutating func checkDigests(before position: UInt64) {
    while let queued = expected.first, queued.pointee.event.type == 0,
      queued.pointee.event.position < position
    {
      let event = queued.pointee.event
      defer { QueuedEvent.free(expected.takeFirst()) }
      guard options.verifies, isDigestWhole, difference == nil,
        event.status == RecordFormat.Kind.digest || event.status == RecordFormat.Kind.end
      else { continue }
      if queued.firstWord != digest.bits {
        differ(.digest, at: event.position, expected: nil, actual: nil)
      }
    }
  }
}

/// What nobody here may know: the servers that a request had. Called by the deliverer, with no lock held.
extension Replay {
  /// The size of the recorded answer to a request that no server got, which is written to memory if there is room: see
  /// `SourceFunctions.unhandled`.
  mutating func unhandled(
    _ request: UInt64, _ response: UInt32, _ memory: UnsafeMutableRawPointer?, _ capacity: Int
  ) -> Int {
    guard isMatching else { return 0 }
    do throws(Refusal) {
      try catchUp()
      guard let payload = try source.unhandled(after: stream.position, request, response) else {
        return -1
      }
      guard let memory, payload.count <= capacity else { return 0 }
      memory.copyMemory(from: payload.start, byteCount: payload.count)
      return payload.count
    } catch {
      fail(error)
      return 0
    }
  }
}
