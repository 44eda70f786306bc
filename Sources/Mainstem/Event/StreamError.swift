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
  public let sentence: String

  /// The sentence as events and journals have it: in the words of C, if it is a sentence of C's.
  let recorded: String

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - status: Why.
  ///   - sentence: Function, argument and reason.
  public init(_ status: Status, _ sentence: String) {
    self.status = status
    self.sentence = sentence
    recorded = sentence
  }

  /// The error of a call of C.
  init(ofC status: Status, _ sentence: String) {
    self.status = status
    self.sentence = SwiftWords.translate(sentence)
    recorded = sentence
  }
}

extension StreamError: Hashable {
  /// Whether both have the same status and sentence.
  public static func == (one: StreamError, other: StreamError) -> Bool {
    (one.status, one.sentence) == (other.status, other.sentence)
  }

  /// Hashes the status and the sentence.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(sentence)
  }
}

extension StreamError: CustomStringConvertible {
  /// The name of the status and the sentence.
  public var description: String { "\(status): \(sentence)" }
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
