// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A day of the calendar, such as 2026-11-23.
struct Day: Sendable {
  let text: String

  /// Nil: there is no such day.
  init?(_ text: String) {
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map(Day.number)
    guard text.utf8.count == 10, numbers.count == 3, let year = numbers[0], year > 0,
      let month = numbers[1], let day = numbers[2], (1...12).contains(month),
      (1...Day.count(ofMonth: month, in: year)).contains(day),
      Array(text.utf8)[4] == UInt8(ascii: "-"), Array(text.utf8)[7] == UInt8(ascii: "-")
    else { return nil }
    self.text = text
  }

  /// Nil: other characters than digits are in it.
  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      ? Int(digits) : nil
  }

  private static func count(ofMonth month: Int, in year: Int) -> Int {
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}
