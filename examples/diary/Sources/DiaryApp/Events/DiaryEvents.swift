// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

// The service Diary: what it can be asked, what it tells, and its state.

/// Some entries, the newest first.
struct ResponsePage: Response, Equatable {
  static let layer = Layer.model
  var entries: [Entry]
  var isLast: Bool
}
/// The first page.
struct RequestReloadEntries: Request, Equatable {
  typealias Answer = ResponsePage
  static let layer = Layer.model
}
/// The page behind an entry. What is written or deleted meanwhile neither repeats nor hides any.
struct RequestLoadMoreEntries: Request, Equatable {
  typealias Answer = ResponsePage
  static let layer = Layer.model
  var after: Int
}

struct ResponseEntry: Response, Equatable {
  static let layer = Layer.model
  var entry: Entry
}
struct RequestFetchEntry: Request, Equatable {
  typealias Answer = ResponseEntry
  static let layer = Layer.model
  var id: Int
}
struct RequestCreateEntry: Request, Equatable {
  typealias Answer = ResponseEntry
  static let layer = Layer.model
  var text: String
}
struct RequestUpdateEntry: Request, Equatable {
  typealias Answer = ResponseEntry
  static let layer = Layer.model
  var id: Int
  var text: String
}
struct RequestDeleteEntry: Request, Equatable {
  typealias Answer = ResponseEntry
  static let layer = Layer.model
  var id: Int
}

struct EntryCreated: Notice, Equatable {
  static let layer = Layer.model
  var entry: Entry
}
struct EntryUpdated: Notice, Equatable {
  static let layer = Layer.model
  var entry: Entry
}
struct EntryDeleted: Notice, Equatable {
  static let layer = Layer.model
  var id: Int
}

/// How many entries the user has: the diary's state.
struct DiaryTotal: Notice, Equatable {
  static let name = "Diary.total"
  static let role = Role.value
  static let layer = Layer.viewModel
  /// Nil: nobody has asked yet.
  var count: Int?
}
/// The day that it is, as 2026-11-23.
struct DiaryToday: Notice, TextEvent {
  static let name = "Diary.today"
  static let role = Role.value
  static let layer = Layer.viewModel
  var text: String
}
struct ResponseDay: Response, Equatable {
  static let layer = Layer.model
}
/// Finds out which day it is. The diary asks itself when a day has ended.
struct RequestReloadDay: Request, Equatable {
  typealias Answer = ResponseDay
  static let layer = Layer.model
}

/// Whether what is typed is kept before it is saved. It is told where the store does.
struct DiaryKeepsDrafts: Notice, ScalarEvent {
  static let name = "Diary.keepsDrafts"
  static let role = Role.value
  static let layer = Layer.viewModel
  var value: Bool
}
/// What is typed on a page and not saved.
struct Draft: Codable, Equatable, Sendable {
  /// Of the entry; 0: a new one.
  var id: Int
  /// Nil: all is saved.
  var text: String?
}
/// A page says that its draft is another one now: the diary keeps it.
struct DraftChanged: Notice, Equatable {
  static let name = "DiaryPage.drafted"
  static let layer = Layer.viewModel
  var id: Int
  var text: String?
}
struct RequestFetchDraft: Request, Equatable {
  typealias Answer = ResponseDraft
  static let layer = Layer.model
  var id: Int
}
/// Forgets what was typed: the user leaves without saving.
struct RequestDiscardDraft: Request, Equatable {
  typealias Answer = ResponseDraftKept
  static let layer = Layer.model
  var id: Int
}
