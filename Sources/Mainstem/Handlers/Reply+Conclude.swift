// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Reply {
  /// Answers with what a handler's task returns, or with what it throws.
  func conclude(_ body: (Reply) async throws -> R.Answer) async {
    do {
      try respond(try await body(self))
    } catch {
      // Refused: it was cancelled, or somebody else has answered.
      try? fail(Failure(of: error, answering: R.self))
    }
  }
}

extension Failure {
  /// The failure for an error that a handler threw. If the error may quote a secret, only the error's type is named.
  init<R: Request>(of error: any Error, answering type: R.Type) {
    let mayQuote = R.isSecret || R.Answer.isSecret
    if !mayQuote || error is Failure || error is StreamError {
      self.init(error)
    } else {
      self.init("\(Swift.type(of: error)): <secret>")
    }
  }
}
