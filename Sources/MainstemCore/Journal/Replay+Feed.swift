// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Feeding: what comes next, and when. The holder; no lock held.
extension Replay {
  /// Feeds the next event from outside, or, where servers are muted, the next of all; false: there is none, or
  /// the replay goes no further. All that was fed before has been delivered.
  mutating func feedNext() throws(Refusal) -> Bool {
    guard difference == nil, failure == nil else { return false }
    if let next = try nextEvent() {
      if wish.verifies, !next.pointee.event.isInput {
        differ(.missing, at: next.pointee.event.position, expected: source.take(), actual: nil)
      } else {
        return feed()
      }
    }
    guard isMatching else { return false }
    checkDigests(before: .max)
    hasEnded = difference == nil
    return false
  }

  /// The next event; what the journal says before it is taken in. All that was fed before has been delivered.
  mutating func nextEvent() throws(Refusal) -> KeptEvent.Pointer? {
    try catchUp()
    while isMatching, let next = try source.next() {
      guard next.pointee.event.type == 0 else { return next }
      takeRecord()
    }
    return nil
  }

  /// Feeds the next of the source, which is an event.
  private mutating func feed() -> Bool {
    guard var kept = source.take() else { return false }
    taken = kept.pointee.event.position
    guard taken == stream.position &+ 1 else {
      KeptEvent.free(kept)
      fail(
        Refusal(.invalid, "replay", "does not go on: something else was sent at", .number(taken)))
      return false
    }
    takeTime(of: kept)
    if kept.pointee.event.isBare {
      provesNoMore(after: taken &- 1)
      guard let withheld = Replay.withheld(kept) else {
        KeptEvent.free(kept)
        fail(.noMemory)
        return false
      }
      KeptEvent.free(kept)
      kept = withheld
      findChain(of: kept)
    }
    fed &+= 1
    if kept.pointee.event.isOfClosing { stream.state.pointee.feed.isClosing = true }
    stream.feed(kept)
    return true
  }

  /// Moves on to the time of a record. One of a secret has none, as marks of early journals: then it is the
  /// time of what was before.
  private mutating func takeTime(of kept: KeptEvent.Pointer) {
    if kept.pointee.event.isBare, kept.pointee.event.time == 0 { kept.pointee.event.time = time }
    time = kept.pointee.event.time
  }

  /// An event without a cause begins a chain. To which one another belongs is not told here, but by what
  /// comes of it, and then digests cannot be counted.
  private mutating func findChain(of bare: KeptEvent.Pointer) {
    if bare.pointee.event.cause == 0 {
      bare.pointee.event.correlation = bare.pointee.event.position
    } else {
      isDigestWhole = false
    }
  }

  /// An event of which neither payload nor correlation was kept: it carries an error that says so.
  private static func withheld(_ bare: KeptEvent.Pointer) -> KeptEvent.Pointer? {
    let error = ErrorValue(.withheld, "the journal does not have this payload")
    guard let kept = KeptEvent.make(capacity: error.packedSize) else { return nil }
    let payload = KeptEvent.payload(of: kept)
    error.pack(into: payload)
    kept.pointee.event = bare.pointee.event
    kept.pointee.event.size = UInt32(truncatingIfNeeded: error.packedSize)
    kept.pointee.event.status = error.code
    kept.pointee.event.data = UnsafeRawPointer(payload)
    kept.pointee.event.text = ErrorValue.text(
      ofPayload: UnsafeRawPointer(payload), status: error.code)
    return kept
  }

  /// Takes a record that is no event, between two turns.
  private mutating func takeRecord() {
    guard let kept = source.take() else { return }
    let event = kept.pointee.event
    if event.status == RecordFormat.Kind.skipped {
      let last = kept.secondWord
      if wish.verifies { provesNoMore(after: taken) }
      stream.feedNothing(last &- taken)
      taken = last
      KeptEvent.free(kept)
    } else {
      expected.append(kept)
      checkDigests(before: .max)
    }
  }
}

/// Outputs: what callbacks send takes the place that the journal has for it. The holder; no lock held.
extension Replay {
  /// Takes the records of what was accepted since. All of that are outputs.
  mutating func catchUp() throws(Refusal) {
    guard wish.verifies else { return }
    while isMatching, taken < stream.position {
      guard let next = try source.next() else {
        // After a crash the end of the last turn may not have been written.
        if source.isWhole { surplus = taken &+ 1 } else { provesNoMore(after: taken) }
        taken = stream.position
        return
      }
      let event = next.pointee.event
      if event.type != 0 {
        guard !event.isInput else { return surplus = taken &+ 1 }
        taken = event.position
        source.take().map { expected.append($0) }
      } else if event.status == RecordFormat.Kind.skipped {
        let last = next.secondWord
        taken = min(last, stream.position)
        if taken == last { KeptEvent.free(source.take()) }
      } else {
        source.take().map { expected.append($0) }
      }
    }
  }

