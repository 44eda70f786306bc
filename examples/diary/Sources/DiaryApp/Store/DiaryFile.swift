// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The user and the entries in one SQLite file, which is opened or created when it is first used.
///
/// A call that fails has changed nothing, and the next one tries again. It is for one thread at a time.
final class DiaryFile {
  private let path: String
  /// The day of new entries; nil: today.
  private let day: Day?
  private var database: Database?
  /// What this program has to prove who uses it.
  var keys = SessionKeys()

  init(path: String, day: Day?) {
    self.path = path
    self.day = day
  }

  private static let tables = """
    CREATE TABLE IF NOT EXISTS account (
      one INTEGER PRIMARY KEY CHECK (one = 1), token TEXT NOT NULL, nickname TEXT NOT NULL,
      has_agreed INTEGER NOT NULL, has_seen_guide INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS session (
      token TEXT PRIMARY KEY, nickname TEXT NOT NULL, ends INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS entry (
      id INTEGER PRIMARY KEY AUTOINCREMENT, nickname TEXT NOT NULL, day TEXT NOT NULL,
      text TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS draft (
      nickname TEXT NOT NULL, entry INTEGER NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (nickname, entry)) STRICT;
    CREATE INDEX IF NOT EXISTS entry_nickname ON entry (nickname);
    """

  /// Who it is, and whether they are still signed in since the last visit.
  func account() throws(Failure) -> Account {
    let query = "SELECT token, nickname, has_agreed, has_seen_guide FROM account"
    let accounts = try opened().rows(query, []) { row in
      (
        row.text(0),
        Account(
          isSignedIn: !row.text(0).isEmpty, nickname: row.text(1), hasAgreed: row.number(2) != 0,
          hasSeenGuide: row.number(3) != 0)
      )
    }
    guard let (token, account) = accounts.first else { return Account() }
    keys.account = token
    return account
  }

  /// The newest entries, or those before one: at most so many, and whether there are more.
  func entries(
    of nickname: String, before id: Int?, count: Int
  ) throws(Failure) -> (entries: [Entry], isLast: Bool) {
    let query = """
      SELECT id, day, text FROM entry WHERE nickname = ?1 AND (?2 IS NULL OR id < ?2)
      ORDER BY id DESC LIMIT ?3
      """
    let before = id.map(Database.Value.number) ?? .null
    let entries = try opened().rows(
      query, [.text(nickname), before, .number(count + 1)], DiaryFile.entry)
    return (Array(entries.prefix(count)), entries.count <= count)
  }

  func entry(_ id: Int, of nickname: String) throws(Failure) -> Entry? {
    let query = "SELECT id, day, text FROM entry WHERE nickname = ?1 AND id = ?2"
    return try opened().rows(query, [.text(nickname), .number(id)], DiaryFile.entry).first
  }

  func total(of nickname: String) throws(Failure) -> Int {
    let query = "SELECT count(*) FROM entry WHERE nickname = ?1"
    return try opened().rows(query, [.text(nickname)]) { $0.number(0) }.first ?? 0
  }

  /// The time, in seconds since 1970.
  func now() throws(Failure) -> Int {
    try opened().rows("SELECT strftime('%s', 'now')", []) { $0.number(0) }.first ?? 0
  }

  /// The day that it is at a time. A day ends at midnight, where this machine is.
  func today(at time: Int) throws(Failure) -> Today {
    if let day { return Today(day: day.text) }
    let query = """
      SELECT day, strftime('%s', day, '+1 day', 'utc')
      FROM (SELECT date(?1, 'unixepoch', 'localtime') AS day)
      """
    let days = try opened().rows(query, [.number(time)]) {
      Today(day: $0.text(0), ends: $0.number(1))
    }
    return days.first ?? Today(day: "")
  }

  func add(_ text: String, of nickname: String, at time: Int) throws(Failure) -> Entry? {
    let statement = """
      INSERT INTO entry (nickname, day, text) VALUES (?1, ?2, ?3) RETURNING id, day, text
      """
    let day = try today(at: time).day
    return try written(0, of: nickname, by: statement, [.text(nickname), .text(day), .text(text)])
  }

  func change(_ id: Int, to text: String, of nickname: String) throws(Failure) -> Entry? {
    let statement = """
      UPDATE entry SET text = ?3 WHERE nickname = ?1 AND id = ?2 RETURNING id, day, text
      """
    let values: [Database.Value] = [.text(nickname), .number(id), .text(text)]
    return try written(id, of: nickname, by: statement, values)
  }

  func erase(_ id: Int, of nickname: String) throws(Failure) -> Entry? {
    let statement = "DELETE FROM entry WHERE nickname = ?1 AND id = ?2 RETURNING id, day, text"
    return try written(id, of: nickname, by: statement, [.text(nickname), .number(id)])
  }

  /// What was typed and not saved.
  func draft(_ id: Int, of nickname: String) throws(Failure) -> String? {
    let query = "SELECT text FROM draft WHERE nickname = ?1 AND entry = ?2"
    return try opened().rows(query, [.text(nickname), .number(id)]) { $0.text(0) }.first
  }

  /// Keeps a draft; without a text, forgets it.
  func keep(_ text: String?, as id: Int, of nickname: String) throws(Failure) {
    let values: [Database.Value] = [.text(nickname), .number(id)]
    guard let text else {
      _ = try opened().rows(DiaryFile.forget, values) { _ in }
      return
    }
    let statement = "INSERT OR REPLACE INTO draft VALUES (?1, ?2, ?3)"
    _ = try opened().rows(statement, values + [.text(text)]) { _ in }
  }

  private static let forget = "DELETE FROM draft WHERE nickname = ?1 AND entry = ?2"

  /// Changes an entry, and forgets its draft with it.
  private func written(
    _ draft: Int, of nickname: String, by statement: String, _ values: [Database.Value]
  ) throws(Failure) -> Entry? {
    let database = try opened()
    return try database.transaction { () throws(Failure) in
      let entry = try database.rows(statement, values, DiaryFile.entry).first
      if entry != nil {
        _ = try database.rows(DiaryFile.forget, [.text(nickname), .number(draft)]) { _ in }
      }
      return entry
    }
  }

  private static func entry(_ row: borrowing Database.Columns) -> Entry {
    Entry(id: row.number(0), day: row.text(1), text: row.text(2))
  }

  func opened() throws(Failure) -> Database {
    if let database { return database }
    let database = try Database(path: path)
    try database.run(DiaryFile.tables)
    self.database = database
    return database
  }
}
