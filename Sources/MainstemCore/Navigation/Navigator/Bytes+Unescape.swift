// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
