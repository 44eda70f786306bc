// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A call that was refused: nothing has changed.
///
/// What went wrong while a request was handled is no `StreamError` but a ``Failure``.
public struct StreamError: Error, Hashable, Sendable {
  /// Why.
  public let status: Status

  /// Function, argument and reason, for developers.
  public let sentence: String

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - status: Why.
  ///   - sentence: Function, argument and reason.
  public init(_ status: Status, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }
}

extension StreamError: CustomStringConvertible {
  /// The name of the status and the sentence.
  public var description: String { "\(status): \(sentence)" }
}

extension StreamError {
  /// Throws what a call of the C header has returned, unless that is OK.
  static func check(_ status: mainstem_status) throws(StreamError) {
    guard status != 0 else { return }
    throw StreamError(Status(rawValue: status), String(cString: mainstem_last_error()))
  }
}
