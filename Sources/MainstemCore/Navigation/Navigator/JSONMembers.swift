// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Walks through one JSON object whose members are texts, numbers without a sign and lists of those: what the navigator
/// and `JSONWriter` write.
struct JSONMembers {
  private let text: Bytes
  private var index = 0
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

  init(_ text: Bytes) { self.text = text }

  /// The next member; nil at the end, or where the object is none of these.
  @inline(never)
  mutating func next() -> Member? {
    guard take(index == 0 ? 0x7B : 0x2C) else {
      isWhole = index > 0 && take(0x7D) && peek() == nil
      return nil
    }
    if index == 1, take(0x7D) {
      isWhole = peek() == nil
      return nil
    }
    guard let name = takeText(), take(0x3A), let value = takeValue() else { return nil }
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
  private mutating func takeText() -> Bytes? {
    guard take(0x22) else { return nil }
    let start = index
    while index < text.count, text[index] != 0x22 {
      index &+= text[index] == 0x5C ? 2 : 1
    }
    guard index < text.count else { return nil }
    index &+= 1
    return text.part(start, index &- 1)
  }

  private mutating func takeValue() -> Value? {
    switch peek() {
    case 0x22: takeText().map { .text($0) }
    case 0x5B: takeList().map { .list($0) }
    default: takeNumber().map { .number($0) }
    }
  }

  @inline(never)
  private mutating func takeNumber() -> UInt64? {
    _ = peek()
    let start = index
    var number: UInt64 = 0
    while index < text.count, case let digit = text[index] &- 0x30, digit < 10 {
      let (tens, isOver) = number.multipliedReportingOverflow(by: 10)
      let (sum, isTooMuch) = tens.addingReportingOverflow(UInt64(digit))
      guard !isOver, !isTooMuch else { return nil }
      number = sum
      index &+= 1
    }
    return index > start ? number : nil
  }

  @inline(never)
  private mutating func takeList() -> Bytes? {
    guard take(0x5B) else { return nil }
    let start = index
    if take(0x5D) { return text.part(start, start) }
    repeat {
      guard takeNumber() != nil else { return nil }
    } while take(0x2C)
    guard take(0x5D) else { return nil }
    return text.part(start, index &- 1)
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
