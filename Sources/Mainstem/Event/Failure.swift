// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What went wrong, as a value: a failed response carries it instead of its fields.
///
/// A handler throws it, and the response fails with it. The requester gets an equal value.
///
///     throw Failure("NO_NAME", userMessage: "Please tell me your name.")
public struct Failure: Error, Sendable {
  /// For developers: a short word or a message.
  public let message: String

  /// The message as events and journals have it: in the words of C, if it is a message of C's.
  let recorded: String

  /// For users; empty if there is nothing to show.
  public let userMessage: String

  /// What it is about: an id, a field; may be empty.
  public let subject: String

  /// One of the library's statuses, or the app's own code from ``Status/app`` on.
  public let code: Status

  /// Makes a failure.
  ///
  /// - Parameters:
  ///   - message: For developers: a short word or a message.
  ///   - userMessage: For users.
  ///   - subject: What it is about: an id, a field.
  ///   - code: The app's own codes begin at 1000. Never ``Status/ok``.
  public init(
    _ message: String, userMessage: String = "", subject: String = "", code: Status = .app
  ) {
    precondition(code != .ok, "A Failure needs a code other than 0: 0 says that all went well.")
    self.init(message, recorded: message, userMessage, subject, code)
  }

  init(
    _ message: String, recorded: String, _ userMessage: String, _ subject: String, _ code: Status
  ) {
    self.message = message
    self.recorded = recorded
    self.userMessage = userMessage
    self.subject = subject
    self.code = code
  }

  /// Makes a failure from any error: a `Failure` as it is, a `CancellationError` with the code ``Status/cancelled``,
  /// other errors as their description, or a message about the field that a coder refused.
  ///
  /// - Parameter error: The error a handler threw.
  public init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as StreamError:
      self.init(error.message, recorded: error.recorded, "", "", error.status)
    case is CancellationError: self.init("its task was cancelled", code: .cancelled)
    default: self.init(CodingProblem(error)?.message ?? String(describing: error))
    }
  }
}

extension Failure: Hashable {
  /// Whether both say the same.
  public static func == (one: Failure, other: Failure) -> Bool {
    (one.message, one.userMessage, one.subject, one.code)
      == (other.message, other.userMessage, other.subject, other.code)
  }

  /// Hashes all that they say.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(message)
    hasher.combine(userMessage)
    hasher.combine(subject)
    hasher.combine(code)
  }
}

extension Failure {
  /// What to tell a user: the text for users, or the message if that is empty.
  public var text: String { userMessage.isEmpty ? message : userMessage }
}

extension Failure: CustomStringConvertible {
  /// The code and the message: `1000 "NO_NAME"`.
  public var description: String { "\(code) \"\(message)\"" }
}
