// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Mainstem

/// What has happened and was not expected yet, in order.
final class Transcript {
  private var entries: [TestEntry] = []
  private var expected = 0

  func append(_ entry: TestEntry) { entries.append(entry) }

  func next() -> TestEntry? {
    guard expected < entries.count else { return nil }
    defer { expected += 1 }
    return entries[expected]
  }

  func rest() -> ArraySlice<TestEntry> {
    defer { expected = entries.count }
    return entries[expected...]
  }
}

/// An event as the transcript keeps it.
struct TestEntry {
  let name: String
  let payload: [UInt8]
  let failure: Failure?
  let line: String

  init(_ delivery: borrowing Delivery) {
    name = delivery.name
    payload = delivery.payload
    failure = delivery.failure
    line = delivery.line
  }
}
