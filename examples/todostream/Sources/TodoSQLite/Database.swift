// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import TodoModel

/// One open SQLite file and the statements that were prepared on it.
final class Database {
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// Opens the file or creates it. A read-only file is opened for reading.
  init(path: String, patience: Patience) throws(StoreError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = StoreError(code, opened)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, patience.milliseconds)
    try useWriteAheadLog()
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// The prepared statement for a text, prepared only once.
  func statement(_ text: String) throws(StoreError) -> Statement {
    if let known = statements[text] { return known }
    let statement = try Statement(text, in: handle)
    statements[text] = statement
    return statement
  }

  /// The single number that a query returns.
  func number(of query: String) throws(StoreError) -> Int64 {
    let statement = try Statement(query, in: handle)
    return try statement.step() ? statement.number(at: 0) : 0
  }

  /// Does work that changes the file: all of it or none.
  func transaction(_ work: () throws(StoreError) -> Void) throws(StoreError) {
    try run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      try work()
      try run("COMMIT")
    } catch {
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// Runs statements that return nothing.
  func run(_ script: String) throws(StoreError) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw StoreError(code, handle) }
  }

  /// Turns on write-ahead logging, so that readers never wait for a writer. A read-only file keeps its mode.
  private func useWriteAheadLog() throws(StoreError) {
    do throws(StoreError) {
      try run("PRAGMA journal_mode = WAL")
    } catch {
      guard error.reason == .readOnly else { throw error }
    }
  }
}
