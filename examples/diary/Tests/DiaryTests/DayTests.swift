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

  @Test(arguments: [
    ("2026-11-30", "Today"), ("2026-11-29", "Yesterday"), ("2026-11-28", "Saturday"),
    ("2026-11-24", "Tuesday"), ("2026-11-23", "23 November"), ("2026-01-01", "1 January"),
    ("2025-11-30", "30 November 2025"), ("2024-03-12", "12 March 2024"),
    ("2026-12-01", "1 December"), ("2027-01-01", "1 January 2027"), ("0001-01-01", "1 January 1"),
  ])
  func `a list has words for a day`(_ text: String, _ words: String) throws {
    #expect(Day(text)?.words(on: Day("2026-11-30")) == words)
  }

  @Test(arguments: [
    ("2026-01-01", "2025-12-31", "Yesterday"), ("2026-01-05", "2025-12-31", "Wednesday"),
    ("2024-03-01", "2024-02-29", "Yesterday"), ("2023-03-01", "2023-02-28", "Yesterday"),
    ("2000-03-01", "2000-02-28", "Monday"), ("2100-03-01", "2100-02-28", "Yesterday"),
  ])
  func `a month or a year may end between two days`(
    _ today: String, _ day: String, _ words: String
  ) {
    #expect(Day(day)?.words(on: Day(today)) == words)
  }

  @Test func `while it is not known which day it is, the words have the year`() {
    #expect(Day("2026-11-30")?.words(on: nil) == "30 November 2026")
  }
}
