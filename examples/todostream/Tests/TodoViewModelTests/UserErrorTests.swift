// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import TodoModel
import TodoViewModel

@Suite("UserError")
struct UserErrorTests {
  @Test func `each error has a text of its own`() {
    let texts = Set(UserError.allCases.map(\.text))

    #expect(texts.count == UserError.allCases.count)
    #expect(UserError.other.text == "An error occurred.")
  }

  @Test func `each reason of the store means something to a person`() {
    let meanings = Set(StoreError.Reason.allCases.map { UserError($0) })

    #expect(meanings.count == StoreError.Reason.allCases.count)
    #expect(UserError(.failed) == .other)
  }
}
