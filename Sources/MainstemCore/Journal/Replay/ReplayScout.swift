// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Reads ahead of a verification, as far as the next output. It remembers which inputs on the way answer a request, and
/// the read points and refusals of callbacks. It only moves forward, so altogether it reads the journal once.
struct ReplayScout: ~Copyable {
  private struct Answer {
    let position: UInt64
    let request: UInt64
  }

  private struct Refused {
    let event: UInt64
    let number: UInt64
    let count: UInt64
    let accepted: UInt64
    let bits: UInt64
  }

  private struct ReadPoint {
    let event: UInt64
    let number: UInt64
    let accepted: UInt64
  }

  /// The next output, or a range of outputs that are not kept, with its cause; or skipped positions of which nothing
  /// else is known.
  private struct Output {
    let first: UInt64
    let last: UInt64
    let cause: UInt64
    /// Its type in the journal, and its payload if that was kept; 0: unknown.
    var type: UInt32 = 0
    var status: Int32 = 0
    var payload: Bytes?
  }

  private var reader: JournalReader
  /// The session being read and the session wanted, counted from 1.
  private var reading: UInt64 = 0
  private let wanted: UInt64
  private var output: Output?
  /// The answers from outside before that output, the read points of callbacks, and their refusals.
  private var answers = Passed<Answer>()
  private var readPoints = Passed<ReadPoint>()
  private var refused = Passed<Refused>()
  /// What callbacks found answered.
  private var early = Passed<AnsweredEarly>()

  init(_ reader: consuming JournalReader, session wanted: UInt64) {
    self.reader = reader
    self.wanted = wanted
  }

  /// The last of the inputs that come before an output which a callback is about to send; 0: there is none.
  ///
  /// - Parameters:
  ///   - position: The next position, which is an input's.
  ///   - cause: The position of the callback's event. If the next output has the same cause, everything before that
  ///     output comes first.
  ///   - request: The request that the callback is about to answer; 0: none. A recorded answer to it comes first, and
  ///     nothing behind that: the callback was too late then.
  mutating func inputs(
    from position: UInt64, before cause: UInt64, answerTo request: UInt64
  ) throws(Refusal) -> UInt64 {
    try goOn(to: position)
    guard let output else { return 0 }
    answers.forget { $0.position < position }
    if request != 0, let answer = answers.first(where: { $0.request == request }),
      answer.position < output.first
    {
      return answer.position
    }
    return output.cause == cause ? output.first &- 1 : 0
  }

  /// The last position accepted at an event's read point with this number; 0: nothing is recorded.
  ///
  /// - Parameter position: The next position, which is an input's.
  mutating func readPoint(
    from position: UInt64, of event: UInt64, _ number: UInt64
  ) throws(Refusal) -> UInt64 {
    try goOn(to: position)
    readPoints.forget { $0.accepted < event }
    return readPoints.first { $0.event == event && $0.number == number }?.accepted ?? 0
  }

  /// The payload of the core's answer to a request that no server got, if that is the next output; empty if it was not
  /// kept; nil: the next output is another one.
  ///
  /// - Parameters:
  ///   - position: The next position.
  ///   - response: The name of the answer's type; nil: a type whose events are not kept.
  mutating func unhandled(
    from position: UInt64, _ request: UInt64, _ response: Bytes?
  ) throws(Refusal) -> Bytes? {
    try goOn(to: position)
    guard let output, output.cause == request,
      reader.names.types.name(of: output.type) == response
    else { return nil }
    let isKept = output.status == Status.unhandled.rawValue
    return isKept ? output.payload ?? Bytes("") : Bytes("")
  }

  /// The position of the next output, from a position on.
  mutating func nextOutput(from position: UInt64) throws(Refusal) -> UInt64 {
    try goOn(to: position)
    return output.map { max($0.first, position) } ?? .max
  }

  /// The recorded refusal of attempt `number` by an event's callbacks: see `Refused.bits`; 0: none.
  ///
  /// - Parameter position: The next position.
  mutating func refused(
    from position: UInt64, of event: UInt64, _ number: UInt64
  ) throws(Refusal) -> UInt64 {
    try goOn(to: position)
    refused.forget { $0.accepted < event }
    let found = refused.first {
      $0.event == event && $0.number <= number && $0.number &+ $0.count > number
    }
    guard let found else { return 0 }
    refused.forget { $0.event == event && $0.number &+ $0.count == number &+ 1 }
    return found.bits
  }

