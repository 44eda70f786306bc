// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem
public import TodoModel
import TodoViewModel

extension Failure {
  /// An error of the store, for developers; the view model's server adds the text for the user.
  public init(_ error: StoreError, subject: String) {
    let code = Status(rawValue: UserError(error.reason).rawValue)
    self.init("\(error.reason): \(error.message)", subject: subject, code: code)
  }
}
