// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The error of a refused call, which has changed nothing.
///
/// An error while a request is handled is a ``Failure``, not a `StreamError`.
public struct StreamError: Error, Sendable {
  /// Why.
  public let status: Status

  /// Function, argument and reason, for developers.
  public let message: String

  /// The message as events and journals have it: in the words of C, if it is a message of C's.
  let recorded: String

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - status: Why.
  ///   - message: Function, argument and reason.
  public init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
    recorded = message
  }

  /// The error of a call of C.
  init(ofC status: Status, _ message: String) {
    self.status = status
    self.message = SwiftWords.translate(message)
    recorded = RecordedWords.of(message)
  }
}

extension StreamError: Hashable {
  /// Whether both have the same status and message.
  public static func == (one: StreamError, other: StreamError) -> Bool {
    (one.status, one.message) == (other.status, other.message)
  }

  /// Hashes the status and the message.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(message)
  }
}

extension StreamError: CustomStringConvertible {
  /// The name of the status and the message.
  public var description: String { "\(status): \(message)" }
}

extension StreamError {
  /// Throws the status that a C call has returned, unless it is OK.
  static func check(_ status: mainstem_status) throws(StreamError) {
    guard status != 0 else { return }
    throw StreamError(ofC: Status(rawValue: status), String(cString: mainstem_last_error()))
  }

  /// C ends a text at its first zero, which would hide what follows: a path would name another file.
  package static func demandNoZero(
    _ text: String, _ argument: String, _ status: Status = .invalid
  ) throws(StreamError) {
    guard text.utf8.contains(0) else { return }
    throw StreamError(status, "\(argument): has a zero in it")
  }
}

/// The result of a call; also the result of a request, as the status of its response.
///
/// The whole library shares one list, with the same numbers in C and Python. Codes from 1000 on
/// belong to the app: `Failure("GONE", code: 1001)`.
public struct Status: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int32

  /// Makes a status from its number.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Success; for a send: accepted, with a position.
  public static let ok = Status(rawValue: 0)
  /// An argument is invalid; the message says which.
  public static let invalid = Status(rawValue: 1)
  /// The handle has ended, or its context is closed.
  public static let stale = Status(rawValue: 2)
  /// The handle is not of the kind the call takes.
  public static let wrongKind = Status(rawValue: 3)
  /// The context belongs to another thread.
  public static let wrongThread = Status(rawValue: 4)
  /// A call that waits was made inside a callback of the context.
  public static let busy = Status(rawValue: 5)
  /// The scope has no right to do this.
  public static let denied = Status(rawValue: 6)
  /// A payload, a name or a count exceeds its limit.
  public static let tooBig = Status(rawValue: 7)
  /// A queue has reached its limit.
  public static let full = Status(rawValue: 8)
  /// A budget is used up.
  public static let limit = Status(rawValue: 9)
  /// An allocation failed; nothing has changed.
  public static let noMemory = Status(rawValue: 10)
  /// No server handles requests of this type.
  public static let unhandled = Status(rawValue: 11)
  /// The timeout has passed.
  public static let timeout = Status(rawValue: 12)
  /// The request ended before a server answered it.
  public static let cancelled = Status(rawValue: 13)
  /// A signal arrived during a wait.
  public static let interrupted = Status(rawValue: 14)
  /// The payload is a secret that was not supplied.
  public static let withheld = Status(rawValue: 15)
  /// The handle was made in the parent process, before fork.
  public static let forked = Status(rawValue: 16)
  /// This library, or this build of it, does not support that.
  public static let unsupported = Status(rawValue: 17)
  /// A callback returned without the confirmation it owes.
  public static let incomplete = Status(rawValue: 18)
  /// A file could not be opened, read or written.
  public static let io = Status(rawValue: 19)
  /// The disk or quota is full: the journal has no room.
  public static let noSpace = Status(rawValue: 20)
  /// Another process or context is recording to this journal.
  public static let locked = Status(rawValue: 21)
  /// The journal is damaged, or the file is not a journal.
  public static let corrupt = Status(rawValue: 22)
  /// A sync failed; durability is unknown.
  public static let poisoned = Status(rawValue: 23)
  /// This library does not read the journal's format version.
  public static let version = Status(rawValue: 24)
  /// A replay's outcome differs from the journal.
  public static let different = Status(rawValue: 25)
  /// The scope has not sent that value yet.
  public static let unset = Status(rawValue: 26)
  /// The command is disabled now.
  public static let disabled = Status(rawValue: 27)
  /// The command is executing already.
  public static let executing = Status(rawValue: 28)
  /// The URL is malformed, or no route may get it.
  public static let badURL = Status(rawValue: 29)
  /// No route matches the URL.
  public static let noRoute = Status(rawValue: 30)
  /// The first of the app's own codes.
  public static let app = Status(rawValue: 1000)
}

extension Status: ExpressibleByIntegerLiteral {
  /// Makes a status from its number.
  ///
  /// - Parameter value: The number.
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}

extension Status: CustomStringConvertible {
  /// The name, for example "BUSY"; for the app's own codes the number.
  public var description: String {
    if rawValue >= Status.app.rawValue { return String(rawValue) }
    return String(cString: mainstem_status_name(rawValue))
  }
}

/// The messages of refused calls as journals have them: in the words that C had in 0.10, which never change. Where a
/// handler lets the error of a refused call pass, its message is the answer.
enum RecordedWords {
  /// A message of C, in those words.
  static func of(_ message: String) -> String {
    guard message.hasPrefix("mainstem_"), let colon = message.firstIndex(of: ":") else {
      return message
    }
    let function = String(message[..<colon].dropFirst(9))
    var rest = String(message[colon...])
    for (words, then) in phrases where rest.contains(words) {
      rest = rest.replacing(words, with: then)
    }
    return "mainstem_\(functions[function] ?? function)\(rest)"
  }

  /// What functions of C were called in 0.10.
  static let functions = [
    "binding_retarget": "binding_point",
    "callback_position": "context_event",
    "context_is_replaying": "context_replaying",
    "context_stats_read": "context_stats",
    "event_match": "navigator_match",
    "instance_open": "owner_open",
    "mailbox_take": "drain_records",
    "request_count": "activity",
    "scheduler_add": "serial_add",
    "scope_add": "scope_add_with",
    "subscription_demand": "subscription_ask",
    "types_add": "catalogue_add",
    "viewmodel_add": "model_add",
  ]

  /// Words of messages in 0.10.
  private static let phrases = [
    ("MAINSTEM_OBSERVE_CONFIRM", "MAINSTEM_CONFIRM"),
    (
      "MAINSTEM_VIEWMODEL_VALUE, _WRITABLE, _PULSE or _COMMAND",
      "MAINSTEM_SHOWS, _WRITABLE, _PULSES or _COMMAND"
    ),
    ("mainstem_scheduler_add", "mainstem_serial_add"),
    (": error.message: ", ": error.sentence: "),
    (": message: ", ": sentence: "),
    (": move.kind: ", ": move.how: "),
    (": options.durability: ", ": options.level: "),
    (": rows.cancelled_by: ", ": rows.until: "),
  ]
}
