// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A value that a condition names: `$name`. It has a constant as it is and, behind that, one in lower case.
struct QueryName {
  let name: Bytes
  let constant: Int
}

/// Parses a condition, or what rows are sorted by. No more than 64 calls are nested.
struct QueryParser {
  static var deepest: Int { 64 }
  static var mostFields: Int { 256 }

  private let text: Bytes
  private var index = 0
  /// Where the text is in the query.
  private let place: SubjectWriter
  private let names: Growing<QueryName>
  var parts: QueryParts

  init(_ text: Bytes, _ place: SubjectWriter, _ names: Growing<QueryName>, _ parts: QueryParts) {
    (self.text, self.place, self.names, self.parts) = (text, place, names, parts)
  }

  /// Parses all of the text as a condition.
  mutating func parseCondition() throws(Refusal) {
    try alternatives(isNegated: false, depth: 0)
    guard peek() == nil else { throw expected("expected and, or, or the end") }
  }

  /// Parses all of the text as what rows are sorted by.
  mutating func parseSort() throws(Refusal) {
    let isDescending = take(0x2D)
    let operand = try operand("expected a field, or lower(field)")
    guard operand.kind != .constant, peek() == nil else {
      throw expected("expected a field, or lower(field), and nothing else")
    }
    try parts.sorts.append(QuerySort(operand: operand, isDescending: isDescending))
  }
}

// MARK: Conditions

extension QueryParser {
  private mutating func alternatives(isNegated: Bool, depth: Int) throws(Refusal) {
    var jumps = 0
    try conjunction(isNegated: isNegated, depth: depth)
    while take(word: "or") {
      jumps = try join(isOr: !isNegated, jumps)
      try conjunction(isNegated: isNegated, depth: depth)
    }
    land(jumps)
  }

  /// What is negated is joined by the other word, which may bind less: it gets brackets.
  private mutating func conjunction(isNegated: Bool, depth: Int) throws(Refusal) {
    var jumps = 0
    if isNegated { try parts.steps.append(QueryStep(kind: .open)) }
    try term(isNegated: isNegated, depth: depth)
    while take(word: "and") {
      jumps = try join(isOr: isNegated, jumps)
      try term(isNegated: isNegated, depth: depth)
    }
    if isNegated { try parts.steps.append(QueryStep(kind: .close)) }
    land(jumps)
  }

  private mutating func term(isNegated: Bool, depth: Int) throws(Refusal) {
    var isNegated = isNegated
    while take(word: "not") { isNegated.toggle() }
    guard take(0x28) else { return try comparison(isNegated) }
    guard depth < QueryParser.deepest else {
      throw expected("brackets are nested deeper than 64")
    }
    try parts.steps.append(QueryStep(kind: .open))
    try alternatives(isNegated: isNegated, depth: depth &+ 1)
    guard take(0x29) else { throw expected("expected and, or, or )") }
    try parts.steps.append(QueryStep(kind: .close))
  }

  /// Adds a join, whose target is the join before for now, plus 1.
  private mutating func join(isOr: Bool, _ before: Int) throws(Refusal) -> Int {
    try parts.steps.append(QueryStep(kind: isOr ? .or : .and, target: before))
    return parts.steps.count
  }

  /// Lets joins go on here.
  private func land(_ last: Int) {
    var jumps = last
    while jumps > 0 {
      let before = parts.steps[jumps &- 1].target
      parts.steps[jumps &- 1].target = parts.steps.count
      jumps = before
    }
  }

  private mutating func comparison(_ isNegated: Bool) throws(Refusal) {
    _ = peek()
    let start = index
    let left = try operand("expected a field, a value, not, or (")
    guard let (kind, isTurned, isOther) = takeOperator() else {
      if left.kind == .lowered || left.kind == .constant && !isCondition(left) {
        index = start
        throw expected("expected a condition: a text or null alone is none")
      }
      return try parts.steps.append(
        QueryStep(kind: .isTrue, isNegated: isNegated, left: left))
    }
    if kind == .among { return try among(left, isNegated) }
    let right = try operand("expected a field or a value")
    try parts.steps.append(
      QueryStep(
        kind: kind, isNegated: isNegated != isOther, left: isTurned ? right : left,
        right: isTurned ? left : right))
  }

  private func isCondition(_ operand: QueryOperand) -> Bool {
    switch parts.constants[operand.index] {
    case .integer, .double: true
    default: false
    }
  }

