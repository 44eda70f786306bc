// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

extension Failure {
  /// The same, in words for users, if the store took too long.
  var forUsers: Failure {
    code == .timeout ? Failure("LATE", userMessage: "The diary does not open.", code: code) : self
  }
}
