// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DiaryApp

@Suite("Day") struct DayTests {
  @Test(arguments: [
    "2026-11-23", "0001-01-01", "9999-12-31", "2024-02-29", "2000-02-29", "2026-04-30",
    "2026-01-31",
  ])
  func `a day of the calendar is one`(_ text: String) {
    #expect(Day(text)?.text == text)
  }

  @Test(arguments: [
    "", "x", "today", "2026-13-45", "2026-00-10", "2026-01-00", "2026-01-32", "2026-04-31",
    "2026-02-29", "1900-02-29", "2024-02-30", "0000-01-01", "2026-1-23", "26-11-2300", "2026-11-2٣",
    "-026-11-23", "+026-11-23", "2026-11-23 ", " 2026-11-23", "2026/11/23", "2026-11-23-",
    "20261-1-23",
  ])
  func `what is no day is refused`(_ text: String) {
    #expect(Day(text) == nil)
  }
}
