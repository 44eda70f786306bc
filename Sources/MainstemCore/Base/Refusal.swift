// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Why a call was refused: the status, and what the sentence says of it.
///
/// A value that is cheap to throw: the texts are static, and `subject` is borrowed from the
/// caller's arguments, so the sentence is written before the call returns.
package struct Refusal: Error {
  package let status: Status
  /// The argument that is at fault; empty when it is none in particular.
  package let argument: StaticString
  package let reason: StaticString
  /// What the reason speaks of: a name of the caller's, or a number.
  package let subject: Subject

  package enum Subject: Sendable {
    case none
    case number(UInt64)
    /// The row of a table, counted from 0.
    case row(UInt64)
    case name(Bytes)
  }

  package init(
    _ status: Status, _ argument: StaticString, _ reason: StaticString, _ subject: Subject = .none
  ) {
    self.status = status
    self.argument = argument
    self.reason = reason
    self.subject = subject
  }
}

extension Refusal {
  package static func null(_ argument: StaticString) -> Refusal {
    Refusal(.invalid, argument, "is NULL")
  }

  package static var noMemory: Refusal { Refusal(.noMemory, "", "out of memory") }

  package static var closed: Refusal { Refusal(.stale, "context", "is closed") }

  package static var wrongThread: Refusal {
    Refusal(.wrongThread, "context", "belongs to another thread")
  }

  package static var busy: Refusal {
    Refusal(.busy, "", "waits, and we are inside a callback of this context")
  }

  package static func noType(_ type: UInt32) -> Refusal {
    Refusal(.invalid, "type", "is no registered event type", .number(UInt64(type)))
  }
}
