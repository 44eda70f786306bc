// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Reads ahead of a verification, as far as the next output, and remembers of what lies between which inputs
/// answer a request. It only goes forward, so all its reading together is the journal once.
struct ReplayScout: ~Copyable {
  private struct Answer {
    let position: UInt64
    let request: UInt64
  }

  private var reader: JournalReader
  /// The session that is read, and the one that is wanted, counted from 1.
  private var reading: UInt64 = 0
  private let wanted: UInt64
  /// The next output: where, and of what cause; or where something stands that is neither.
  private var output: (position: UInt64, cause: UInt64)?
  /// Answers from outside before it, in order; those before `firstAnswer` are not of interest any more.
  private var answers: UnsafeMutablePointer<Answer>?
  private var capacity = 0
  private var count = 0
  private var firstAnswer = 0

  init(_ reader: consuming JournalReader, session wanted: UInt64) {
    self.reader = reader
    self.wanted = wanted
  }

  deinit { Memory.free(answers) }

  /// Up to which position the inputs from one on come before an output that a callback is about to send;
  /// 0: none of them do.
  ///
  /// - Parameters:
  ///   - position: The next position; an input has it.
  ///   - cause: The position of the callback's event: where the next output has the same, what is before it
  ///     comes first.
  ///   - request: The request that the callback is about to answer: what answers it comes first; 0: none.
  mutating func inputs(
    from position: UInt64, before cause: UInt64, answerTo request: UInt64
  ) throws(Refusal) -> UInt64 {
    while (output?.position ?? 0) < position { try goOn() }
    guard let output else { return 0 }
    while firstAnswer < count, let answers, answers[firstAnswer].position < position {
      firstAnswer &+= 1
    }
    if output.cause == cause { return output.position &- 1 }
    guard request != 0, let answers else { return 0 }
    var index = firstAnswer
    while index < count, answers[index].position < output.position {
      if answers[index].request == request { return answers[index].position }
      index &+= 1
    }
    return 0
  }

  /// Reads one record more.
  private mutating func goOn() throws(Refusal) {
    guard let record = try reader.next() else { return end() }
    guard record.isEvent else {
      if record.kind == RecordFormat.Kind.session, !reader.session.continues || reading == 0 {
        reading &+= 1
        if reading > wanted { end() }
      } else if record.kind == RecordFormat.Kind.skipped, reading == wanted {
        output = (record.word(at: 8), .max)
      }
      return
    }
    guard reading == wanted else { return }
    let header = record.header.pointee
    guard header.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 else {
      return output = (header.position, header.cause)
    }
    if header.answers != 0, header.flags & UInt32(MAINSTEM_EVENT_PROGRESS) == 0 {
      try note(Answer(position: header.position, request: header.answers))
    }
  }

  /// There is no output any more.
  private mutating func end() { output = (.max, .max) }

  private mutating func note(_ answer: Answer) throws(Refusal) {
    if firstAnswer == count { (firstAnswer, count) = (0, 0) }
    if count == capacity {
      let wider = capacity == 0 ? 64 : capacity &* 2
      guard let fresh = Memory.allocate(Answer.self, count: wider) else { throw .noMemory }
      if let answers { fresh.moveInitialize(from: answers, count: count) }
      Memory.free(answers)
      (answers, capacity) = (fresh, wider)
    }
    answers?[count] = answer
    count &+= 1
  }
}
