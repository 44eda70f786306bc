// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import TodoModel

extension StoreError {
  /// The error for a SQLite call that returned `code`.
  init(_ code: Int32, _ database: OpaquePointer?) {
    let message = database.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    let words = message.map { String(cString: $0) } ?? "unknown"
    self.init(StoreError.reason(of: code), "SQLite \(code): \(words)")
  }

  private static func reason(of code: Int32) -> Reason {
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: .locked
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_FULL: .noSpace
    case SQLITE_CANTOPEN, SQLITE_AUTH: .unavailable
    case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_FORMAT: .unreadable
    default: .failed
    }
  }
}
