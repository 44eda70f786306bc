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
