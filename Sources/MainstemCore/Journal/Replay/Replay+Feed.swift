// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Feeding: what comes next, and when. Called by the deliverer, with no lock held. The host may be asked meanwhile and
/// may call the replay itself, so no function here has exclusive access to it.
extension Replay.Pointer {
  /// Feeds and delivers the next event from outside or, with muted servers, the next of all events. Everything fed
  /// before has been delivered. Returns false if there is no such event or the replay goes no further.
  func feedNext() throws(Refusal) -> Bool {
    guard pointee.difference == nil, pointee.failure == nil, !pointee.stream.isForked else {
      return false
    }
    if let next = try pointee.nextEvent() {
      guard pointee.options.verifies, !next.pointee.event.isInput else {
        return feed(delivers: true)
      }
      pointee.findMissing()
    }
    guard pointee.isMatching else { return false }
    pointee.checkDigests(before: .max)
    pointee.hasEnded = pointee.difference == nil
    return false
  }

  /// Notices the end of the replay if the last event fed was the last one.
  func findEnd() throws(Refusal) {
    guard !pointee.hasEnded, pointee.isMatching, pointee.stream.position >= pointee.source.last,
      pointee.source.last >= pointee.source.first, try pointee.nextEvent() == nil
    else { return }
    _ = try feedNext()
  }

  /// Feeds the source's next record, which is an event.
  private func feed(delivers: Bool) -> Bool {
    guard let record = pointee.source.take() else { return false }
    guard pointee.takeTurn(of: record) else {
      QueuedEvent.free(record)
      return false
    }
    guard let queued = record.pointee.event.isBare ? completed(record) : record else {
      pointee.fail(.noMemory)
      return false
    }
    pointee.fed &+= 1
    let origin = pointee.options.verifies ? nil : queued.pointee.event.origin
    pointee.findScope(of: queued)
    pointee.stream.takeFedList(queued, from: origin)
    pointee.stream.feed(queued, delivers: delivers)
    return true
  }

  /// Feeds what others sent before a callback's send, while the callback's event was being delivered. An output with
  /// the same cause behind those inputs shows that they came first.
  func makeWay(for cause: UInt64, answerTo request: UInt64) {
    feedAhead { source throws(Refusal) in try source.inputs(before: cause, answerTo: request) }
  }

  /// Feeds what others had sent before a callback's read point, which has this number; 0: it is counted.
  ///
  /// - Parameter version: The version of the format since which this kind of read point is recorded.
  func makeReadPoint(for event: UInt64, _ given: UInt64, since version: UInt32) {
    guard pointee.source.version >= version else { return }
    let position = event & ~CallbackCount.late
    let number = pointee.number(pointee.source.version > 1 ? event : position, given)
    feedAhead { source throws(Refusal) in try source.readPoint(of: position, number) }
  }

  /// Feeds the next inputs while a callback runs, up to a position that the source names.
  func feedAhead(to last: (inout ReplaySource) throws(Refusal) -> UInt64) {
    do throws(Refusal) {
      try pointee.catchUp()
      guard pointee.isMatching else { return }
      try pointee.passDigests()
      let last = try last(&pointee.source)
      while pointee.taken < last, pointee.failure == nil, let next = try pointee.source.next() {
        if next.pointee.event.type == 0 {
          pointee.takeRecord()
        } else {
          guard next.pointee.event.isInput else { return }
          _ = feed(delivers: false)
        }
        try pointee.passDigests()
      }
    } catch {
      pointee.fail(error)
    }
  }

  /// Completes an event of which only a mark was kept: with what the host knows of a secret, otherwise with the error
  /// that it is withheld. Takes over the mark; nil without memory.
  private func completed(_ mark: QueuedEvent.Pointer) -> QueuedEvent.Pointer? {
    defer { QueuedEvent.free(mark) }
    pointee.findChain(of: mark)
    guard let withheld = Replay.withheld(mark) else { return nil }
    guard let supplied = ask(of: withheld) else {
      pointee.provesNoMore(after: pointee.taken &- 1)
      return withheld
    }
    QueuedEvent.free(withheld)
    return supplied
  }
}

extension Replay {
  /// Whether the context was closing when a callback made a call. It was from the first refusal on, once all outputs
  /// and read points before that refusal have come.
  ///
  /// - Parameter callback: See `callbackKey`.
  mutating func isRefused(_ callback: UInt64) -> Bool {
    let closing = source.closing
    let isLater = closing.isBefore(callback, delivered: stream.locked { stream.delivered })
    guard isMatching, !isClosing, isLater || closing.mayBe(callback) else { return isClosing }
    do throws(Refusal) {
      try catchUp()
      let next = try source.nextOutput(after: taken)
      isClosing =
        isLater || next > closing.accepted && questions.last(of: callback) >= closing.number
    } catch {
      fail(error)
    }
    return isClosing
  }

