// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Why a call was refused: the status, and what the message says about it.
///
/// A value that is cheap to throw: the texts are static, and a name is copied into memory of the thread's, so that its
/// source may be freed before the message is written. Only one refusal at a time has a name.
package struct Refusal: Error {
  package let status: Status
  /// The argument at fault; empty if it is none in particular.
  package let argument: Phrase
  package let reason: Phrase
  /// What the reason is about: a name from the caller, or a number.
  package let subject: Subject

  package enum Subject: Sendable {
    case none
    case number(UInt64)
    /// The row of a table, counted from 0.
    case row(UInt64)
    case kept(KeptName)
  }

  package init(
    _ status: Status, _ argument: Phrase, _ reason: Phrase, _ subject: Subject = .none
  ) {
    self.status = status
    self.argument = argument
    self.reason = reason
    self.subject = subject
  }
}

extension Refusal.Subject {
  /// Copies a name; its source may be freed at once.
  package static func name(_ bytes: Bytes) -> Refusal.Subject { .kept(KeptName(bytes)) }
}

/// A name in memory of the thread's, owned by the thread's last refusal. Nothing else makes one.
package struct KeptName: Sendable {
  package let bytes: Bytes

  @inline(never)
  fileprivate init(_ bytes: Bytes) { self.bytes = SubjectWriter.keep(bytes) }
}

extension Refusal {
  /// The same refusal, naming a row of a table.
  package func inRow(_ index: Int) -> Refusal {
    let row: Subject =
      switch subject {
      case .none: .row(UInt64(index))
      case .kept(let name): .name(SubjectWriter.inRow(UInt64(index), name.bytes))
      default: subject
      }
    return Refusal(status, argument, reason, row)
  }

  package static func null(_ argument: Phrase) -> Refusal {
    Refusal(.invalid, argument, "must not be NULL")
  }

  package static var closed: Refusal { closed("context") }

  package static func closed(_ argument: Phrase) -> Refusal {
    Refusal(.stale, argument, "the context is closed: close it after the last call")
  }

  /// Of a handle that was live when it was looked up: by now either may be true.
  package static var ended: Refusal {
    Refusal(.stale, "", "the handle has ended, or its context is closed")
  }

  package static func wrongThread(_ argument: Phrase) -> Refusal {
    Refusal(
      .wrongThread, argument,
      """
      belongs to another thread: call from that thread, or create the context with \
      MAINSTEM_THREADS_ANY
      """)
  }

  /// Of a send: the one call that has a form for other threads.
  package static var wrongThreadToSend: Refusal {
    Refusal(
      .wrongThread, "context",
      "belongs to another thread: call from that thread, or send with mainstem_post")
  }

  /// Of a request. A callback on a serial scheduler can answer, but not ask: decision 0037.
  package static var wrongThreadToAsk: Refusal {
    Refusal(
      .wrongThread, "context",
      "belongs to another thread: ask on that thread and pass the answer on, or make it for any thread (MAINSTEM_THREADS_ANY)"
    )
  }

  package static var busy: Refusal {
    Refusal(
      .busy, "",
      """
      a call that waits is not allowed inside a callback of the context: call it when the callback \
      has returned
      """)
  }

  package static var notInCallback: Refusal {
    Refusal(
      .invalid, "event",
      "is not the event of a callback on this thread: call it inside the callback that got the event"
    )
  }

  package static var notAccepted: Refusal {
    Refusal(
      .cancelled, "context", "is replaying a journal, which has what followed: this is left out")
  }

  package static var replays: Refusal {
    Refusal(
      .busy, "context", "is replaying a journal, which alone feeds it: close the replay first")
  }

  package static func noType(_ type: UInt32) -> Refusal {
    Refusal(
      .invalid, "type",
      "is not a registered event type: pass a number from this context's mainstem_type_add",
      .number(UInt64(type)))
  }
}

/// A text of the library's own, for a message: one word, where a `StaticString` has three. A refusal holds two texts, and
/// most functions contain code that passes one on, word by word.
package struct Phrase: @unchecked Sendable {  // a constant: read only, and always there
  /// The text, zero-terminated.
  package let text: UnsafePointer<CChar>
}

