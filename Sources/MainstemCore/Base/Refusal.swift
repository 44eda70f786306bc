// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
