// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The source of a replay's events: a journal's records, with the numbers that types and origins have in the context.
package struct ReplaySource: ~Copyable {
  private var reader: JournalReader
  private let stream: Stream
  private let options: Replay.Options
  /// The session it begins with, and its first and last position.
  package private(set) var session = JournalReader.Session()
  package private(set) var first: UInt64 = 0
  package private(set) var last: UInt64 = 0
  /// When that session began, by the clock of its events.
  package private(set) var time: Int64 = 0
  /// Whether the last record says that the context was closed. Otherwise more may have happened than was written.
  package private(set) var isWhole = false
  /// When a callback first found the context closing.
  private(set) var closing = Closing()
  /// The version of the journal's format.
  package var version: UInt32 { reader.version }
  /// Whether callbacks were refused anything, for any reason that the journal tells.
  private(set) var hasRefused = false
  /// Records that were read and are not used yet.
  private var ahead = EventQueue()
  /// The numbers that the session being read has used so far.
  private var numbers: ReplayNumbers
  /// The session being read, counted from 1.
  private var reading: UInt64 = 0
  private var isAtEnd = false
  /// Whether this is only a first pass.
  private var isSurvey = false
  /// Reads further ahead, once that is needed.
  var scout: ReplayScout?
  /// What the host ended, in order.
  var ended = Passed<Ended>()
  /// What first shows were refused.
  var refusedShows = Passed<Refused>()

  private init(_ reader: consuming JournalReader, _ stream: Stream, _ options: Replay.Options) {
    self.reader = reader
    self.stream = stream
    self.options = options
    numbers = ReplayNumbers(in: stream)
  }

  deinit { QueuedEvent.freeAll(ahead.first) }

  /// Marks the origins that it may still feed. Under the lock.
  func markOrigins() -> Int {
    numbers.markOrigins() &+ ahead.each { stream.markOrigin(of: $0) }
  }

  /// The limit to a context's positions.
  private static var mostPositions: UInt64 { 1 << 56 }

  /// Opens a journal twice: once to see that it is intact and to register its types and layers in their order, once to
  /// feed it. To find the newest session, it is read through once more before that.
  package static func open(
    _ path: UnsafePointer<CChar>?, _ stream: Stream, _ given: Replay.Options
  ) throws(Refusal) -> ReplaySource {
    var options = given
    if options.verifies, options.session == 0 { options.session = try newestSession(of: path) }
    var survey = ReplaySource(try JournalReader.open(path), stream, options)
    survey.isSurvey = true
    try survey.lookThrough()
    var source = ReplaySource(try JournalReader.open(path), stream, options)
    source.session = survey.session
    source.first = survey.first
    source.last = survey.last
    source.time = survey.time
    source.isWhole = survey.isWhole
    source.closing = survey.closing
    source.hasRefused = survey.hasRefused
    swap(&source.ended, &survey.ended)
    swap(&source.refusedShows, &survey.refusedShows)
    return source
  }

  /// The last session of a journal, counted from 1.
  private static func newestSession(of path: UnsafePointer<CChar>?) throws(Refusal) -> UInt64 {
    var reader = try JournalReader.open(path)
    var newest: UInt64 = 0
    while let record = try reader.next() {
      guard !record.isEvent, record.kind == RecordFormat.Kind.session else { continue }
      if !reader.session.continues || newest == 0 { newest &+= 1 }
    }
    return max(newest, 1)
  }

  /// The session to verify or to feed; 0: all of them.
  private var only: UInt64 { options.session }

  private var isWanted: Bool { only == 0 || only == reading }

  /// The number that a type of the context has in the journal; 0: the journal does not have it.
  package func typeThere(_ type: UInt32) -> UInt32 { numbers.typeThere(type) }

  private mutating func lookThrough() throws(Refusal) {
    var isFound = false
    while let record = try reader.next() {
      if !record.isEvent { try takeNames(record) }
      guard isWanted else { continue }
      if !isFound {
        session = reader.session
        first = reader.progress.last &+ (record.isEvent ? 0 : 1)
        time = record.header.pointee.time
        isFound = true
        guard !options.verifies || !session.continues else {
          throw Refusal(
            .unsupported, "path",
            "begins in the middle of a session: what servers knew by then is not in it")
        }
      }
      last = reader.progress.last
      isWhole = reader.progress.isEnded
      guard !record.isEvent else { continue }
      if record.kind == RecordFormat.Kind.closing { closing = Closing(record) }
      hasRefused = hasRefused || record.tellsRefusal
      if options.verifies { try takeEarly(record) }
    }
    if !isFound, only == 0 {
      (first, last) = (reader.progress.last &+ 1, reader.progress.last)
    } else if !isFound {
      throw Refusal(.invalid, "options.session", "is beyond the last session of this journal")
    }
    guard last < Self.mostPositions else {
      throw Refusal(.corrupt, "path", "has positions higher than any context reaches")
    }
  }
}

extension ReplaySource {
  /// The next record, which stays in place; nil at the end. A record that is not an event has type 0, and its kind as
  /// status.
  package mutating func next() throws(Refusal) -> QueuedEvent.Pointer? {
    if ahead.first == nil { _ = try readOn() }
    return ahead.first
  }

