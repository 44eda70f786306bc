// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoViewModel

extension Failure {
  /// What a person did that cannot be.
  public init(_ error: UserError, subject: String) {
    self.init(
      "\(error)", userText: error.text, subject: subject, code: Status(rawValue: error.rawValue))
  }

  /// A failure of the model, with the text that a person reads.
  public var forUser: Failure {
    let text = (UserError(rawValue: code.rawValue) ?? .other).text
    return Failure(sentence, userText: text, subject: subject, code: code)
  }
}