  /// The next request that callbacks had found answered before the next output, each once; nil: none is left.
  ///
  /// - Parameters:
  ///   - position: The next position.
  ///   - event: The last event whose callbacks count.
  mutating func answered(from position: UInt64, until event: UInt64) throws(Refusal)
    -> AnsweredEarly?
  {
    let next = try nextOutput(from: position)
    guard let first = early.next, first.event <= event, first.accepted < next else { return nil }
    early.passNext()
    return first
  }

  /// Reads up to the next output from a position on.
  private mutating func goOn(to position: UInt64) throws(Refusal) {
    while (output?.last ?? 0) < position { try goOn() }
  }

  /// Reads one more record.
  private mutating func goOn() throws(Refusal) {
    guard let record = try reader.next() else { return end() }
    guard record.isEvent else { return try takeOther(record) }
    guard reading == wanted else { return }
    let header = record.header.pointee
    guard header.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 else {
      return output = Output(
        first: header.position, last: header.position, cause: header.cause, type: header.type,
        status: header.status, payload: Bytes(record.payload, record.size))
    }
    if header.answers != 0, header.flags & UInt32(MAINSTEM_EVENT_PROGRESS) == 0 {
      try answers.append(Answer(position: header.position, request: header.answers))
    }
  }

  private mutating func takeOther(_ record: JournalRecord) throws(Refusal) {
    switch record.kind {
    case RecordFormat.Kind.session where !reader.session.continues || reading == 0:
      reading &+= 1
      if reading > wanted { end() }
    case RecordFormat.Kind.skipped where reading == wanted && record.skippedCause != 0:
      output = Output(
        first: record.word(at: 0), last: record.word(at: 8), cause: record.skippedCause ?? .max)
    case RecordFormat.Kind.readPoint where reading == wanted:
      try readPoints.append(
        ReadPoint(
          event: record.word(at: 0), number: record.word(at: 8), accepted: record.word(at: 16)))
    case RecordFormat.Kind.refused where reading == wanted:
      try refused.append(
        Refused(
          event: record.word(at: 0), number: record.word(at: 8), count: record.word(at: 16),
          accepted: record.word(at: 24), bits: record.word(at: 32)))
    case RecordFormat.Kind.answered where reading == wanted: try early.append(AnsweredEarly(record))
    default: break
    }
  }

  /// Notes that there are no more outputs.
  private mutating func end() { output = Output(first: .max, last: .max, cause: .max) }
}

/// What was passed and may be asked for, in order.
struct Passed<Value>: ~Copyable {
  private var values: UnsafeMutablePointer<Value>?
  private var capacity = 0
  private var count = 0
  /// The index of the first value that may still matter.
  private var start = 0

  deinit { Memory.free(values) }

  mutating func append(_ value: Value) throws(Refusal) {
    if start == count { (start, count) = (0, 0) }
    if count == capacity { try widen() }
    (values.unsafelyUnwrapped + count).initialize(to: value)
    count &+= 1
  }

  /// Forgets the first values as long as they are useless.
  mutating func forget(_ isUseless: (Value) -> Bool) {
    while start < count, let values, isUseless(values[start]) { start &+= 1 }
  }

  /// The first value that may still matter.
  var next: Value? { start < count ? values?[start] : nil }

  /// Forgets that one.
  mutating func passNext() { start &+= 1 }

  func first(where fits: (Value) -> Bool) -> Value? {
    var index = start
    while index < count, let values {
      if fits(values[index]) { return values[index] }
      index &+= 1
    }
    return nil
  }

  private mutating func widen() throws(Refusal) {
    let wider = capacity == 0 ? 64 : capacity &* 2
    guard let fresh = Memory.allocate(Value.self, count: wider) else { throw .noMemory }
    if let values { fresh.moveInitialize(from: values, count: count) }
    Memory.free(values)
    (values, capacity) = (fresh, wider)
  }
}
