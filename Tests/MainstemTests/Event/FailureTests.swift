// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct Odd: Error, CustomStringConvertible { let description = "it is odd" }

@Suite("Failure") struct FailureTests {
  @Test func `a failure has the app's first code unless it says another`() {
    #expect(Failure("GONE").code == .app)
    #expect(Failure("GONE", code: 1001).code == Status(rawValue: 1001))
  }

  @Test func `the text for people is the message where there is no other`() {
    #expect(Failure("GONE").userMessage == "GONE")
    #expect(Failure("GONE", userMessage: "It is gone.").userMessage == "It is gone.")
  }

  @Test func `any error is a failure, and a failure stays itself`() {
    let failure = Failure("GONE", userMessage: "It is gone.", subject: "7", code: 1001)
    #expect(Failure(failure as any Error) == failure)
    #expect(Failure(StreamError(.busy, "wait")) == Failure("wait", code: .busy))
    #expect(Failure(Odd()) == Failure("it is odd"))
  }

  @Test func `statuses have the names of the header`() {
    #expect("\(Status.ok) \(Status.busy) \(Status.noMemory)" == "OK BUSY NO_MEMORY")
    #expect("\(Failure("GONE", code: 1001))" == "1001 \"GONE\"")
  }

  @Test func `a failure without a code ends the program with a message`() async {
    await #expect(processExitsWith: .failure) { _ = Failure("GONE", code: .ok) }
  }
}