extension Phrase: ExpressibleByStringLiteral {
  @inline(__always)
  package init(stringLiteral literal: StaticString) {
    text = UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

extension Phrase {
  package var bytes: Bytes { Bytes(zeroEnded: text) }
}

/// The result of a call; the numbers are those of the C header.
package enum Status: Int32, Sendable {
  case ok = 0
  case invalid = 1
  case stale = 2
  case wrongKind = 3
  case wrongThread = 4
  case busy = 5
  case denied = 6
  case tooBig = 7
  case full = 8
  case limit = 9
  case noMemory = 10
  case unhandled = 11
  case timeout = 12
  case cancelled = 13
  case interrupted = 14
  case withheld = 15
  case forked = 16
  case unsupported = 17
  case incomplete = 18
  case io = 19
  case noSpace = 20
  case locked = 21
  case corrupt = 22
  case poisoned = 23
  case version = 24
  case different = 25
  case unset = 26
  case disabled = 27
  case executing = 28
  case badURL = 29
  case noRoute = 30
}

extension Status {
  /// Whether it is what a call was asked to find out, and no failure: that a wait ended without an event, that a value
  /// is unset, that a command does not run now, or that no route matches.
  package var isAnAnswer: Bool {
    switch self {
    case .timeout, .interrupted, .unset, .disabled, .executing, .noRoute: true
    default: false
    }
  }

  /// The first of the app's own codes.
  package static var firstOfApp: Int32 { 1000 }

  /// The name in the header, without its prefix.
  package var name: Phrase {
    switch self {
    case .ok: "OK"
    case .invalid: "INVALID"
    case .stale: "STALE"
    case .wrongKind: "WRONG_KIND"
    case .wrongThread: "WRONG_THREAD"
    case .busy: "BUSY"
    case .denied: "DENIED"
    case .tooBig: "TOO_BIG"
    case .full: "FULL"
    case .limit: "LIMIT"
    case .noMemory: "NO_MEMORY"
    case .unhandled: "UNHANDLED"
    case .timeout: "TIMEOUT"
    case .cancelled: "CANCELLED"
    case .interrupted: "INTERRUPTED"
    case .withheld: "WITHHELD"
    case .forked: "FORKED"
    case .unsupported: "UNSUPPORTED"
    case .incomplete: "INCOMPLETE"
    case .io: "IO"
    case .noSpace: "NO_SPACE"
    case .locked: "LOCKED"
    case .corrupt: "CORRUPT"
    case .poisoned: "POISONED"
    case .version: "VERSION"
    case .different: "DIFFERENT"
    case .unset: "UNSET"
    case .disabled: "DISABLED"
    case .executing: "EXECUTING"
    case .badURL: "BAD_URL"
    case .noRoute: "NO_ROUTE"
    }
  }
}

/// What a refused call lacked and the program cannot know: how much was waiting, how much memory and disk was left. The
/// numbers are part of the journal format: docs/journal-format.md, "refused".
package enum Lack: UInt32, Sendable {
  /// Room in the stream, or in the inbox.
  case room = 1
  /// Room in the queue of a scheduled observer.
  case queue = 2
  /// Room for a step of progress.
  case steps = 3
  case memory = 4
  /// The ability to record.
  case journal = 5
  /// Causes that an event may still have.
  case causes = 6
  /// Observers that a scope may still have.
  case observers = 7
  case handles = 8
  /// A shared request that still waits for its answer, in a context that is still open.
  case openRequest = 9

  /// The status that the call returns.
  package var status: Status {
    switch self {
    case .room, .queue, .steps: .full
    case .memory: .noMemory
    case .journal: .io
    case .causes, .observers, .handles: .limit
    case .openRequest: .stale
    }
  }

  /// What a refused call lacked, according to its message; nil: it was refused for another reason.
  package init?(_ refusal: Refusal) {
    switch refusal.status {
    case .noSpace, .poisoned, .io: self = .journal
    case .full, .limit, .noMemory:
      var number: UInt32 = 1
      while let lack = Lack(rawValue: number) {
        let same = Refusal.lacking(lack)
        if same.status == refusal.status, same.reason.bytes == refusal.reason.bytes {
          self = lack
          return
        }
        number &+= 1
      }
      return nil
    default: return nil
    }
  }

  /// Whether the caller knows more about it than the number says: whose limit it is.
  package var isOfCaller: Bool { self == .causes || self == .observers }
}

extension Refusal {
  /// Refuses a call for lack of something.
  package static func lacking(_ lack: Lack) -> Refusal {
    let (argument, reason): (Phrase, Phrase) =
      switch lack {
      case .room: ("context", "its queue is full: drain it, or raise its limits")
      case .queue:
        ("", "the queue of a scheduled observer is full: drain it, or give it another policy")
      case .steps: ("event", "has 1,024 steps of progress waiting: report fewer")
      case .memory: ("", "out of memory")
      case .journal: ("context", "has stopped: it can no longer record what it accepts")
      case .causes: ("context", "is at its limit of causes")
      case .observers: ("context", "its budget is used up; cancel one, or raise it")
      case .handles: ("", "out of handles")
      case .openRequest: ("event", "is already answered: a request gets one answer")
      }
    return Refusal(lack.status, argument, reason)
  }

  package static var noMemory: Refusal { lacking(.memory) }

  /// Refuses an event that could not be recorded.
  package static func unrecorded(_ status: Int32) -> Refusal {
    switch Status(rawValue: status) {
    case .noSpace:
      Refusal(.noSpace, "context", "is recorded, and there is no room left for its journal")
    case .poisoned:
      Refusal(.poisoned, "context", "has stopped: what was recorded may not have reached the disk")
    case .corrupt:
      Refusal(
        .corrupt, "context", "has stopped: another program has changed or removed its journal")
    case .noMemory: .noMemory
    default: .lacking(.journal)
    }
  }
}

/// Writes the subject of a refusal, which may have several parts, into memory of the thread's. It stays there until the
/// message is written.
package struct SubjectWriter {
  private let memory = mainstem_p_subject()
  private var length = 0

  package init() {}

  package var bytes: Bytes {
    guard let memory else { return Bytes("") }
    return Bytes(UnsafeRawPointer(memory), length)
  }

  /// The thread's own copy of a subject; what was written here already stays.
  @inline(never)
  static func keep(_ bytes: Bytes) -> Bytes {
    var writer = SubjectWriter()
    if let memory = writer.memory, UnsafeRawPointer(memory) == bytes.start { return bytes }
    writer.add(bytes)
    return writer.bytes
  }

  /// Puts the number of a row before a subject that is written here.
  @inline(never)
  static func inRow(_ index: UInt64, _ kept: Bytes) -> Bytes {
    var writer = SubjectWriter()
    guard let memory = writer.memory else { return kept }
    // "row ", at most 20 digits, ": ".
    let room = min(kept.count, Int(MAINSTEM_P_SUBJECT_CAPACITY) &- 26)
    let end = UnsafeMutableRawPointer(memory) + 26
    end.copyMemory(from: kept.start, byteCount: room)
    writer.add("row ")
    writer.add(index)
    writer.add(": ")
    writer.add(Bytes(end, room))
    return writer.bytes
  }

  package func hasRoom(for count: Int) -> Bool {
    count <= Int(MAINSTEM_P_SUBJECT_CAPACITY) &- length
  }

  /// Adds as much as there is room for.
  @inline(never)
  package mutating func add(_ bytes: Bytes) {
    let count = min(bytes.count, Int(MAINSTEM_P_SUBJECT_CAPACITY) &- length)
    guard let memory, count > 0 else { return }
    UnsafeMutableRawPointer(memory + length).copyMemory(from: bytes.start, byteCount: count)
    length &+= count
  }

  @inline(never)
  package mutating func add(_ text: Phrase) { add(text.bytes) }

  @inline(never)
  package mutating func add(_ number: UInt64) {
    var divisor: UInt64 = 1
    while number / divisor >= 10 { divisor &*= 10 }
    while divisor > 0 {
      var digit = UInt8(truncatingIfNeeded: 0x30 &+ number / divisor % 10)
      withUnsafePointer(to: &digit) { add(Bytes(UnsafeRawPointer($0), 1)) }
      divisor /= 10
    }
  }
}
