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
  set("mainstem_list_set", context, type, rows, rowSize, count, ends, nil)
}

@implementation @_cdecl("mainstem_list_set_window")
public func mainstem_list_set_window(
  _ context: OpaquePointer?, _ type: mainstem_event_type,
  _ rows: UnsafePointer<mainstem_list_row>?, _ rowSize: Int, _ count: Int,
  _ ends: UnsafeMutablePointer<mainstem_list_ends>?, _ window: UnsafePointer<mainstem_list_window>?
) -> mainstem_status {
  set("mainstem_list_set_window", context, type, rows, rowSize, count, ends, window)
}

private func set(
  _ function: Phrase, _ context: OpaquePointer?, _ type: mainstem_event_type,
  _ rows: UnsafePointer<mainstem_list_row>?, _ rowSize: Int, _ count: Int,
  _ ends: UnsafeMutablePointer<mainstem_list_ends>?, _ window: UnsafePointer<mainstem_list_window>?
) -> mainstem_status {
  callOfAnswer(function, context) { () throws(Refusal) in
    let table = try Table(rows, rowSize, count, "rows")
    let kept = ends.map {
      Stream.Ends(
        version: $0.pointee.version, first: $0.pointee.first, last: $0.pointee.last)
    }
    let part = window.map {
      ListWindow(
        offset: $0.pointee.offset, count: $0.pointee.count, total: $0.pointee.total)
    }
    let version = try Stream.setList(Handle(context), type, kept, part, table, count: count)
    ends?.pointee.version = version
  }
}

extension Table: GivenChildren where Row == mainstem_child {
  func child(_ index: Int) -> ChildGiven {
    let child: mainstem_child = self[index]
    return ChildGiven(
      key: Bytes(
        child.key.map { UnsafeRawPointer($0) } ?? Draft.nothing,
        child.key == nil ? 0 : child.key_size),
      isAnew: child.flags & UInt64(MAINSTEM_CHILD_ANEW) != 0)
  }
}

@implementation @_cdecl("mainstem_children_set")
public func mainstem_children_set(
  _ context: OpaquePointer?, _ type: mainstem_event_type,
  _ children: UnsafePointer<mainstem_child>?, _ rowSize: Int, _ count: Int,
  _ ends: UnsafeMutablePointer<mainstem_list_ends>?, _ open: mainstem_child_fn?,
  _ userData: UnsafeMutableRawPointer?
) -> mainstem_status {
  callOfAnswer("mainstem_children_set", context) { () throws(Refusal) in
    let table = try Table(children, rowSize, count, "children")
    guard let open else { throw .null("open") }
    var index = 0
    while index < count {
      guard table[index].flags & ~UInt64(MAINSTEM_CHILD_ANEW) == 0 else {
        throw Refusal(
          .unsupported, "children.flags", "has a flag that this library does not know",
          .row(UInt64(index)))
      }
      index &+= 1
    }
    let kept = ends.map {
      Stream.Ends(
        version: $0.pointee.version, first: $0.pointee.first, last: $0.pointee.last)
    }
    let version = try Stream.setChildren(
      Handle(context), type, kept, table, count: count
    ) { index in
      var child: OpaquePointer?
      let status = open(userData, context, index, &child)
      return (status, Handle(child))
    }
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

@implementation @_cdecl("mainstem_list_window_get")
public func mainstem_list_window_get(
  _ event: UnsafePointer<mainstem_event>?, _ window: UnsafeMutablePointer<mainstem_list_window>?
) -> mainstem_status {
  window?.pointee = mainstem_list_window()
  return read("mainstem_list_window_get", event) { (list) throws(Refusal) in
    guard let window else { throw .null("window") }
    window.pointee = mainstem_list_window(
      offset: list.window.offset, count: list.count, total: list.window.total)
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
