// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The first difference between what happened and what the journal has.
struct Difference {
  let field: Field
  let position: UInt64
  /// The first byte of the payload that differs.
  let offset: Int
  let expected: QueuedEvent.Pointer?
  let actual: QueuedEvent.Pointer?
  /// Written when everything that was sent has been delivered.
  var message: Name?
  var chain: UnsafeMutablePointer<UInt64>?
  var chainCount = 0

  /// The numbers in the header.
  enum Field: UInt32 {
    case missing = 1
    case extra = 2
    case type = 3
    case origin = 4
    case cause = 5
    case correlation = 6
    case answers = 7
    case flags = 8
    case status = 9
    case payload = 10
    case digest = 11
  }

  func free() {
    QueuedEvent.free(expected)
    QueuedEvent.free(actual)
    Memory.free(chain)
    message?.free()
  }
}

extension Replay {
  /// Stops the replay at a difference.
  ///
  /// - Parameters:
  ///   - expected: What the journal has; taken over.
  ///   - actual: What happened instead; copied.
  mutating func differ(
    _ field: Difference.Field, at position: UInt64, expected: QueuedEvent.Pointer?,
    actual: UnsafeMutablePointer<mainstem_event>?, offset: Int = 0
  ) {
    guard difference == nil else { return QueuedEvent.free(expected) }
    let copy = actual.flatMap { Replay.copy($0) }
    difference = Difference(
      field: field, position: position, offset: offset, expected: expected, actual: copy)
    provesNoMore(after: position &- 1)
  }

  /// A copy of what happened, for the host. A secret's payload is left out.
  private static func copy(_ event: UnsafeMutablePointer<mainstem_event>) -> QueuedEvent.Pointer? {
    var shown = event.pointee
    (shown.context, shown.reply) = (nil, 0)
    // Only the bytes are shown, as of what the journal has.
    shown.flags &= ~UInt32(MAINSTEM_EVENT_LIST)
    if shown.flags & UInt32(MAINSTEM_EVENT_SECRET) != 0 {
      (shown.size, shown.status, shown.data) = (0, 0, Draft.nothing)
    }
    return QueuedEvent.make(copying: &shown)
  }

  /// Writes the message and follows the causes. No lock held, nothing being delivered.
  mutating func explain() {
    guard var found = difference, found.message == nil else { return }
    found.message = stream.locked { message(found) }
    findChain(&found)
    difference = found
  }

  /// How many positions to search for a chain: their causes are kept meanwhile.
  private static var longestLook: UInt64 { 1 << 22 }
  private static var longestChain: Int { 64 }

  /// Finds the positions from the differing event's cause back to the outside event.
  private func findChain(_ found: inout Difference) {
    var cause =
      found.actual?.pointee.event.cause ?? found.expected?.pointee.event.cause ?? found.position
    guard cause > from, cause &- from <= Self.longestLook,
      let causes = causes(upTo: cause),
      let chain = Memory.allocate(UInt64.self, count: Self.longestChain)
    else { return }
    while cause > from, found.chainCount < Self.longestChain {
      chain[found.chainCount] = cause
      found.chainCount &+= 1
      let next = causes[Int(cause &- from &- 1)]
      guard next < cause else { break }
      cause = next
    }
    Memory.free(causes)
    found.chain = chain
  }

  /// The causes of all positions of the replay up to `last`.
  private func causes(upTo last: UInt64) -> UnsafeMutablePointer<UInt64>? {
    let count = Int(last &- from)
    guard let causes = Memory.allocate(UInt64.self, count: count) else { return nil }
    causes.initialize(repeating: 0, count: count)
    source.eachCause(upTo: last) { position, cause in
      if position > from, position &- from <= UInt64(count) {
        causes[Int(position &- from &- 1)] = cause
      }
    }
    return causes
  }
}

/// The report of a verification, for whoever started the program: one line of JSON.
extension Replay {
  /// Refuses to verify if the environment asks for a report that cannot be written.
  static func demandReport(_ options: Options) throws(Refusal) {
    guard options.verifies, let path = mainstem_p_report_path(),
      mainstem_p_append(path, nil, 0) == 0
    else { return }
    throw Refusal(
      .io, "MAINSTEM_VERIFY_REPORT", "cannot be written by this process",
      .name(Bytes(zeroEnded: path)))
  }

