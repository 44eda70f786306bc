// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Selects rows by a query, row by row.
struct QuerySelection {
  private let query: QueryParts
  /// What the current row has for each field of the query.
  private var values = Growing<(QueryValue, lowered: QueryValue)>()
  private var texts = TextArena()
  /// Of the rows that match: their indexes, and the values that they are sorted by.
  private var matches = Growing<Int>()
  private var keys = Growing<QueryValue>()
  private var window = ListWindow(all: 0)

  /// - Parameter indexes: Room for those in the window; nil: they are only counted.
  static func select<Rows: GivenRows>(
    _ query: QueryParts, _ rows: Rows, _ count: Int, _ indexes: UnsafeMutablePointer<Int>?
  ) throws(Refusal) -> ListWindow {
    var selection = QuerySelection(query: query)
    defer { selection.free() }
    try selection.makeRoom()
    var index = 0
    while index < count {
      let mark = selection.texts.mark
      let isKept = try selection.matches(rows[index], index)
      if isKept { try selection.note(index, indexes) }
      if !isKept || query.sorts.count == 0 { selection.texts.reset(to: mark) }
      index &+= 1
    }
    try selection.finish(indexes)
    return selection.window
  }

  private init(query: QueryParts) { self.query = query }

  private mutating func free() {
    values.free()
    texts.free()
    matches.free()
    keys.free()
  }

  private mutating func makeRoom() throws(Refusal) {
    while values.count < query.fields.count { try values.append((.null, .null)) }
  }

  /// Notes a row that matches.
  private mutating func note(
    _ index: Int, _ indexes: UnsafeMutablePointer<Int>?
  ) throws(Refusal) {
    window.total &+= 1
    guard let indexes else { return }
    guard query.sorts.count > 0 else {
      let place = window.total &- 1 &- query.offset
      if place >= 0, place < query.limit { indexes[place] = index }
      return
    }
    try matches.append(index)
    var sort = 0
    while sort < query.sorts.count {
      try keys.append(value(query.sorts[sort].operand))
      sort &+= 1
    }
  }

  private mutating func finish(_ indexes: UnsafeMutablePointer<Int>?) throws(Refusal) {
    window.offset = min(query.offset, window.total)
    window.count = min(query.limit, window.total &- window.offset)
    guard let indexes, query.sorts.count > 0, window.count > 0 else { return }
    let places = try sorted()
    defer { Memory.free(places) }
    var index = 0
    while index < window.count {
      indexes[index] = matches[places[window.offset &+ index]]
      index &+= 1
    }
  }
}

// MARK: Values

extension QuerySelection {
  /// Reads the fields of a row, and says whether the row matches.
  private mutating func matches(_ row: ListRow, _ index: Int) throws(Refusal) -> Bool {
    guard row.data.count != ListRow.missing else {
      throw Refusal(.invalid, "rows", "has no data", .row(UInt64(index)))
    }
    var field = 0
    while field < values.count {
      values[field] = (.null, .null)
      field &+= 1
    }
    var reader = JSONReader(row.data)
    guard try read(&reader, row), reader.peek() == nil else {
      throw QuerySelection.refusal(row, nil, "is not a JSON object")
    }
    return isTrue()
  }

  /// Reads an object, and those in it that have fields of the query; false: it is none.
  @_optimize(speed)
  private mutating func read(_ reader: inout JSONReader, _ row: ListRow) throws(Refusal) -> Bool {
    var (parent, isFirst) = (0, true)
    guard reader.take(0x7B) else { return false }
    while true {
      if reader.take(0x7D) {
        guard parent > 0 else { return true }
        (parent, isFirst) = (query.fields[parent].parent, false)
        continue
      }
      guard isFirst || reader.take(0x2C), let escaped = reader.takeText(),
        let name = try texts.unescape(escaped), reader.take(0x3A)
      else { return false }
      isFirst = false
      let field = query.find(name, in: parent)
      if field > 0, query.fields[field].child > 0, reader.peek() == 0x7B,
        !query.fields[field].isRead
      {
        _ = reader.take(0x7B)
        (parent, isFirst) = (field, true)
      } else if field > 0, query.fields[field].isRead {
        guard try take(&reader, field, row) else { return false }
      } else if !reader.skip() {
        return false
      }
    }
  }

