// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import TodoModel

/// A prepared statement. Text is copied in and out; columns count from 0, parameters from 1.
final class Statement {
  private let handle: OpaquePointer
  private let database: OpaquePointer

  /// Prepares a text. The statement lives until the database is closed.
  init(_ text: String, in database: OpaquePointer) throws(StoreError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw StoreError(code, database) }
    handle = prepared
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Makes the statement ready to run again and releases the file.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Steps to the next row; false at the end.
  func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw StoreError(code, database)
    }
  }

  func bind(_ text: String?, at index: Int32) throws(StoreError) {
    guard let text else { return try check(sqlite3_bind_null(handle, index)) }
    // SQLITE_TRANSIENT: SQLite copies the text. The C macro is a cast that Swift does not import.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let size = Int32(clamping: text.utf8.count)
    try check(sqlite3_bind_text(handle, index, text, size, copied))
  }

  func bind(_ number: Int64?, at index: Int32) throws(StoreError) {
    guard let number else { return try check(sqlite3_bind_null(handle, index)) }
    try check(sqlite3_bind_int64(handle, index, number))
  }

  func text(at column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func number(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func isNull(at column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else { throw StoreError(code, database) }
  }
}
