// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoViewModel

extension Failure {
  /// A failure for something that the user may not do.
  public init(_ error: UserError, subject: String) {
    self.init(
      "\(error)", userMessage: error.text, subject: subject, code: Status(rawValue: error.rawValue))
  }

  /// This failure of the host's validator, about an edit session: what it said, or that it said nothing.
  func ofValidator(subject: String) -> Failure {
    if code.rawValue >= Status.app.rawValue {
      return Failure(message, userMessage: userMessage, subject: subject, code: code)
    }
    return Failure(
      message, userMessage: UserError.notValidated.text, subject: subject,
      code: Status(rawValue: UserError.notValidated.rawValue))
  }

  /// This failure of the model, with the text for the user.
  public var forUser: Failure {
    let text = (UserError(rawValue: code.rawValue) ?? .other).text
    return Failure(message, userMessage: text, subject: subject, code: code)
  }
}