  /// Takes the value of a field; false: it is none.
  private mutating func take(
    _ reader: inout JSONReader, _ field: Int, _ row: ListRow
  ) throws(Refusal) -> Bool {
    var value: QueryValue
    var lowered: QueryValue?
    switch reader.peek() {
    case 0x22:
      guard let escaped = reader.takeText(), let text = try texts.unescape(escaped) else {
        return false
      }
      value = .text(text)
      if query.fields[field].isLowered { lowered = .text(try texts.lower(text)) }
    case 0x74, 0x66, 0x6E:
      guard let first = reader.takeWord() else { return false }
      value = first == 0x6E ? .null : .truth(first == 0x74)
    case 0x7B, 0x5B:
      throw QuerySelection.refusal(
        row, query.fields[field].name, "is an object or a list: name a field in it")
    default:
      guard let digits = reader.takeNumber() else { return false }
      guard let number = QueryValue(number: digits) else {
        throw QuerySelection.refusal(
          row, query.fields[field].name, "is a number that fits no double")
      }
      value = number
    }
    values[field] = (value, lowered ?? value)
    return true
  }

  @inline(never)
  private static func refusal(_ row: ListRow, _ field: Bytes?, _ reason: Phrase) -> Refusal {
    var subject = SubjectWriter()
    if let field {
      subject.add(Bytes(field.start, min(field.count, 255)))
      subject.add(" of ")
    }
    subject.add("row ")
    subject.add(Bytes(row.key.start, min(row.key.count, ListRow.longestKey)))
    return Refusal(.invalid, "rows", reason, .name(subject.bytes))
  }

  @inline(__always)
  private func value(_ operand: QueryOperand) -> QueryValue {
    switch operand.kind {
    case .field: values[operand.index].0
    case .lowered: values[operand.index].lowered
    case .constant: query.constants[operand.index]
    }
  }
}

// MARK: Conditions

extension QuerySelection {
  /// Whether the current row matches: each step is taken once at most.
  @_optimize(speed)
  private func isTrue() -> Bool {
    var isTrue = true
    var index = 0
    while index < query.steps.count {
      let step = query.steps[index]
      index &+= 1
      switch step.kind {
      case .open, .close: break
      case .and: if !isTrue { index = step.target }
      case .or: if isTrue { index = step.target }
      default: isTrue = test(step) != step.isNegated
      }
    }
    return isTrue
  }

  private func test(_ step: QueryStep) -> Bool {
    let left = value(step.left)
    switch step.kind {
    case .isTrue: return left.isTrue
    case .among:
      var index = step.right.index
      while index < step.target {
        if QueryValue.order(left, query.constants[index]) == 0 { return true }
        index &+= 1
      }
      return false
    default: break
    }
    let right = value(step.right)
    switch (step.kind, left, right) {
    case (.contains, .text(let left), .text(let right)):
      return mainstem_p_contains(left.start, left.count, right.start, right.count)
    case (.begins, .text(let left), .text(let right)):
      return left.count >= right.count
        && mainstem_p_order(left.start, right.start, right.count) == 0
    case (.equal, _, _): return QueryValue.order(left, right) == 0
    case (.less, _, _):
      return !left.isNull && !right.isNull && QueryValue.order(left, right) < 0
    case (.lessOrEqual, _, _):
      return !left.isNull && !right.isNull && QueryValue.order(left, right) <= 0
    default: return false
    }
  }
}

// MARK: Sorting

extension QuerySelection {
  /// The places of the matches in order: runs are merged, two at a time, so that equal rows stay in their order.
  private func sorted() throws(Refusal) -> UnsafeMutablePointer<Int> {
    let count = matches.count
    guard var from = Memory.allocate(Int.self, count: count) else { throw .noMemory }
    guard var to = Memory.allocate(Int.self, count: count) else {
      Memory.free(from)
      throw .noMemory
    }
    var place = 0
    while place < count {
      from[place] = place
      place &+= 1
    }
    var width = 1
    while width < count {
      var start = 0
      while start < count {
        merge(from, to, start, min(start &+ width, count), min(start &+ 2 &* width, count))
        start &+= 2 &* width
      }
      (from, to) = (to, from)
      width &*= 2
    }
    Memory.free(to)
    return from
  }

  @_optimize(speed)
  private func merge(
    _ from: UnsafeMutablePointer<Int>, _ to: UnsafeMutablePointer<Int>, _ start: Int,
    _ middle: Int, _ end: Int
  ) {
    var (left, right, place) = (start, middle, start)
    while place < end {
      if left < middle, right >= end || !precedes(from[right], from[left]) {
        to[place] = from[left]
        left &+= 1
      } else {
        to[place] = from[right]
        right &+= 1
      }
      place &+= 1
    }
  }

  private func precedes(_ one: Int, _ other: Int) -> Bool {
    let width = query.sorts.count
    var sort = 0
    while sort < width {
      let order = QueryValue.order(keys[one &* width &+ sort], keys[other &* width &+ sort])
      if order != 0 { return (order < 0) != query.sorts[sort].isDescending }
      sort &+= 1
    }
    return false
  }
}