  /// An operator; whether its operands change places, and whether the result is turned round.
  private mutating func takeOperator() -> (QueryStep.Kind, isTurned: Bool, isOther: Bool)? {
    switch peek() {
    case 0x3D:  // =
      index &+= 1
      return (.equal, false, false)
    case 0x21 where index &+ 1 < text.count && text[index &+ 1] == 0x3D:  // !=
      index &+= 2
      return (.equal, false, true)
    case let sign? where sign == 0x3C || sign == 0x3E:  // < >
      index &+= 1
      let isEqualToo = index < text.count && text[index] == 0x3D
      if isEqualToo { index &+= 1 }
      return (isEqualToo ? .lessOrEqual : .less, sign == 0x3E, false)
    default: break
    }
    if take(word: "contains") { return (.contains, false, false) }
    if take(word: "begins") { return (.begins, false, false) }
    return take(word: "in") ? (.among, false, false) : nil
  }

  /// The list behind `in`.
  private mutating func among(_ left: QueryOperand, _ isNegated: Bool) throws(Refusal) {
    guard take(0x28) else { throw expected("expected ( and values") }
    // What lower() changes is a constant, too: those of the list come behind all of these.
    var list = Growing<QueryValue>()
    defer { list.free() }
    repeat {
      let value = try operand("expected a value")
      guard value.kind == .constant else {
        throw expected("expected a value, not a field, before this")
      }
      try list.append(parts.constants[value.index])
    } while take(0x2C)
    guard take(0x29) else { throw expected("expected , or )") }
    let first = parts.constants.count
    var index = 0
    while index < list.count {
      try parts.constants.append(list[index])
      index &+= 1
    }
    try parts.steps.append(
      QueryStep(
        kind: .among, isNegated: isNegated, left: left,
        right: QueryOperand(kind: .constant, index: first), target: parts.constants.count))
  }
}

// MARK: Operands

extension QueryParser {
  private mutating func operand(_ wanted: Phrase) throws(Refusal) -> QueryOperand {
    let start = index
    if take(word: "lower") {
      if take(0x28) {
        let operand = try plainOperand("expected a field or a value")
        guard take(0x29) else { throw expected("expected )") }
        return try lowered(operand)
      }
      index = start
    }
    return try plainOperand(wanted)
  }

  private mutating func lowered(_ operand: QueryOperand) throws(Refusal) -> QueryOperand {
    guard operand.kind == .constant else {
      parts.fields[operand.index].isLowered = true
      return QueryOperand(kind: .lowered, index: operand.index)
    }
    guard case .text(let text) = parts.constants[operand.index] else { return operand }
    // One that has a name is there in lower case already.
    var known = 0
    while known < names.count {
      if names[known].constant == operand.index {
        return QueryOperand(kind: .constant, index: operand.index &+ 1)
      }
      known &+= 1
    }
    return try constant(.text(try parts.texts.lower(text)))
  }

  private mutating func plainOperand(_ wanted: Phrase) throws(Refusal) -> QueryOperand {
    switch peek() {
    case 0x27: return try constant(.text(try quoted(0x27)))
    case 0x24:  // $
      index &+= 1
      return try named()
    case let byte? where byte == 0x2D || byte &- 0x30 < 10:
      var reader = JSONReader(text.part(index, text.count))
      guard let digits = reader.takeNumber(), let number = QueryValue(number: digits) else {
        throw expected("expected a number as in JSON, which fits a double")
      }
      index &+= reader.index
      return try constant(number)
    case 0x22: return try field()
    case let byte? where QueryParser.isOfName(byte): break
    default: throw expected(wanted)
    }
    if take(word: "true") { return try constant(.truth(true)) }
    if take(word: "false") { return try constant(.truth(false)) }
    if take(word: "null") { return try constant(.null) }
    let start = index
    if take(word: "and") || take(word: "or") || take(word: "not") || take(word: "in")
      || take(word: "contains") || take(word: "begins")
    {
      index = start
      throw expected(wanted)
    }
    return try field()
  }

  private mutating func constant(_ value: QueryValue) throws(Refusal) -> QueryOperand {
    try parts.constants.append(value)
    return QueryOperand(kind: .constant, index: parts.constants.count &- 1)
  }