  /// Appends the line to the file that the environment names: at a difference, else at the end.
  mutating func report() {
    guard options.verifies, !isReported, let path = mainstem_p_report_path() else { return }
    isReported = true
    let length = stream.locked { write(nil) }
    guard let line = Memory.allocate(UInt8.self, count: length &+ 1) else { return }
    _ = stream.locked { write(line) }
    line[length] = 0x0A
    _ = mainstem_p_append(path, line, length &+ 1)
    Memory.free(line)
  }

  /// Writes the line into memory, or measures it. Under the lock.
  private mutating func write(_ memory: UnsafeMutableRawPointer?) -> Int {
    show()
    var line = JSONWriter(memory)
    line.open()
    line.member("first", unsigned: shown.first)
    line.member("last", unsigned: shown.last)
    line.member("position", unsigned: shown.position)
    line.member("verified", unsigned: shown.verified_until)
    line.member("matched", unsigned: shown.matched)
    line.member("ended", unsigned: hasEnded ? 1 : 0)
    if let difference {
      line.member("field", unsigned: UInt64(difference.field.rawValue))
      line.member("at", unsigned: difference.position)
      line.member("message", difference.message?.bytes ?? Bytes(""))
      if let actual = difference.actual { write(actual, to: &line) }
    } else if let failure {
      line.member("at", unsigned: failure.number)
      line.member("message", failure.reason.bytes)
    }
    line.close()
    return line.length
  }

  /// What happened instead: what the journal has is in the journal.
  private func write(_ actual: QueuedEvent.Pointer, to line: inout JSONWriter) {
    let event = actual.pointee.event
    line.member("type", typeName(of: actual))
    line.member("contract", unsigned: stream.contract(of: event.type).bits)
    line.member("origin", originName(of: actual))
    line.member("cause", unsigned: event.cause)
    line.member("correlation", unsigned: event.correlation)
    line.member("answers", unsigned: event.answers)
    line.member("flags", unsigned: UInt64(event.flags))
    line.member("status", Int64(event.status))
    line.member("payload", hex: Bytes(event.data, Int(event.size)))
  }
}

/// The message. Under the lock.
extension Replay {
  private func message(_ found: Difference) -> Name? {
    var text = Text()
    guard let shown = found.actual ?? found.expected else {
      text.add("#")
      text.add(found.position)
      text.add(": the digest of all events up to here is not the journal's")
      return text.name
    }
    text.add("#")
    text.add(found.position)
    text.add(" ")
    text.add(name: typeName(of: shown))
    text.add(": ")
    switch found.field {
    case .missing: text.add("is in the journal and did not happen")
    case .extra: addExtra(shown, to: &text)
    default: addField(found, to: &text)
    }
    return text.name
  }

  private func addExtra(_ extra: QueuedEvent.Pointer, to text: inout Text) {
    text.add("happened and is not in the journal: sent through ")
    text.add(quoting: originName(of: extra))
    text.add(", caused by #")
    text.add(extra.pointee.event.cause)
  }

  private func addField(_ found: Difference, to text: inout Text) {
    guard let was = found.expected, let here = found.actual else { return }
    switch found.field {
    case .type:
      text.add("the journal has a ")
      text.add(name: typeName(of: was))
    case .origin:
      text.add("origin is ")
      text.add(quoting: originName(of: here))
      text.add(", in the journal ")
      text.add(quoting: originName(of: was))
    case .cause: add("cause", here.pointee.event.cause, was.pointee.event.cause, to: &text)
    case .correlation:
      add("correlation", here.pointee.event.correlation, was.pointee.event.correlation, to: &text)
    case .answers:
      add("answers", here.pointee.event.answers, was.pointee.event.answers, to: &text)
    case .flags:
      add(
        "flags", UInt64(here.pointee.event.flags & 6), UInt64(was.pointee.event.flags & 6),
        to: &text)
    case .status:
      text.add("status is ")
      text.add(status: here.pointee.event.status)
      text.add(", in the journal ")
      text.add(status: was.pointee.event.status)
    case _ where was.pointee.event.isBare:
      text.add("the journal has the digest of another payload than ")
      add(payloadOf: here, 0, to: &text)
    default: addPayload(here, was, at: found.offset, to: &text)
    }
  }

