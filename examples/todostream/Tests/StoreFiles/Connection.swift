// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A connection to a database file that is not the store's.
public final class Connection {
  private var handle: OpaquePointer?

  /// Opens the file or creates it.
  public init(path: String) throws {
    guard sqlite3_open(path, &handle) == SQLITE_OK else { throw StoreFile.Problem.noFile }
  }

  deinit { sqlite3_close(handle) }

  /// The number that a query returns.
  public func number(of query: String) throws -> Int32 {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { throw StoreFile.Problem.refused(String(cString: sqlite3_errmsg(handle))) }
    return sqlite3_column_int(statement, 0)
  }

  /// Runs statements that return nothing.
  public func run(_ script: String) throws {
    guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else {
      throw StoreFile.Problem.refused(String(cString: sqlite3_errmsg(handle)))
    }
  }
}
