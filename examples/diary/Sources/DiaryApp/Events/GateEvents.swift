// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

// What the service Diary asks in the name of a user: the same as the store is asked. A gate passes each on.

struct RequestReadUserEntries: Request, Equatable {
  typealias Answer = ResponseEntries
  static let layer = Layer.model
  var user: String
  var before: Int?
  var count: Int
}
struct RequestReadUserEntry: Request, Equatable {
  typealias Answer = ResponseWritten
  static let layer = Layer.model
  var user: String
  var id: Int
}
struct RequestWriteUserEntry: Request, Equatable {
  typealias Answer = ResponseWritten
  static let layer = Layer.model
  var user: String
  var id: Int?
  var text: String
}
struct RequestEraseUserEntry: Request, Equatable {
  typealias Answer = ResponseWritten
  static let layer = Layer.model
  var user: String
  var id: Int
}
struct RequestReadUserDraft: Request, Equatable {
  typealias Answer = ResponseDraft
  static let layer = Layer.model
  var user: String
  var id: Int
}
struct RequestWriteUserDraft: Request, Equatable {
  typealias Answer = ResponseDraftKept
  static let layer = Layer.model
  static let record = RecordMode.inputs
  var user: String
  var id: Int
  var text: String?
}

/// What the gate asks when the session has ended: the service User has the store begin another one.
struct RequestRefreshSession: Request, Equatable {
  typealias Answer = ResponseSession
  static let layer = Layer.model
}

extension Status {
  /// Of an answer of the store: this session has ended. The gate asks for another one.
  static let sessionEnded = Status(rawValue: 1401)
  /// There is no other session without a sign-in.
  static let signedOut = Status(rawValue: 1402)
}

/// The requests of the user's data, and what the store gets of them.
enum UserData {
  /// They wait until somebody is signed in, and while the session is renewed.
  static func addGate(to context: Context) throws(StreamError) {
    try context.addGate(
      "DiaryGate",
      [
        Passing(RequestReadUserEntries.self, as: RequestReadEntries.self),
        Passing(RequestReadUserEntry.self, as: RequestReadEntry.self),
        Passing(RequestWriteUserEntry.self, as: RequestWriteEntry.self),
        Passing(RequestEraseUserEntry.self, as: RequestEraseEntry.self),
        Passing(RequestReadUserDraft.self, as: RequestReadDraft.self),
        Passing(RequestWriteUserDraft.self, as: RequestWriteDraft.self),
      ],
      open: UserIsSignedIn.self,
      refresh: Refresh(RequestRefreshSession.self, after: .sessionEnded))
  }
}