  /// A scalar is shown as one; of anything else, what lies around the first byte that differs.
  private func addPayload(
    _ here: QueuedEvent.Pointer, _ was: QueuedEvent.Pointer, at offset: Int, to text: inout Text
  ) {
    let contract = stream.contract(of: here.pointee.event.type)
    guard !contract.isSecret, let new = Scalar(of: QueuedEvent.event(of: here), contract),
      let old = Scalar(of: QueuedEvent.event(of: was), contract),
      !(new.number.isNaN && old.number.isNaN)
    else {
      text.add("payload differs at byte ")
      text.add(UInt64(offset))
      text.add(": ")
      add(payloadOf: here, offset, to: &text)
      text.add(", in the journal ")
      return add(payloadOf: was, offset, to: &text)
    }
    text.add("payload is ")
    new.withText { text.add($0) }
    text.add(", in the journal ")
    old.withText { text.add($0) }
  }

  private func add(
    _ field: Phrase, _ here: UInt64, _ was: UInt64, to text: inout Text
  ) {
    text.add(field)
    text.add(" is ")
    text.add(here)
    text.add(", in the journal ")
    text.add(was)
  }

  /// Adds the payload around an offset. A secret's payload is not shown.
  private func add(payloadOf queued: QueuedEvent.Pointer, _ offset: Int, to text: inout Text) {
    let event = queued.pointee.event
    guard !stream.contract(of: event.type).isSecret else { return text.add("a secret") }
    let size = Int(event.size)
    let start = max(0, min(offset, size) &- 16)
    text.add(quoting: Bytes(event.data + start, min(32, size &- start)))
    text.add(" (")
    text.add(UInt64(size))
    text.add(size == 1 ? " byte)" : " bytes)")
  }

  private func typeName(of queued: QueuedEvent.Pointer) -> Bytes {
    stream.state.pointee.types[queued.pointee.event.type]?.name.bytes ?? Bytes("?")
  }

  private func originName(of queued: QueuedEvent.Pointer) -> Bytes {
    stream.state.pointee.scopes.describe(queued.pointee.event.origin)?.name ?? Bytes("?")
  }
}

/// A text being built, cut at its capacity.
private struct Text: ~Copyable {
  private static var capacity: Int { 1024 }
  private let memory = Memory.allocate(UInt8.self, count: Text.capacity)
  private var length = 0

  deinit { Memory.free(memory) }

  var name: Name? {
    guard let memory else { return nil }
    return Name(copying: Bytes(memory, length))
  }

  mutating func add(_ bytes: Bytes) {
    var index = 0
    while index < bytes.count {
      add(bytes[index])
      index &+= 1
    }
  }

  @inline(never)
  mutating func add(_ text: Phrase) { add(text.bytes) }

  mutating func add(_ number: UInt64) {
    var divisor: UInt64 = 1
    while number / divisor >= 10 { divisor &*= 10 }
    while divisor > 0 {
      add(UInt8(truncatingIfNeeded: 0x30 &+ number / divisor % 10))
      divisor /= 10
    }
  }

  mutating func add(status: Int32) {
    guard let known = Status(rawValue: status) else {
      return Scalar.integer(Int64(status)).withText { add($0) }
    }
    add(known.name)
  }

  /// Adds a name as an event's line shows it.
  mutating func add(name: Bytes) {
    var index = 0
    while index < name.count {
      let scalar = name.lengthOfScalar(at: index)
      if let escape = name.escape(at: index, scalar) {
        escape.write { add($0) }
      } else {
        add(Bytes(name.start + index, max(scalar, 1)))
      }
      index &+= max(scalar, 1)
    }
  }

  /// Adds bytes between backticks, with everything but plain ASCII as \xNN.
  mutating func add(quoting bytes: Bytes) {
    add("`")
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte >= 0x20, byte < 0x7F, byte != 0x60 {
        add(byte)
      } else {
        add("\\x")
        add(hexDigit: byte >> 4)
        add(hexDigit: byte & 15)
      }
      index &+= 1
    }
    add("`")
  }

  private mutating func add(hexDigit: UInt8) {
    add(hexDigit < 10 ? 0x30 &+ hexDigit : 0x57 &+ hexDigit)
  }

  private mutating func add(_ byte: UInt8) {
    guard length < Text.capacity, let memory else { return }
    memory[length] = byte
    length &+= 1
  }
}

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
