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