  /// A value that is given with the query.
  private mutating func named() throws(Refusal) -> QueryOperand {
    let start = index
    let name = plainName()
    var known = 0
    while known < names.count {
      if name.count > 0, names[known].name == name {
        return QueryOperand(kind: .constant, index: names[known].constant)
      }
      known &+= 1
    }
    index = start &- 1
    throw expected("values has no value of this name")
  }

  /// The path of a field.
  private mutating func field() throws(Refusal) -> QueryOperand {
    var (field, depth) = (0, 0)
    repeat {
      guard depth < QueryParser.deepest else { throw expected("a field has more than 64 names") }
      let start = index
      let isQuoted = index < text.count && text[index] == 0x22
      let name = isQuoted ? try quoted(0x22) : plainName()
      guard name.count > 0 || isQuoted, text.count == start || text[start] &- 0x30 > 9 else {
        throw expected("expected the name of a field")
      }
      field = try add(name, to: field)
      depth &+= 1
    } while takeDot()
    parts.fields[field].isRead = true
    return QueryOperand(kind: .field, index: field)
  }

  private mutating func takeDot() -> Bool {
    guard index < text.count, text[index] == 0x2E else { return false }
    index &+= 1
    return true
  }

  private mutating func add(_ name: Bytes, to parent: Int) throws(Refusal) -> Int {
    let known = parts.find(name, in: parent)
    if known > 0 { return known }
    guard parts.fields.count <= QueryParser.mostFields else {
      throw expected("the query has more than 256 fields")
    }
    try parts.fields.append(
      QueryField(name: name, parent: parent, next: parts.fields[parent].child))
    parts.fields[parent].child = parts.fields.count &- 1
    return parts.fields.count &- 1
  }
}

extension QueryParts {
  /// The field of a name in another one; 0: no such field is read.
  @_optimize(speed)
  func find(_ name: Bytes, in parent: Int) -> Int {
    var field = fields[parent].child
    while field > 0, fields[field].name != name { field = fields[field].next }
    return field
  }
}

// MARK: Words

extension QueryParser {
  private static func isOfName(_ byte: UInt8) -> Bool {
    byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F
  }

  /// The next byte that is no space.
  private mutating func peek() -> UInt8? {
    while index < text.count {
      let byte = text[index]
      guard byte == 0x20 || byte >= 0x09 && byte <= 0x0D else { return byte }
      index &+= 1
    }
    return nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    index &+= 1
    return true
  }

  @inline(never)
  private mutating func take(word: StaticString) -> Bool {
    guard let first = peek(), first == word.utf8Start.pointee else { return false }
    let end = index &+ word.utf8CodeUnitCount
    guard text.part(index, text.count).hasPrefix(word),
      end == text.count || !QueryParser.isOfName(text[end]) && text[end] != 0x2E
    else { return false }
    index = end
    return true
  }

  private mutating func plainName() -> Bytes {
    let start = index
    while index < text.count, QueryParser.isOfName(text[index]) { index &+= 1 }
    return text.part(start, index)
  }

  /// What is between two quotes; a doubled one stands for itself.
  private mutating func quoted(_ quote: UInt8) throws(Refusal) -> Bytes {
    let start = index
    index &+= 1
    while index < text.count, text[index] != quote || isDoubled(at: index) {
      guard text[index] != 0 || quote != 0x22 else { throw expected("a name has no zero") }
      index &+= text[index] == quote ? 2 : 1
    }
    guard index < text.count else {
      index = start
      throw expected("the quote that begins here has no end")
    }
    let room = try parts.texts.take(index &- start)
    var (next, length) = (start &+ 1, 0)
    while next < index {
      room.storeBytes(of: text[next], toByteOffset: length, as: UInt8.self)
      next &+= text[next] == quote ? 2 : 1
      length &+= 1
    }
    index &+= 1
    return Bytes(room, length)
  }

  private func isDoubled(at index: Int) -> Bool {
    index &+ 1 < text.count && text[index &+ 1] == text[index]
  }

  /// Refuses the text at the current place.
  private mutating func expected(_ reason: Phrase) -> Refusal {
    _ = peek()
    var column: UInt64 = 1
    var before = 0
    while before < index {
      if text[before] & 0xC0 != 0x80 { column &+= 1 }
      before &+= 1
    }
    var place = place
    place.add(", column ")
    place.add(column)
    place.add(":")
    return Refusal(.invalid, "", reason, .name(place.bytes))
  }
}