  /// A callback is about to send. What others sent before that, while its event was being delivered, comes
  /// first: it is known by an output of the same cause behind it.
  mutating func makeWay(for cause: UInt64, answerTo request: UInt64) {
    do throws(Refusal) {
      try catchUp()
      guard isMatching else { return }
      try passDigests()
      let last = try source.inputs(before: cause, answerTo: request)
      while taken < last, failure == nil, try source.next() != nil {
        _ = feed()
        try passDigests()
      }
    } catch {
      fail(error)
    }
  }

  /// Keeps what the journal says of digests until the events before it have been delivered.
  private mutating func passDigests() throws(Refusal) {
    while let next = try source.next(), next.pointee.event.type == 0,
      next.pointee.event.status != RecordFormat.Kind.skipped
    {
      source.take().map { expected.append($0) }
    }
  }

  /// An event is about to be delivered: an output is compared.
  mutating func look(_ event: UnsafeMutablePointer<mainstem_event>) {
    let position = event.pointee.position
    if !event.pointee.isInput {
      do throws(Refusal) {
        try catchUp()
      } catch {
        fail(error)
      }
      event.pointee.time = time
    }
    guard difference == nil, failure == nil else { return }
    checkDigests(before: position)
    if !event.pointee.isInput, difference == nil {
      if surplus == position {
        differ(.surplus, at: position, expected: nil, actual: event)
      } else {
        compare(event)
      }
    }
    takeIntoDigest(event)
  }

  private mutating func compare(_ event: UnsafeMutablePointer<mainstem_event>) {
    let position = event.pointee.position
    guard let kept = expected.first, kept.pointee.event.position == position else {
      // Skipped, or behind the end.
      if position <= source.last, stream.contract(of: event.pointee.type).recordMode != .none {
        fail(
          Refusal(
            .unsupported, "replay",
            "does not go on: an input of a type that is not kept came in at",
            .number(position)))
      }
      return
    }
    _ = expected.takeFirst()
    takeTime(of: kept)
    event.pointee.time = time
    if event.pointee.correlation == 0 {
      event.pointee.correlation = kept.pointee.event.correlation
    }
    guard let (field, offset) = difference(of: event, from: kept) else {
      same &+= 1
      return KeptEvent.free(kept)
    }
    differ(field, at: position, expected: kept, actual: event, offset: offset)
  }

  /// The first field in which an output is not what the journal has.
  private mutating func difference(
    of event: UnsafeMutablePointer<mainstem_event>, from kept: KeptEvent.Pointer
  ) -> (Difference.Field, Int)? {
    let was = kept.pointee.event
    if event.pointee.type != was.type { return (.type, 0) }
    if event.pointee.cause != was.cause { return (.cause, 0) }
    if was.isBare { return nil }
    if origins.digest(of: event.pointee.origin, on: stream)
      != origins.digest(of: was.origin, on: stream)
    {
      return (.origin, 0)
    }
    if event.pointee.correlation != was.correlation { return (.correlation, 0) }
    if event.pointee.answers != was.answers { return (.answers, 0) }
    let kinds = UInt32(MAINSTEM_EVENT_TRACKED | MAINSTEM_EVENT_PROGRESS)
    if event.pointee.flags & kinds != was.flags & kinds { return (.flags, 0) }
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

/// The digest of what happens here, beside that in the journal.
extension Replay {
  private mutating func takeIntoDigest(_ event: UnsafeMutablePointer<mainstem_event>) {
    let contract = stream.contract(of: event.pointee.type)
    guard !contract.isSecret, contract.recordMode != .none else { return }
    if event.pointee.isBare { isDigestWhole = false }
    var there = event.pointee
    there.type = source.typeThere(there.type)
    digest.take(&there, origin: origins.digest(of: there.origin, on: stream))
  }

  /// Compares with what the journal says about events before a position.
  private mutating func checkDigests(before position: UInt64) {
    while let kept = expected.first, kept.pointee.event.type == 0,
      kept.pointee.event.position < position
    {
      let event = kept.pointee.event
      defer { KeptEvent.free(expected.takeFirst()) }
      guard wish.verifies, isDigestWhole, difference == nil,
        event.status == RecordFormat.Kind.digest || event.status == RecordFormat.Kind.end
      else { continue }
      if kept.firstWord != digest.bits {
        differ(.digest, at: event.position, expected: nil, actual: nil)
      }
    }
  }
}

extension KeptEvent.Pointer {
  /// The numbers in a record that is no event.
  fileprivate var firstWord: UInt64 { pointee.event.data.load(as: UInt64.self) }
  fileprivate var secondWord: UInt64 {
    pointee.event.data.load(fromByteOffset: 8, as: UInt64.self)
  }
}
