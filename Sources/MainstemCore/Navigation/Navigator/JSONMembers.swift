// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Walks through one JSON object whose members are texts, numbers without a sign and lists of those: what the navigator
/// and `JSONWriter` write.
struct JSONMembers {
  private var reader: JSONReader
  /// Whether the walk has come to the object's end.
  private(set) var isWhole = false

  struct Member {
    let name: Bytes
    let value: Value
  }

  enum Value {
    /// What is between the quotes, still escaped.
    case text(Bytes)
    case number(UInt64)
    /// What is between the brackets: digits and commas.
    case list(Bytes)
  }

  init(_ text: Bytes) { reader = JSONReader(text) }

  /// The next member; nil at the end, or where the object is none of these.
  @inline(never)
  mutating func next() -> Member? {
    let isFirst = reader.index == 0
    guard reader.take(isFirst ? 0x7B : 0x2C) else {
      isWhole = !isFirst && reader.take(0x7D) && reader.peek() == nil
      return nil
    }
    if isFirst, reader.take(0x7D) {
      isWhole = reader.peek() == nil
      return nil
    }
    guard let name = reader.takeText(), reader.take(0x3A), let value = takeValue() else {
      return nil
    }
    return Member(name: name, value: value)
  }

  /// The value of a member; nil: there is none, or the object is none of these.
  @inline(never)
  static func value(of name: StaticString, in text: Bytes) -> Value? {
    var members = JSONMembers(text)
    var found: Value?
    while let member = members.next() {
      if member.name == Bytes(name) { found = member.value }
    }
    return members.isWhole ? found : nil
  }
}

extension JSONMembers {
  private mutating func takeValue() -> Value? {
    switch reader.peek() {
    case 0x22: reader.takeText().map { .text($0) }
    case 0x5B: takeList().map { .list($0) }
    default: takeNumber().map { .number($0) }
    }
  }

  @inline(never)
  private mutating func takeNumber() -> UInt64? {
    guard let digits = reader.takeNumber() else { return nil }
    var number: UInt64 = 0
    var index = 0
    while index < digits.count {
      let digit = digits[index] &- 0x30
      let (tens, isOver) = number.multipliedReportingOverflow(by: 10)
      let (sum, isTooMuch) = tens.addingReportingOverflow(UInt64(digit))
      guard digit < 10, !isOver, !isTooMuch else { return nil }
      number = sum
      index &+= 1
    }
    return number
  }

  @inline(never)
  private mutating func takeList() -> Bytes? {
    guard reader.take(0x5B) else { return nil }
    let start = reader.index
    var list = reader.part(from: start)
    if reader.take(0x5D) { return list }
    repeat {
      guard takeNumber() != nil else { return nil }
      list = reader.part(from: start)
    } while reader.take(0x2C)
    return reader.take(0x5D) ? list : nil
  }
}

/// The numbers of a list.
struct JSONNumbers {
  private let text: Bytes
  private var index = 0

  init(_ list: Bytes) { text = list }

  mutating func next() -> UInt64? {
    while index < text.count, text[index] &- 0x30 > 9 { index &+= 1 }
    guard index < text.count else { return nil }
    var number: UInt64 = 0
    while index < text.count, case let digit = text[index] &- 0x30, digit < 10 {
      number = number &* 10 &+ UInt64(digit)
      index &+= 1
    }
    return number
  }
}