  /// Takes out the next record; its memory becomes the caller's.
  package mutating func take() -> QueuedEvent.Pointer? { ahead.takeFirst() }

  /// The last of the next inputs that come before what a callback is about to send: see `ReplayScout`.
  mutating func inputs(before cause: UInt64, answerTo request: UInt64) throws(Refusal) -> UInt64 {
    guard let position = try nextInput() else { return 0 }
    try sendScout()
    return try scout?.inputs(from: position, before: cause, answerTo: request) ?? 0
  }

  /// The last input accepted at an event's read point with this number; 0: none is left.
  mutating func readPoint(of event: UInt64, _ number: UInt64) throws(Refusal) -> UInt64 {
    guard let position = try nextInput() else { return 0 }
    try sendScout()
    return try scout?.readPoint(from: position, of: event, number) ?? 0
  }

  /// The position of the next event, if that is an input, kept or not.
  private mutating func nextInput() throws(Refusal) -> UInt64? {
    guard let next = try next() else { return nil }
    if next.skipsInputs { return next.firstWord }
    let event = next.pointee.event
    return event.type != 0 && event.isInput ? event.position : nil
  }

  /// The recorded refusal of attempt `number` by an event's callbacks, with `last` the last accepted position so far:
  /// see `Refused.bits`; 0: none.
  mutating func refused(
    after last: UInt64, _ event: UInt64, _ number: UInt64
  ) throws(Refusal) -> UInt64 {
    guard event != 0 else { return refusedShow(number) }
    guard hasRefused else { return 0 }
    try sendScout()
    return try scout?.refused(from: last &+ 1, of: event, number) ?? 0
  }

  /// The position of the first output after another position.
  mutating func nextOutput(after position: UInt64) throws(Refusal) -> UInt64 {
    try sendScout()
    return try scout?.nextOutput(from: position &+ 1) ?? .max
  }

  /// The payload of the core's answer to a request that no server got: see `ReplayScout`.
  mutating func unhandled(
    after last: UInt64, _ request: UInt64, _ response: UInt32
  ) throws(Refusal) -> Bytes? {
    try sendScout()
    // What has read less of the journal may not know the type's number yet.
    let isKept = stream.contract(of: response).recordMode != .none
    let name = isKept ? stream.locked { stream.state.pointee.types[response]?.name.bytes } : nil
    return try scout?.unhandled(from: last &+ 1, request, name)
  }

  mutating func sendScout() throws(Refusal) {
    guard scout == nil else { return }
    scout = ReplayScout(try JournalReader.open(reader.path.text), session: only)
  }

  /// Visits the causes of the events up to a position, in a reading of its own. What cannot be read is left out.
  func eachCause(upTo last: UInt64, _ visit: (UInt64, UInt64) -> Void) {
    guard var again = try? JournalReader.open(reader.path.text) else { return }
    while again.progress.last < last, let record = try? again.next() {
      if record.isEvent { visit(record.position, record.header.pointee.cause) }
    }
  }

  /// Takes the names that a record gives to numbers; a session begins without any.
  private mutating func takeNames(_ record: JournalRecord) throws(Refusal) {
    switch record.kind {
    case RecordFormat.Kind.session where !reader.session.continues || reading == 0:
      // What waits of the session wanted still needs its names.
      if only == 0 || reading != only { numbers.clear() }
      reading &+= 1
    case RecordFormat.Kind.session where isWanted: numbers.goOn()
    case RecordFormat.Kind.type where isWanted:
      try numbers.takeType(record.half(at: 0), from: reader)
    case RecordFormat.Kind.layer where isWanted:
      try numbers.takeLayer(record.half(at: 0), from: reader)
    case RecordFormat.Kind.origin where isWanted && !isSurvey:
      try numbers.takeOrigin(record, from: reader)
    default: break
    }
  }

  /// Reads up to the next record that matters; false at the end.
  private mutating func readOn() throws(Refusal) -> Bool {
    while !isAtEnd {
      guard let record = try reader.next() else {
        isAtEnd = true
        return false
      }
      if !record.isEvent { try takeNames(record) }
      guard only == 0 || reading <= only, reader.progress.last < Self.mostPositions else {
        isAtEnd = true
        return false
      }
      guard isWanted else { continue }
      if record.isEvent {
        ahead.append(try event(record))
        return true
      }
      if let queued = try other(record) {
        ahead.append(queued)
        return true
      }
    }
    return false
  }

  /// The record of a kind that a replay needs, if it is not an event.
  private func other(_ record: JournalRecord) throws(Refusal) -> QueuedEvent.Pointer? {
    switch record.kind {
    case RecordFormat.Kind.session, RecordFormat.Kind.digest, RecordFormat.Kind.skipped,
      RecordFormat.Kind.end:
      break
    case RecordFormat.Kind.list where !options.verifies: return try list(record)
    default: return nil
    }
    guard let queued = QueuedEvent.make(capacity: 24) else { throw .noMemory }
    queued.pointee.event = record.event
    queued.pointee.event.type = 0
    let words = QueuedEvent.payload(of: queued)
    words.storeBytes(of: record.word(at: 0), as: UInt64.self)
    words.storeBytes(of: record.word(at: 8), toByteOffset: 8, as: UInt64.self)
    words.storeBytes(of: record.skippedCause ?? .max, toByteOffset: 16, as: UInt64.self)
    queued.pointee.event.data = UnsafeRawPointer(words)
    return queued
  }