  /// The recorded refusal of attempt `number` by an event's callbacks: see `Refused.bits`; 0: none.
  mutating func refused(_ event: UInt64, _ number: UInt64) -> UInt64 {
    guard isMatching else { return 0 }
    do throws(Refusal) {
      return try source.refused(after: stream.position, event, number)
    } catch {
      fail(error)
      return 0
    }
  }

  /// The next event. Takes in the records before it. Everything fed before has been delivered.
  mutating func nextEvent() throws(Refusal) -> QueuedEvent.Pointer? {
    try catchUp()
    while isMatching, let next = try source.next() {
      guard next.pointee.event.type == 0 else { return next }
      takeRecord()
    }
    return nil
  }

  /// Handles an output that nobody sent: either the journal lacks its cause, or this is a difference.
  fileprivate mutating func findMissing() {
    guard let queued = source.take() else { return }
    let event = queued.pointee.event
    guard event.cause >= lost.first, event.cause <= lost.last else {
      return differ(.missing, at: event.position, expected: queued, actual: nil)
    }
    QueuedEvent.free(queued)
    fail(
      Refusal(
        .unsupported, "replay", "is where the replay stops: the journal does not have its cause",
        .number(event.position)))
  }

  /// Takes the next position for an event to be fed; false: the event has another one.
  fileprivate mutating func takeTurn(of queued: QueuedEvent.Pointer) -> Bool {
    taken = queued.pointee.event.position
    guard taken == stream.position &+ 1 else {
      fail(
        Refusal(
          .invalid, "replay", "is where the replay stops: something else was sent", .number(taken)))
      return false
    }
    takeTime(of: queued)
    return true
  }

  /// Gives an event the origin of its scope, if that is here; otherwise it keeps that of a stand-in.
  fileprivate func findScope(of queued: QueuedEvent.Pointer) {
    guard queued.pointee.event.origin != 0 else { return }
    stream.locked {
      guard let scope = stream.state.pointee.scopes.scope(of: queued.pointee.event.origin) else {
        return
      }
      queued.pointee.event.origin = scope.pointee.origin
    }
  }

  /// The recorded time of an event. No journal has the time of a secret, and early journals lack the time of a mark:
  /// then it is the time of the event before.
  func timeThere(of queued: QueuedEvent.Pointer) -> Int64 {
    let event = queued.pointee.event
    return event.isBare && event.time == 0 ? time : event.time
  }

  /// Moves on to the time of a record.
  mutating func takeTime(of queued: QueuedEvent.Pointer) {
    queued.pointee.event.time = timeThere(of: queued)
    time = queued.pointee.event.time
    stream.fedClock = time
  }

  /// Gives a marked event without a cause its own chain. The chain of any other shows only in what follows from it, and
  /// digests prove nothing from then on.
  fileprivate mutating func findChain(of mark: QueuedEvent.Pointer) {
    if mark.pointee.event.cause == 0 {
      mark.pointee.event.correlation = mark.pointee.event.position
    } else {
      isDigestWhole = false
      provesNoMore(after: taken &- 1)
    }
  }

  /// An event whose payload and correlation were not kept, with an error that says so.
  fileprivate static func withheld(_ bare: QueuedEvent.Pointer) -> QueuedEvent.Pointer? {
    let error = ErrorValue(.withheld, "the journal does not have this payload")
    guard let queued = QueuedEvent.make(capacity: error.packedSize) else { return nil }
    let payload = QueuedEvent.payload(of: queued)
    error.pack(into: payload)
    queued.pointee.event = bare.pointee.event
    queued.pointee.event.size = UInt32(truncatingIfNeeded: error.packedSize)
    queued.pointee.event.status = error.code
    queued.pointee.event.data = UnsafeRawPointer(payload)
    queued.pointee.event.user_message = ErrorValue.text(
      ofPayload: UnsafeRawPointer(payload), status: error.code)
    return queued
  }

  /// Takes a record that is not an event, between two turns.
  fileprivate mutating func takeRecord() {
    guard let queued = source.take() else { return }
    let event = queued.pointee.event
    if event.status == RecordFormat.Kind.skipped {
      let last = queued.secondWord
      if options.verifies { provesNoMore(after: taken) }
      // Without a cause they are lost, and not only left out.
      if queued.skipsLost { stream.forgetLists() }
      if last > taken { lost = (taken &+ 1, last) }
      stream.skip(last &- taken)
      taken = last
      QueuedEvent.free(queued)
    } else if event.status == RecordFormat.Kind.list {
      if let list = WholeList(Bytes(event.data, Int(event.size))) {
        stream.give(list, UInt32(truncatingIfNeeded: event.answers), event.origin)
      }
      QueuedEvent.free(queued)
    } else {
      expected.append(queued)
      checkDigests(before: .max)
    }
  }
}

