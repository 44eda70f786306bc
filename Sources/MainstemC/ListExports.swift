// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

// mainstem/lists.h

public import CMainstem
internal import MainstemCore

extension Table: GivenRows where Row == mainstem_list_row {
  subscript(_ index: Int) -> ListRow {
    let row: mainstem_list_row = self[index]
    return ListRow(
      key: Bytes(
        row.key.map { UnsafeRawPointer($0) } ?? Draft.nothing, row.key == nil ? 0 : row.key_size),
      data: Bytes(
        row.data ?? Draft.nothing,
        row.data == nil && row.size != 0 ? ListRow.missing : row.size))
  }
}

@implementation @_cdecl("mainstem_list_set")
public func mainstem_list_set(
  _ context: OpaquePointer?, _ type: mainstem_event_type,
  _ rows: UnsafePointer<mainstem_list_row>?, _ rowSize: Int, _ count: Int,
  _ ends: UnsafeMutablePointer<mainstem_list_ends>?
) -> mainstem_status {
  callOfAnswer("mainstem_list_set", context) { () throws(Refusal) in
    let table = try Table(rows, rowSize, count, "rows")
    let kept = ends.map {
      Stream.Ends(
        version: $0.pointee.version, first: $0.pointee.first, last: $0.pointee.last)
    }
    let version = try Stream.setList(Handle(context), type, kept, table, count: count)
    ends?.pointee.version = version
  }
}

/// Reads the event of a list.
private func read(
  _ function: Phrase, _ event: UnsafePointer<mainstem_event>?,
  _ body: (Stream.ListEvent) throws(Refusal) -> Void
) -> mainstem_status {
  call(function, nil) { () throws(Refusal) in
    guard let event else { throw .null("event") }
    try body(try Stream.ListEvent(event))
  }
}

@implementation @_cdecl("mainstem_list_read")
public func mainstem_list_read(
  _ event: UnsafePointer<mainstem_event>?, _ index: Int,
  _ change: UnsafeMutablePointer<mainstem_list_change>?
) -> mainstem_status {
  change?.pointee = mainstem_list_change()
  return read("mainstem_list_read", event) { (list) throws(Refusal) in
    guard let change else { throw .null("change") }
    guard index >= 0, let found = list.change(index) else {
      throw Refusal(
        .invalid, "index", "is beyond the event's changes", .number(UInt64(UInt(bitPattern: index)))
      )
    }
    change.pointee = mainstem_list_change(
      kind: found.kind.rawValue, reserved: 0, index: found.index, count: found.count, to: found.to)
  }
}

@implementation @_cdecl("mainstem_list_span")
public func mainstem_list_span(
  _ event: UnsafePointer<mainstem_event>?, _ at: UnsafeMutablePointer<Int>?,
  _ removed: UnsafeMutablePointer<Int>?, _ added: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  at?.pointee = 0
  removed?.pointee = 0
  added?.pointee = 0
  return read("mainstem_list_span", event) { (list) throws(Refusal) in
    guard let at else { throw .null("at") }
    guard let removed else { throw .null("removed") }
    guard let added else { throw .null("added") }
    (at.pointee, removed.pointee, added.pointee) = list.span ?? (0, 0, list.count)
  }
}

@implementation @_cdecl("mainstem_list_count")
public func mainstem_list_count(
  _ event: UnsafePointer<mainstem_event>?, _ count: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  count?.pointee = 0
  return read("mainstem_list_count", event) { (list) throws(Refusal) in
    guard let count else { throw .null("count") }
    count.pointee = list.count
  }
}

@implementation @_cdecl("mainstem_list_row_get")
public func mainstem_list_row_get(
  _ event: UnsafePointer<mainstem_event>?, _ index: Int,
  _ row: UnsafeMutablePointer<mainstem_list_row>?
) -> mainstem_status {
  row?.pointee = mainstem_list_row()
  return read("mainstem_list_row_get", event) { (list) throws(Refusal) in
    guard let row else { throw .null("row") }
    guard index >= 0, let found = list.row(index) else {
      throw Refusal(
        .invalid, "index", "is beyond the rows of the list",
        .number(UInt64(UInt(bitPattern: index))))
    }
    row.pointee = mainstem_list_row(
      key: found.key.start.assumingMemoryBound(to: CChar.self), key_size: found.key.count,
      data: found.data.start, size: found.data.count)
  }
}

@implementation @_cdecl("mainstem_list_find")
public func mainstem_list_find(
  _ event: UnsafePointer<mainstem_event>?, _ key: UnsafePointer<CChar>?, _ keySize: Int,
  _ index: UnsafeMutablePointer<Int>?
) -> mainstem_status {
  index?.pointee = 0
  return read("mainstem_list_find", event) { (list) throws(Refusal) in
    guard let key else { throw .null("key") }
    guard let index else { throw .null("index") }
    guard keySize >= 0, let found = list.find(Bytes(key, keySize)) else {
      throw Refusal(.unset, "key", "is not in the list")
    }
    index.pointee = found
  }
}
