// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// How the site answers.
enum Site {
  /// Reads the answer to a request.
  static func read<Value: Decodable>(_ type: Value.Type, _ answer: ResponseHttp) throws -> Value {
    try JSONCoder().decode(type, from: Array(answer.body.utf8))
  }

  /// What a user is told if it did not answer as it should. Codes and subject are the provider's.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - missing: What a user is told if the site does not have what was asked for.
  static func sorry(_ failure: Failure, missing: String = "The site does not have it.") -> Failure {
    let code = failure.code
    return switch (code.rawValue, failure.subject) {
    case (1101, "404"): Failure("MISSING", userMessage: missing, code: code)
    case (1101, "401"), (1101, "403"):
      Failure("SECRET", userMessage: "The site does not show it to everybody.", code: code)
    case (1101, _):
      Failure("REFUSED", userMessage: "The site is out of order. Try again later.", code: code)
    case (1100, _):
      Failure(
        "UNREACHED", userMessage: "The site cannot be reached. Check the network, then try again.",
        code: code)
    case (Status.timeout.rawValue, _):
      Failure("LATE", userMessage: "The site does not answer. Try again.", code: code)
    default: failure
    }
  }
}
