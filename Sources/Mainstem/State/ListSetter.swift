// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What is to be known of the rows of a list, to set it.
@usableFromInline struct RowKind<Row> {
  let key: (Row) -> String
  let isSame: (Row, Row) -> Bool
  /// Whether a row that is kept stays as it is: an object may change in place.
  let isFixed: Bool

  /// - Parameters:
  ///   - key: Makes the key of a row.
  ///   - isSame: Whether two rows have the same key and are equal.
  @usableFromInline init(
    key: @escaping (Row) -> String, isSame: @escaping (Row, Row) -> Bool
  ) {
    (self.key, self.isSame) = (key, isSame)
    isFixed = !(Row.self is AnyObject.Type)
  }
}

extension RowKind where Row: Identifiable & Equatable, Row.ID: RowKey {
  /// The rows whose `id` is their key. It is compiled with the program, so that what compares rows knows their type.
  @inlinable init(_ type: Row.Type) {
    self.init(key: { $0.id.rowKey }, isSame: { $0.id == $1.id && $0 == $1 })
  }
}

/// Sets one list of one scope. Only what differs from what was accepted last is encoded.
final class ListSetter<Row: Encodable> {
  private let name: String
  private let kind: RowKind<Row>
  private let form = ValueForm(Row.self)
  // One call sets it at a time; one within that is followed by this one's end.
  @exclusivity(unchecked) private var accepted: (rows: [Row], version: UInt64) = ([], 0)

  /// - Parameter name: The name of the list's type, for messages.
  init(_ name: String, _ kind: RowKind<Row>) { (self.name, self.kind) = (name, kind) }

  /// Says what all rows are. If that is refused, the list stays as it was.
  func set(_ content: Selection<Row>, by setter: ValueSetter) throws(StreamError) {
    let (before, version) = accepted
    let rows = content.rows
    var ends = mainstem_list_ends()
    ends.version = version
    if version != 0, kind.isFixed { (ends.first, ends.last) = kind.ends(of: before, rows) }
    var status = try pass(content, setter, &ends)
    if status == MAINSTEM_STALE, ends.first + ends.last > 0 {
      // Somebody else has set it, or its scope has ended.
      (ends.first, ends.last) = (0, 0)
      status = try pass(content, setter, &ends)
    }
    try StreamError.check(status)
    // What an observer has set meanwhile is newer.
    if accepted.version == version { accepted = (rows, ends.version) }
  }

  private func pass(
    _ content: Selection<Row>, _ setter: ValueSetter, _ ends: inout mainstem_list_ends
  ) throws(StreamError) -> mainstem_status {
    let rows = content.rows
    var window = mainstem_list_window(
      offset: content.offset, count: rows.count, total: content.total)
    var given = GivenRows()
    for index in ends.first..<(rows.count - ends.last) {
      do {
        if !form.with(rows[index], { given.add($0) }) {
          try setter.types.coder.encode(rows[index]).withUnsafeBytes { given.add($0) }
        }
      } catch {
        let why = CodingProblem(error)?.message ?? "\(error)"
        throw StreamError(.invalid, "\(name)[\(index)]: \(why)")
      }
      given.add(key: kind.key(rows[index]))
    }
    return given.withRows { rows in
      mainstem_list_set_window(
        setter.scope, setter.number, rows.baseAddress, MemoryLayout<mainstem_list_row>.stride,
        rows.count, &ends, &window)
    }
  }
}

extension RowKind {
  /// How many rows at the beginning, and then at the end, are the same as before.
  fileprivate func ends(of before: [Row], _ now: [Row]) -> (first: Int, last: Int) {
    before.withUnsafeBufferPointer { before in
      now.withUnsafeBufferPointer { now in
        guard let old = before.baseAddress, let new = now.baseAddress else { return (0, 0) }
        let shorter = min(before.count, now.count)
        // All empty arrays are in one place, too: then none of their rows is the same.
        if old == new, before.count == now.count { return (shorter, 0) }
        let first = same(old, new, shorter)
        let last = sameAtEnd(old + before.count, new + now.count, shorter - first)
        return (first, last)
      }
    }
  }

  /// How many rows are the same from two places on. Copies of a row mostly have the same bytes in memory.
  private func same(
    _ one: UnsafePointer<Row>, _ other: UnsafePointer<Row>, _ most: Int
  ) -> Int {
    var count = 0
    while count < most {
      let next = min(64, most - count)
      if hasSameBytes(one + count, other + count, next) {
        count += next
      } else if hasSameBytes(one + count, other + count, 1) || isSame(one[count], other[count]) {
        count += 1
      } else {
        break
      }
    }
    return count
  }

  /// How many rows are the same before two places.
  private func sameAtEnd(
    _ one: UnsafePointer<Row>, _ other: UnsafePointer<Row>, _ most: Int
  ) -> Int {
    var count = 0
    while count < most {
      let next = min(64, most - count)
      if hasSameBytes(one - count - next, other - count - next, next) {
        count += next
      } else if hasSameBytes(one - count - 1, other - count - 1, 1)
        || isSame(one[-count - 1], other[-count - 1])
      {
        count += 1
      } else {
        break
      }
    }
    return count
  }

  private func hasSameBytes(
    _ one: UnsafePointer<Row>, _ other: UnsafePointer<Row>, _ count: Int
  ) -> Bool {
    memcmp(one, other, count * MemoryLayout<Row>.stride) == 0
  }
}

/// Rows as C takes them, in one piece of memory.
struct GivenRows {
  private var bytes: [UInt8] = []
  private var rows: [(data: Range<Int>, key: Range<Int>)] = []
  private var data = 0..<0

  /// Adds a payload, whose key follows.
  mutating func add(_ payload: UnsafeRawBufferPointer) {
    // A number begins where one may be read.
    bytes.append(contentsOf: repeatElement(0, count: -bytes.count & 7))
    let start = bytes.count
    bytes.append(contentsOf: payload)
    data = start..<bytes.count
  }

  /// Adds the key of the payload that was added last.
  mutating func add(key: String) {
    let start = bytes.count
    bytes.append(contentsOf: key.utf8)
    rows.append((data, start..<bytes.count))
  }

  /// Passes them to `body`; valid for the call.
  func withRows(
    _ body: (UnsafeBufferPointer<mainstem_list_row>) -> mainstem_status
  ) -> mainstem_status {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else {
        return body(UnsafeBufferPointer(start: nil, count: 0))
      }
      let table = rows.map { row in
        mainstem_list_row(
          key: (start + row.key.lowerBound).assumingMemoryBound(to: CChar.self),
          key_size: row.key.count, data: start + row.data.lowerBound, size: row.data.count)
      }
      return table.withUnsafeBufferPointer(body)
    }
  }
}
