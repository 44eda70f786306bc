// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Reads JSON from front to back, without memory of its own.
struct JSONReader {
  private let text: Bytes
  private(set) var index = 0

  init(_ text: Bytes) { self.text = text }

  /// The next byte that is no space.
  @inline(never)
  mutating func peek() -> UInt8? {
    while index < text.count {
      let byte = text[index]
      guard byte == 0x20 || byte >= 0x09 && byte <= 0x0D else { return byte }
      index &+= 1
    }
    return nil
  }

  @inline(never)
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    index &+= 1
    return true
  }

  /// What is from an index to here.
  func part(from start: Int) -> Bytes { text.part(start, index) }

  /// What is between the quotes of a text, still escaped.
  @inline(never)
  @_optimize(speed)
  mutating func takeText() -> Bytes? {
    guard take(0x22) else { return nil }
    let start = index
    while index < text.count, text[index] != 0x22 {
      guard text[index] >= 0x20 else { return nil }
      index &+= text[index] == 0x5C ? 2 : 1
    }
    guard index < text.count else { return nil }
    index &+= 1
    return text.part(start, index &- 1)
  }

  /// A number, as it is written.
  @inline(never)
  mutating func takeNumber() -> Bytes? {
    _ = peek()
    let start = index
    _ = takeAt(0x2D)
    let first = index
    guard skipDigits() else { return nil }
    guard text[first] != 0x30 || index == first &+ 1 else { return nil }
    if takeAt(0x2E) {
      guard skipDigits() else { return nil }
    }
    if takeAt(0x65) || takeAt(0x45) {
      _ = takeAt(0x2B) || takeAt(0x2D)
      guard skipDigits() else { return nil }
    }
    return text.part(start, index)
  }

  private mutating func takeAt(_ byte: UInt8) -> Bool {
    guard index < text.count, text[index] == byte else { return false }
    index &+= 1
    return true
  }

  private mutating func skipDigits() -> Bool {
    let start = index
    while index < text.count, text[index] &- 0x30 < 10 { index &+= 1 }
    return index > start
  }

  /// Takes `true`, `false` or `null`, and returns its first letter.
  @inline(never)
  mutating func takeWord() -> UInt8? {
    let word: StaticString
    let first = peek()
    switch first {
    case 0x74: word = "true"
    case 0x66: word = "false"
    case 0x6E: word = "null"
    default: return nil
    }
    guard text.part(index, text.count).hasPrefix(word) else { return nil }
    index &+= word.utf8CodeUnitCount
    return first
  }

  /// Skips a value; what is in an object or a list is only looked at for its end.
  @inline(never)
  @_optimize(speed)
  mutating func skip() -> Bool {
    var depth = 0
    repeat {
      switch peek() {
      case 0x22: guard takeText() != nil else { return false }
      case 0x7B, 0x5B: (depth, index) = (depth &+ 1, index &+ 1)
      case 0x7D, 0x5D:
        guard depth > 0 else { return false }
        (depth, index) = (depth &- 1, index &+ 1)
      case 0x2C, 0x3A:
        guard depth > 0 else { return false }
        index &+= 1
      case 0x74, 0x66, 0x6E: guard takeWord() != nil else { return false }
      default: guard takeNumber() != nil else { return false }
      }
    } while depth > 0
    return true
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
