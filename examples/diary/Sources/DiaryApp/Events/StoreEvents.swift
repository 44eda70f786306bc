// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

// What the services ask the store, a server of the host's on a thread of its own. It keeps what it is given.

struct ResponseAccount: Response, Equatable {
  static let layer = Layer.model
  var account: Account
}
struct RequestReadAccount: Request {
  typealias Answer = ResponseAccount
  static let layer = Layer.model
}
/// Who signs in begins a session.
struct RequestWriteAccount: Request, Equatable {
  typealias Answer = ResponseAccount
  static let layer = Layer.model
  var account: Account
  var signsIn = false
}

struct ResponseSession: Response, Equatable {
  static let layer = Layer.model
}
/// Begins another session of who is signed in, or fails with ``Status/signedOut``.
struct RequestRenewSession: Request, Equatable {
  typealias Answer = ResponseSession
  static let layer = Layer.model
}

// The user's entries. Where the session has ended, the store says so: ``Status/sessionEnded``. Requests may have waited
// for a sign-in, and are refused if somebody else has signed in.

struct ResponseEntries: Response, Equatable {
  static let layer = Layer.model
  var entries: [Entry]
  /// How many there are of the user.
  var total: Int
  var isLast: Bool
  /// Whether it keeps drafts; nil: no, as stores of before version 0.10.1.
  var keepsDrafts: Bool?
  /// The day of entries that are written now. Where it begins and ends is the store's affair, as is the time zone.
  var today: Today?
}
/// The newest entries, or those before one; with a count of 0, only what is known beside them.
struct RequestReadEntries: Request, Equatable {
  typealias Answer = ResponseEntries
  static let layer = Layer.model
  var user: String
  var before: Int?
  var count: Int
}

struct ResponseWritten: Response, Equatable {
  static let layer = Layer.model
  var entry: Entry
  var total: Int
}
struct RequestReadEntry: Request, Equatable {
  typealias Answer = ResponseWritten
  static let layer = Layer.model
  var user: String
  var id: Int
}
/// Without an id, a new entry.
struct RequestWriteEntry: Request, Equatable {
  typealias Answer = ResponseWritten
  static let layer = Layer.model
  var user: String
  var id: Int?
  var text: String
}
struct RequestEraseEntry: Request, Equatable {
  typealias Answer = ResponseWritten
  static let layer = Layer.model
  var user: String
  var id: Int
}

/// What was typed and is not saved. There is none where a text is nil.
struct ResponseDraft: Response, Equatable {
  static let layer = Layer.model
  var text: String?
}
struct RequestReadDraft: Request, Equatable {
  typealias Answer = ResponseDraft
  static let layer = Layer.model
  var user: String
  /// Of the entry; 0: of a new one.
  var id: Int
}
/// Keeps a draft in place of the one of before; without a text, forgets it. So does the writing of the entry.
struct RequestWriteDraft: Request, Equatable {
  typealias Answer = ResponseDraftKept
  static let layer = Layer.model
  /// For each key there is one, and what was typed is an input already.
  static let record = RecordMode.inputs
  var user: String
  var id: Int
  var text: String?
}
struct ResponseDraftKept: Response, Equatable {
  static let layer = Layer.model
}
