// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A day of the calendar, such as 2026-11-23.
struct Day: Sendable {
  let text: String
  private let year: Int
  private let month: Int
  private let day: Int

  /// Nil: there is no such day.
  init?(_ text: String) {
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map(Day.number)
    guard text.utf8.count == 10, numbers.count == 3, let year = numbers[0], year > 0,
      let month = numbers[1], let day = numbers[2], (1...12).contains(month),
      (1...Day.count(ofMonth: month, in: year)).contains(day),
      Array(text.utf8)[4] == UInt8(ascii: "-"), Array(text.utf8)[7] == UInt8(ascii: "-")
    else { return nil }
    self.text = text
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// What a list says for it on another day: "Today", "Yesterday", "Monday", "12 March" or "12 March 2024".
  ///
  /// - Parameter today: The day that it is; nil: not known.
  func words(on today: Day?) -> String {
    switch today.map({ $0.number - number }) {
    case 0: "Today"
    case 1: "Yesterday"
    case .some(2...6): Day.weekdays[number % 7]
    default: "\(day) \(Day.months[month - 1])" + (year == today?.year ? "" : " \(year)")
    }
  }

  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// How many days are between it and the first day of the year 1, a Monday.
  private var number: Int {
    let years = year - 1
    let months = (1..<month).map { Day.count(ofMonth: $0, in: year) }.reduce(0, +)
    return years * 365 + years / 4 - years / 100 + years / 400 + months + day - 1
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

/// The day that it is, and when the next one begins.
struct Today: Codable, Equatable, Sendable {
  var day: String
  /// When it ends, in seconds since 1970; nil: it does not.
  var ends: Int?
}