  /// A list with its numbers in this context.
  private func list(_ record: JournalRecord) throws(Refusal) -> QueuedEvent.Pointer {
    guard let list = WholeList(record), let type = numbers.type(list.type),
      let origin = numbers.origin(list.origin)
    else { throw reader.unsound("is followed by a list whose type or origin has no name") }
    let contract = stream.contract(of: type)
    guard contract.isList, list.changes.areSound(contract), list.changes.isReset else {
      throw reader.unsound("is followed by a list whose rows do not fit its type")
    }
    var event = record.event
    (event.type, event.user_message) = (0, Draft.nothing.assumingMemoryBound(to: CChar.self))
    guard let queued = QueuedEvent.make(copying: &event) else { throw .noMemory }
    queued.pointee.event.origin = origin
    queued.pointee.event.answers = UInt64(type)
    return queued
  }

  /// An event with its numbers in this context.
  @_optimize(speed)
  private func event(_ record: JournalRecord) throws(Refusal) -> QueuedEvent.Pointer {
    var event = record.event
    guard let type = numbers.type(event.type), let origin = numbers.origin(event.origin) else {
      throw reader.unsound("is followed by an event whose type or origin has no name")
    }
    event.type = type
    event.origin = origin
    let contract = stream.contract(of: type)
    event.flags |= contract.flags
    guard
      event.status != 0 || event.isBare
        || (contract.isList
          ? ListChanges(Bytes(event.data, Int(event.size))).areSound(contract)
          : contract.admits(event.data, Int(event.size)))
    else { throw reader.unsound("is followed by an event whose payload does not fit its type") }
    guard let queued = QueuedEvent.make(copying: &event) else { throw .noMemory }
    return queued
  }
}

extension JournalReader {
  /// Refuses a journal whose records do not fit together, naming the last position before.
  func unsound(_ reason: Phrase) -> Refusal {
    Refusal(.corrupt, "journal", reason, .number(progress.last))
  }
}

extension mainstem_event {
  /// Whether only position, type, cause and flags of the event were kept.
  var isBare: Bool { flags & JournalRecord.withoutPayload != 0 }
  var isInput: Bool { flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 }
}

/// What is taken from all of a session before its first event is fed.
extension ReplaySource {
  /// Takes what the host ended, and what first shows were refused.
  mutating func takeEarly(_ record: JournalRecord) throws(Refusal) {
    switch record.kind {
    case RecordFormat.Kind.ended: try ended.append(Ended(record))
    case RecordFormat.Kind.refusedShow where record.size >= 40:
      try refusedShows.append(
        Refused(
          event: 0, number: record.word(at: 8), count: record.word(at: 16),
          accepted: record.word(at: 24), status: Int32(bitPattern: record.half(at: 32)),
          lack: record.half(at: 36)))
    default: break
    }
  }

  /// The recorded refusal of an attempt by a first show that no event has caused: see `Refused.bits`; 0: none.
  func refusedShow(_ number: UInt64) -> UInt64 {
    let found = refusedShows.first { $0.number <= number && number &- $0.number < $0.count }
    return found?.bits ?? 0
  }
}

/// When a callback first found the recorded context closing.
struct Closing {
  /// The callback: see `callbackKey`.
  private var callback = UInt64.max
  /// The number of its event's read points by then.
  private(set) var number = UInt64.max
  /// The last position accepted then.
  private(set) var accepted = UInt64.max
  /// The last position that had been delivered then, or was being delivered; before 0.11, only the last one in the
  /// journal: what comes behind it was delivered later.
  private var delivered = UInt64.max

  /// The context was not closing.
  init() {}

  init(_ record: JournalRecord) {
    number = record.word(at: 8)
    accepted = record.word(at: 16)
    delivered = min(record.position, record.size >= 32 ? record.word(at: 24) : .max)
    let isLate = number >= CallbackCount.firstLate
    callback = record.word(at: 0) | (isLate ? CallbackCount.late : 0)
  }

  /// Whether a callback runs after that one, as far as its event and what has been delivered by now tell. Late events
  /// come between two others: what has been delivered tells when, their own positions do not.
  func isBefore(_ other: UInt64, delivered now: @autoclosure () -> UInt64) -> Bool {
    let isOtherLate = other & CallbackCount.late != 0
    guard isLate || isOtherLate else { return other > callback }
    guard isLate else { return now() >= callback }
    return (isOtherLate ? now() : other) > min(accepted, delivered)
  }

  /// Whether a callback may be that one, so that its numbers tell. Those that get late events share theirs.
  func mayBe(_ other: UInt64) -> Bool {
    isLate ? other & CallbackCount.late != 0 : other == callback
  }

  private var isLate: Bool { callback != .max && callback & CallbackCount.late != 0 }
}
