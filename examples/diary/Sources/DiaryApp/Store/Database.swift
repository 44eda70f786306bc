// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Mainstem

/// An open SQLite file.
final class Database {
  private let handle: OpaquePointer

  /// Opens the file or creates it.
  init(path: String) throws(Failure) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let failure = Database.failure(opened)
      sqlite3_close_v2(opened)
      throw failure
    }
    handle = opened
    sqlite3_busy_timeout(handle, 1000)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements that return nothing.
  func run(_ script: String) throws(Failure) {
    guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else {
      throw Database.failure(handle)
    }
  }

  /// Does all of something, or nothing.
  func transaction<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try run("BEGIN IMMEDIATE")
    do throws(Failure) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// Runs one statement, and makes something of each row that it returns.
  func rows<Row>(
    _ text: String, _ values: [Value], _ make: (borrowing Columns) -> Row
  ) throws(Failure) -> [Row] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK else {
      throw Database.failure(handle)
    }
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() { value.bind(to: statement, at: Int32(index + 1)) }
    var rows: [Row] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(make(Columns(statement: statement)))
      case SQLITE_DONE: return rows
      default: throw Database.failure(handle)
      }
    }
  }

  /// What SQLite says, for developers; for users that it cannot be helped.
  private static func failure(_ database: OpaquePointer?) -> Failure {
    let message = database.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
    return Failure("SQLite: \(message)", userMessage: "The diary's file cannot be used.")
  }

  /// What a statement is given: its parameters, in order.
  enum Value {
    case text(String)
    case number(Int)
    case null

    fileprivate func bind(to statement: OpaquePointer?, at index: Int32) {
      switch self {
      case .text(let text):
        // SQLITE_TRANSIENT: SQLite copies the text. The C macro is a cast that Swift does not import.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(statement, index, text, Int32(clamping: text.utf8.count), copied)
      case .number(let number): sqlite3_bind_int64(statement, index, Int64(number))
      case .null: sqlite3_bind_null(statement, index)
      }
    }
  }

  /// A row that a statement returns.
  struct Columns: ~Copyable {
    fileprivate let statement: OpaquePointer?

    func number(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    func text(_ column: Int32) -> String {
      guard let bytes = sqlite3_column_text(statement, column) else { return "" }
      let count = Int(sqlite3_column_bytes(statement, column))
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
  }
}
