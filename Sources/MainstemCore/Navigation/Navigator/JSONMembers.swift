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

/// Text between the quotes of JSON.
extension Bytes {
  /// Writes what it stands for, and a zero; there is room for as many bytes as it has itself, and one.
  ///
  /// - Returns: The length, without the zero; nil: it has an escape that JSON does not have.
  func unescape(to out: UnsafeMutableRawPointer) -> Int? {
    var index = 0
    var length = 0
    while index < count {
      var scalar = UInt32(self[index])
      index &+= 1
      if scalar == 0x5C {
        guard let escaped = escaped(&index) else { return nil }
        scalar = escaped
        length &+= Bytes.write(scalar, to: out + length)
      } else {
        out.storeBytes(of: UInt8(truncatingIfNeeded: scalar), toByteOffset: length, as: UInt8.self)
        length &+= 1
      }
    }
    out.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
    return length
  }

  /// The character that an escape behind a backslash stands for.
  private func escaped(_ index: inout Int) -> UInt32? {
    guard index < count else { return nil }
    let letter = self[index]
    index &+= 1
    switch letter {
    case 0x22, 0x2F, 0x5C: return UInt32(letter)
    case 0x62: return 0x08
    case 0x66: return 0x0C
    case 0x6E: return 0x0A
    case 0x72: return 0x0D
    case 0x74: return 0x09
    case 0x75: return scalar(&index)
    default: return nil
    }
  }

  /// The scalar of four digits, or of two halves.
  private func scalar(_ index: inout Int) -> UInt32? {
    guard let high = unit(&index) else { return nil }
    guard high & 0xF800 == 0xD800 else { return high }
    guard high < 0xDC00, index &+ 1 < count, self[index] == 0x5C, self[index &+ 1] == 0x75 else {
      return nil
    }
    index &+= 2
    guard let low = unit(&index), low & 0xFC00 == 0xDC00 else { return nil }
    return 0x10000 &+ (high & 0x3FF) << 10 &+ low & 0x3FF
  }

  private func unit(_ index: inout Int) -> UInt32? {
    guard index &+ 4 <= count else { return nil }
    var unit: UInt32 = 0
    for place in index..<(index &+ 4) {
      let digit = Bytes.digit(self[place])
      guard digit < 16 else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    index &+= 4
    return unit
  }

  /// Writes a scalar as UTF-8, which is never longer than its escape.
  private static func write(_ scalar: UInt32, to out: UnsafeMutableRawPointer) -> Int {
    let length = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
    var rest = scalar
    var place = length &- 1
    while place > 0 {
      out.storeBytes(
        of: UInt8(truncatingIfNeeded: 0x80 | rest & 0x3F), toByteOffset: place, as: UInt8.self)
      rest >>= 6
      place &-= 1
    }
    let lead: UInt32 = length == 1 ? 0 : length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0
    out.storeBytes(of: UInt8(truncatingIfNeeded: lead | rest), as: UInt8.self)
    return length
  }
}
