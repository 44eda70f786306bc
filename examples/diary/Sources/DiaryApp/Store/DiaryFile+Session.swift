// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// What proves who uses the diary. It leaves the store in no event, so it is in no journal.
struct SessionKeys {
  /// From one visit to the next: with it, a session is begun. Empty: nobody is signed in.
  var account = ""
  /// Of the session; empty: none has begun.
  var session = ""

  /// How long a session lasts, in seconds.
  static let length = 30 * 60
  /// What the user is told where one cannot go on.
  static let ended = "Your session has ended. Please sign in again."
}

/// The part of an account service. Another program may sign out whoever is signed in here, or sign in somebody else.
extension DiaryFile {
  /// Keeps an account. One that signs in gets a new key, and a session; one that signs out has none.
  ///
  /// - Parameter time: The time, as everywhere here: seconds since 1970.
  func write(_ account: Account, signsIn: Bool, at time: Int) throws(Failure) -> Account {
    let key = "CASE WHEN ?1 THEN lower(hex(randomblob(16))) WHEN ?2 THEN ?3 ELSE '' END"
    let values: [Database.Value] = [
      .number(signsIn ? 1 : 0), .number(account.isSignedIn ? 1 : 0), .text(keys.account),
      .text(account.nickname), .number(account.hasAgreed ? 1 : 0),
      .number(account.hasSeenGuide ? 1 : 0),
    ]
    let database = try opened()
    let written = try database.transaction { () throws(Failure) in
      let statement = "INSERT OR REPLACE INTO account VALUES (1, \(key), ?4, ?5, ?6)"
      _ = try database.rows(statement, values) { _ in }
      if signsIn || !account.isSignedIn { try database.run("DELETE FROM session") }
      return try self.account()
    }
    if signsIn { try renewSession(at: time) }
    return written
  }

  /// Begins a session of who is signed in.
  func renewSession(at time: Int) throws(Failure) {
    let statement = """
      INSERT INTO session SELECT lower(hex(randomblob(16))), nickname, ?2 FROM account
      WHERE token = ?1 AND token != '' RETURNING token
      """
    let database = try opened()
    let begun = try database.transaction { () throws(Failure) in
      _ = try database.rows("DELETE FROM session WHERE ends <= ?1", [.number(time)]) { _ in }
      return try database.rows(
        statement, [.text(keys.account), .number(time + SessionKeys.length)]
      ) { $0.text(0) }
    }
    guard let token = begun.first else {
      throw Failure("SIGNED_OUT", userMessage: SessionKeys.ended, code: .signedOut)
    }
    keys.session = token
  }

  /// Whose session it is; nil: it has ended.
  func nickname(at time: Int) throws(Failure) -> String? {
    let query = "SELECT nickname FROM session WHERE token = ?1 AND ends > ?2"
    let values = [Database.Value.text(keys.session), .number(time)]
    return try opened().rows(query, values) { $0.text(0) }.first
  }
}
