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

  init(path: String, day: Day?) {
    self.path = path
    self.day = day
  }

  private static let tables = """
    CREATE TABLE IF NOT EXISTS account (
      one INTEGER PRIMARY KEY CHECK (one = 1), token TEXT NOT NULL, nickname TEXT NOT NULL,
      has_agreed INTEGER NOT NULL, has_seen_guide INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS entry (
      id INTEGER PRIMARY KEY AUTOINCREMENT, nickname TEXT NOT NULL, day TEXT NOT NULL,
      text TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS draft (
      nickname TEXT NOT NULL, entry INTEGER NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (nickname, entry)) STRICT;
    CREATE INDEX IF NOT EXISTS entry_nickname ON entry (nickname);
    """

  func account() throws(Failure) -> Account {
    let query = "SELECT token, nickname, has_agreed, has_seen_guide FROM account"
    let accounts = try opened().rows(query, []) { row in
      Account(
        token: row.text(0), nickname: row.text(1), hasAgreed: row.number(2) != 0,
        hasSeenGuide: row.number(3) != 0)
    }
    return accounts.first ?? Account()
  }

  /// Keeps an account. One that signs in gets a token.
  func write(_ account: Account, signsIn: Bool) throws(Failure) -> Account {
    let statement = """
      INSERT OR REPLACE INTO account
      VALUES (1, CASE ?1 WHEN 1 THEN lower(hex(randomblob(8))) ELSE ?2 END, ?3, ?4, ?5)
      """
    let values: [Database.Value] = [
      .number(signsIn ? 1 : 0), .text(account.token), .text(account.nickname),
      .number(account.hasAgreed ? 1 : 0), .number(account.hasSeenGuide ? 1 : 0),
    ]
    _ = try opened().rows(statement, values) { _ in }
    return try self.account()
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

  func add(_ text: String, of nickname: String) throws(Failure) -> Entry? {
    let statement = """
      INSERT INTO entry (nickname, day, text) VALUES (?1, coalesce(?2, date('now', 'localtime')), ?3)
      RETURNING id, day, text
      """
    let today: Database.Value = day.map { .text($0.text) } ?? .null
    return try written(0, of: nickname, by: statement, [.text(nickname), today, .text(text)])
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

  private func opened() throws(Failure) -> Database {
    if let database { return database }
    let database = try Database(path: path)
    try database.run(DiaryFile.tables)
    self.database = database
    return database
  }
}
