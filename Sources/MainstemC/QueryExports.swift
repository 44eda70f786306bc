// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/queries.h

public import CMainstem
internal import MainstemCore

@implementation @_cdecl("mainstem_order_key")
public func mainstem_order_key(
  _ low: UnsafePointer<CChar>?, _ high: UnsafePointer<CChar>?, _ key: UnsafeMutablePointer<CChar>?
) -> mainstem_status {
  call("mainstem_order_key", nil) { () throws(Refusal) in
    guard let key else { throw .null("key") }
    try OrderKey.write(between: low, high, to: key)
  }
}

@implementation @_cdecl("mainstem_order_key_at")
public func mainstem_order_key_at(
  _ index: Int, _ count: Int, _ key: UnsafeMutablePointer<CChar>?
) -> mainstem_status {
  call("mainstem_order_key_at", nil) { () throws(Refusal) in
    guard let key else { throw .null("key") }
    try OrderKey.write(at: UInt(bitPattern: index), of: UInt(bitPattern: count), to: key)
  }
}

@implementation @_cdecl("mainstem_query_make")
public func mainstem_query_make(
  _ json: UnsafePointer<CChar>?, _ size: Int, _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> mainstem_status {
  query?.pointee = nil
  return call("mainstem_query_make", nil) { () throws(Refusal) in
    guard let json else { throw .null("json") }
    guard let query else { throw .null("query") }
    // A `size_t`, whose upper half arrives as negative numbers.
    query.pointee = try Query.make(Bytes(json, size < 0 ? .max : size)).pointer
  }
}

@implementation @_cdecl("mainstem_query_select")
public func mainstem_query_select(
  _ query: OpaquePointer?, _ rows: UnsafePointer<mainstem_list_row>?, _ rowSize: Int,
  _ count: Int, _ indexes: UnsafeMutablePointer<Int>?,
  _ window: UnsafeMutablePointer<mainstem_list_window>?
) -> mainstem_status {
  window?.pointee = mainstem_list_window()
  return call("mainstem_query_select", nil) { () throws(Refusal) in
    guard let window else { throw .null("window") }
    let table = try Table(rows, rowSize, count, "rows")
    let found = try Query.select(Handle(query), table, count, indexes)
    window.pointee = mainstem_list_window(
      offset: found.offset, count: found.count, total: found.total)
  }
}

@implementation @_cdecl("mainstem_query_sql")
public func mainstem_query_sql(
  _ query: OpaquePointer?, _ sql: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ length: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  length?.pointee = 0
  return call("mainstem_query_sql", nil) { () throws(Refusal) in
    guard sql != nil || capacity == 0 else { throw .null("sql") }
    let room = capacity < 0 ? .max : capacity
    let needed = try Query.writeSQL(Handle(query), sql, room)
    length?.pointee = needed
    guard needed < room else {
      throw Refusal(
        .tooBig, "capacity", "bytes are needed, and one more", .number(UInt64(needed)))
    }
  }
}

@implementation @_cdecl("mainstem_query_release")
public func mainstem_query_release(_ query: OpaquePointer?) -> mainstem_status {
  call("mainstem_query_release", nil) { () throws(Refusal) in
    guard let query else { return }
    try Query.close(Handle(query))
  }
}