/// Outputs: what callbacks send takes the position that the journal has for it. Called by the deliverer, with no lock
/// held.
extension Replay {
  /// Takes the records of everything accepted since the last call, all of them outputs.
  mutating func catchUp() throws(Refusal) {
    guard options.verifies else { return }
    while isMatching, taken < stream.position {
      guard let next = try source.next() else {
        // After a crash, the end of the last turn may be unwritten.
        if source.isWhole { extra = taken &+ 1 } else { provesNoMore(after: taken) }
        taken = stream.position
        return
      }
      let event = next.pointee.event
      if event.type != 0 {
        guard !event.isInput else { return try findExtra() }
        taken = event.position
        source.take().map { expected.append($0) }
      } else if event.status == RecordFormat.Kind.skipped {
        guard !next.skipsInputs else { return try findExtra() }
        let last = next.secondWord
        taken = min(last, stream.position)
        if taken == last { QueuedEvent.free(source.take()) }
      } else {
        source.take().map { expected.append($0) }
      }
    }
  }

  /// Handles an output at the position of an input. If the process ended and no output follows, this one may have been
  /// the next, not written any more: its place among the last inputs is unknown.
  private mutating func findExtra() throws(Refusal) {
    extra = taken &+ 1
    guard !source.isWhole, try source.nextOutput(after: taken) == .max else { return }
    isUndecided = true
    provesNoMore(after: taken)
  }

  /// Keeps the journal's digests until the events before them have been delivered.
  fileprivate mutating func passDigests() throws(Refusal) {
    while let next = try source.next(), next.pointee.event.type == 0,
      next.pointee.event.status != RecordFormat.Kind.skipped
    {
      source.take().map { expected.append($0) }
    }
  }
}

extension QueuedEvent.Pointer {
  /// The numbers in a record that is not an event.
  var firstWord: UInt64 { pointee.event.data.load(as: UInt64.self) }
  var secondWord: UInt64 {
    pointee.event.data.load(fromByteOffset: 8, as: UInt64.self)
  }
  /// Whether this record, which skips positions, does so because their events are lost.
  var skipsLost: Bool { pointee.event.data.load(fromByteOffset: 16, as: UInt64.self) == .max }
  /// Whether this record skips positions of inputs.
  var skipsInputs: Bool {
    pointee.event.type == 0 && pointee.event.status == RecordFormat.Kind.skipped
      && pointee.event.data.load(fromByteOffset: 16, as: UInt64.self) == 0
  }
}

// MARK: - Answered early

extension Replay.Pointer {
  /// The next request that callbacks of the session found answered, although the answer comes later, and that is to be
  /// settled now; 0: none is left. All that had been accepted then is fed: it may be among that. Called by the deliverer,
  /// with no lock held.
  ///
  /// - Parameter event: The last event whose callbacks count.
  func answered(_ event: UInt64) -> UInt64 {
    guard pointee.isMatching else { return 0 }
    do throws(Refusal) {
      let last = pointee.stream.position
      guard let answered = try pointee.source.answered(after: last, event) else { return 0 }
      if answered.accepted > last { feedAhead { _ in answered.accepted } }
      return answered.request
    } catch {
      pointee.fail(error)
      return 0
    }
  }
}

extension ReplaySource {
  /// The next of them, with `last` the last accepted position so far: see `ReplayScout`.
  mutating func answered(after last: UInt64, _ event: UInt64) throws(Refusal) -> AnsweredEarly? {
    guard hasRefused else { return nil }
    try sendScout()
    return try scout?.answered(from: last &+ 1, until: event)
  }
}

extension JournalRecord {
  /// Whether it is no event, and says what callbacks were refused, or would be.
  var tellsRefusal: Bool {
    kind == RecordFormat.Kind.refused || kind == RecordFormat.Kind.answered
  }
}

extension AnsweredEarly {
  init(_ record: JournalRecord) {
    self.init(event: record.word(at: 0), request: record.word(at: 8), accepted: record.word(at: 16))
  }
}

// MARK: - Scopes that the host ended

extension Replay.Pointer {
  /// Ends the scopes that the host of the session had ended before an event was delivered, and the one whose end the
  /// event tells. All that had been accepted by then is fed: the answers to requests of these scopes, what they will
  /// have shown. Called by the deliverer, with no lock held.
  func endScopes(before event: UnsafeMutablePointer<mainstem_event>) {
    let (position, stream) = (event.pointee.position, pointee.stream)
    while let ended = pointee.source.ended.next, ended.delivered <= position {
      if ended.delivered == position {
        if ended.unheardBy != 0 { stream.silence(ended.unheardBy) }
        break
      }
      pointee.source.ended.passNext()
      feedAhead { _ in ended.last }
      stream.endTold(ended.first, ended.last)
    }
    stream.endTold(event)
  }
}

extension Ended {
  init(_ record: JournalRecord) {
    self.init(
      first: record.word(at: 0), last: record.word(at: 8), delivered: record.word(at: 16),
      unheardBy: record.word(at: 24))
  }
}
