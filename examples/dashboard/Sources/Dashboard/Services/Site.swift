// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// How the site answers.
enum Site {
  /// Reads its users. What is wrong with an answer can be seen in it: the journal has it.
  static func users(_ answer: ResponseHttp) throws -> [UserModel] {
    do {
      return try JSONCoder().decode([UserModel].self, from: Array(answer.body.utf8))
    } catch {
      throw Failure("NO_USERS", userMessage: "The site has answered something else.")
    }
  }

  /// What a user is told if there is no answer. Codes are the provider's.
  static func sorry(_ failure: Failure) -> Failure {
    let code = failure.code
    return switch code.rawValue {
    case 1101: Failure("REFUSED", userMessage: "The site is out of order.", code: code)
    case 1100: Failure("UNREACHED", userMessage: "The site cannot be reached.", code: code)
    case Status.timeout.rawValue:
      Failure("LATE", userMessage: "The site does not answer.", code: code)
    default: failure
    }
  }
}
