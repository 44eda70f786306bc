// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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

  /// The text for users that was given; may be empty.
  let textForUsers: String

  /// What it is about: an id, a field; may be empty.
  public let subject: String

  /// One of the library's statuses, or the app's own code from ``Status/app`` on.
  public let code: Status

  /// Makes a failure.
  ///
  /// - Parameters:
  ///   - message: For developers: a short word or a message.
  ///   - userMessage: What to tell a user; if empty, the message.
  ///   - subject: What it is about: an id, a field.
  ///   - code: The app's own codes begin at 1000. Never ``Status/ok``.
  public init(
    _ message: String, userMessage: String = "", subject: String = "", code: Status = .app
  ) {
    precondition(code != .ok, "A Failure needs a code other than 0: 0 says that all went well.")
    self.init(message, recorded: message, userMessage, subject, code)
  }

  init(
    _ message: String, recorded: String, _ textForUsers: String, _ subject: String, _ code: Status
  ) {
    self.message = message
    self.recorded = recorded
    self.textForUsers = textForUsers
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
    (one.message, one.textForUsers, one.subject, one.code)
      == (other.message, other.textForUsers, other.subject, other.code)
  }

  /// Hashes all that they say.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(message)
    hasher.combine(textForUsers)
    hasher.combine(subject)
    hasher.combine(code)
  }
}

extension Failure {
  /// What to tell a user: the text that was given for users, else the message.
  ///
  /// The messages of the library's own failures are English and for developers: where users see them, choose your own
  /// text by ``code``.
  public var userMessage: String { textForUsers.isEmpty ? message : textForUsers }
}

extension Failure: CustomStringConvertible {
  /// The code and the message: `1000 "NO_NAME"`.
  public var description: String { "\(code) \"\(message)\"" }
}

extension Failure {
  /// The error that a failed response carries.
  init(of event: UnsafePointer<mainstem_event>) {
    var error = mainstem_error()
    error.size = UInt32(MemoryLayout<mainstem_error>.size)
    guard mainstem_event_error(event, &error) == 0 else {
      self.init("the response carries no error", code: .invalid)
      return
    }
    let message = Failure.text(error.message)
    self.init(
      SwiftWords.translate(message), recorded: message, Failure.text(error.user_message),
      Failure.text(error.subject), Status(rawValue: error.code))
  }

  /// Answers a request with this failure.
  func answer(_ event: UnsafePointer<mainstem_event>) -> mainstem_status {
    withError { mainstem_respond_error_with(event, $0) }
  }

  /// Runs `body` with this failure as a C struct.
  func withError(_ body: (UnsafePointer<mainstem_error>) -> mainstem_status) -> mainstem_status {
    recorded.withCString { message in
      textForUsers.withCString { text in
        subject.withCString { subject in
          var error = mainstem_error(
            size: UInt32(MemoryLayout<mainstem_error>.size), code: code.rawValue,
            message: message, user_message: text, subject: subject)
          return body(&error)
        }
      }
    }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}
