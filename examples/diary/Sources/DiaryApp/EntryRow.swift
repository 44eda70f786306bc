// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a list shows of an entry.
struct EntryRow: Codable, Equatable, Identifiable, Sendable {
  let id: Int
  /// As 2026-11-23.
  let date: String
  /// The same in words: "Yesterday".
  let day: String
  let title: String

  /// - Parameters:
  ///   - entry: The entry.
  ///   - today: The day that it is; nil: not known.
  init(_ entry: Entry, on today: Day?) {
    self.init(id: entry.id, date: entry.day, title: entry.title, on: today)
  }

  private init(id: Int, date: String, title: String, on today: Day?) {
    (self.id, self.date, self.title) = (id, date, title)
    day = Day(date)?.words(on: today) ?? date
  }

  /// The same on another day.
  func on(_ today: Day?) -> EntryRow { EntryRow(id: id, date: date, title: title, on: today) }
}
