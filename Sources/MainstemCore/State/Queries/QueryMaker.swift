// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Makes a query of JSON.
struct QueryMaker {
  static var longest: Int { 65_536 }
  static var mostValues: Int { 256 }
  static var mostSorts: Int { 16 }

  private var parts = QueryParts()
  private var names = Growing<QueryName>()
  private let json: Bytes
  /// Where the values of members begin.
  private var condition: JSONReader?
  private var values: JSONReader?
  private var sorts: JSONReader?

  private init(_ json: Bytes) { self.json = json }

  static func make(_ json: Bytes) throws(Refusal) -> QueryParts {
    guard json.count <= longest else {
      throw Refusal(.tooBig, "json", "is longer than 65,536 bytes")
    }
    guard json.isUTF8 else { throw Refusal(.invalid, "json", "is not UTF-8") }
    var maker = QueryMaker(json)
    defer { maker.names.free() }
    do throws(Refusal) {
      try maker.parts.fields.append(QueryField(name: Bytes(""), parent: 0, next: 0))
      try maker.readMembers()
      try maker.readValues()
      try maker.readCondition()
      try maker.readSorts()
    } catch {
      maker.parts.free()
      throw error
    }
    return maker.parts
  }

  private mutating func readMembers() throws(Refusal) {
    var reader = JSONReader(json)
    var (hasOffset, hasLimit) = (false, false)
    try QueryMaker.members(&reader) { (name, reader) throws(Refusal) in
      if name == Bytes("where"), condition == nil {
        condition = reader
      } else if name == Bytes("values"), values == nil {
        values = reader
      } else if name == Bytes("sort"), sorts == nil {
        sorts = reader
      } else if name == Bytes("offset"), !hasOffset {
        hasOffset = true
        return parts.offset = try QueryMaker.whole(&reader, "offset")
      } else if name == Bytes("limit"), !hasLimit {
        hasLimit = true
        return parts.limit = try QueryMaker.whole(&reader, "limit")
      } else {
        throw Refusal(
          .invalid, "json",
          "is no member, or is there twice: a query has where, values, sort, offset and limit",
          .name(name))
      }
      guard reader.skip() else { throw QueryMaker.noJSON(reader) }
    }
    guard reader.peek() == nil else { throw QueryMaker.noJSON(reader) }
  }

  private mutating func readValues() throws(Refusal) {
    guard var reader = values else { return }
    try QueryMaker.members(&reader) { (name, reader) throws(Refusal) in
      let value = try value(&reader, name)
      guard names.count < QueryMaker.mostValues else {
        throw Refusal(.invalid, "values", "has more than 256 members")
      }
      var known = 0
      while known < names.count {
        guard names[known].name != name else {
          throw QueryMaker.refusal(name, "is there twice")
        }
        known &+= 1
      }
      try names.append(QueryName(name: name, constant: parts.constants.count))
      try parts.constants.append(value)
      if case .text(let text) = value {
        try parts.constants.append(.text(try parts.texts.lower(text)))
      }
    }
  }

  private mutating func value(_ reader: inout JSONReader, _ name: Bytes) throws(Refusal)
    -> QueryValue
  {
    switch reader.peek() {
    case 0x22: return .text(try text(&reader))
    case 0x74, 0x66, 0x6E:
      guard let first = reader.takeWord() else { throw QueryMaker.noJSON(reader) }
      return first == 0x6E ? .null : .truth(first == 0x74)
    case 0x7B, 0x5B:
      throw QueryMaker.refusal(
        name, "is an object or a list: give a text, a number, true, false or null")
    default:
      guard let digits = reader.takeNumber() else { throw QueryMaker.noJSON(reader) }
      guard let number = QueryValue(number: digits) else {
        throw QueryMaker.refusal(name, "is a number that fits no double")
      }
      return number
    }
  }

  private mutating func readCondition() throws(Refusal) {
    guard var reader = condition else { return }
    guard reader.peek() == 0x22 else {
      throw Refusal(.invalid, "where", "is not a text: give a condition")
    }
    var place = SubjectWriter()
    let text = try text(&reader)
    place.add("where")
    var parser = QueryParser(text, place, names, parts)
    defer { parts = parser.parts }
    try parser.parseCondition()
  }

  private mutating func readSorts() throws(Refusal) {
    guard var reader = sorts else { return }
    guard reader.take(0x5B) else {
      throw Refusal(.invalid, "sort", "is not a list of texts")
    }
    if reader.take(0x5D) { return }
    repeat {
      guard reader.peek() == 0x22 else {
        throw Refusal(.invalid, "sort", "is not a list of texts")
      }
      guard parts.sorts.count < QueryMaker.mostSorts else {
        throw Refusal(.invalid, "sort", "has more than 16 entries")
      }
      let text = try text(&reader)
      var place = SubjectWriter()
      place.add("sort[")
      place.add(UInt64(parts.sorts.count))
      place.add("]")
      var parser = QueryParser(text, place, names, parts)
      defer { parts = parser.parts }
      try parser.parseSort()
    } while reader.take(0x2C)
    guard reader.take(0x5D) else { throw QueryMaker.noJSON(reader) }
  }

  /// A text in memory of the query's.
  private mutating func text(_ reader: inout JSONReader) throws(Refusal) -> Bytes {
    guard let escaped = reader.takeText() else { throw QueryMaker.noJSON(reader) }
    let room = try parts.texts.take(escaped.count &+ 1)
    guard let length = escaped.unescape(to: room) else { throw QueryMaker.noJSON(reader) }
    let text = Bytes(room, length)
    // An escape may be one half of a character.
    guard text.isUTF8 else { throw QueryMaker.noJSON(reader) }
    return text
  }
}

extension QueryMaker {
  /// Reads an object; `read` takes the value of each member.
  private static func members(
    _ reader: inout JSONReader, _ read: (Bytes, inout JSONReader) throws(Refusal) -> Void
  ) throws(Refusal) {
    guard reader.take(0x7B) else { throw noJSON(reader) }
    if reader.take(0x7D) { return }
    repeat {
      guard let name = reader.takeText(), reader.take(0x3A) else { throw noJSON(reader) }
      try read(name, &reader)
    } while reader.take(0x2C)
    guard reader.take(0x7D) else { throw noJSON(reader) }
  }

  private static func whole(_ reader: inout JSONReader, _ member: Phrase) throws(Refusal) -> Int {
    if let digits = reader.takeNumber(), case .integer(let number) = QueryValue(number: digits),
      number >= 0
    {
      return Int(number)
    }
    throw Refusal(.invalid, member, "is not a whole number from 0 on")
  }

  private static func refusal(_ name: Bytes, _ reason: Phrase) -> Refusal {
    var place = SubjectWriter()
    place.add("values.")
    place.add(name)
    place.add(":")
    return Refusal(.invalid, "", reason, .name(place.bytes))
  }

  private static func noJSON(_ reader: JSONReader) -> Refusal {
    var place = SubjectWriter()
    place.add("byte ")
    place.add(UInt64(reader.index &+ 1))
    place.add(":")
    return Refusal(.invalid, "json", "expected one JSON object", .name(place.bytes))
  }
}
