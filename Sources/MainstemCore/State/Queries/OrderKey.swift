// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A text that puts a row in order: the fraction 0.… in base 62, whose digits are in the order of their bytes.
///
/// The last digit is never 0: between "A" and "A0" there is nothing.
package struct OrderKey {
  /// The most digits.
  package static var limit: Int { 64 }

  private let digits: Bytes

  /// A key that the host gives.
  private init(
    _ text: UnsafePointer<CChar>, _ argument: Phrase
  ) throws(Refusal) {
    var count = 0
    while count <= OrderKey.limit, OrderKey.worth(UInt8(bitPattern: text[count])) < 62 {
      count &+= 1
    }
    guard count > 0, count <= OrderKey.limit, text[count] == 0, text[count &- 1] != 0x30 else {
      throw Refusal(
        .invalid, argument,
        "is not an order key: 1 to 64 digits and letters, of which the last is not 0")
    }
    digits = Bytes(text, count)
  }

  /// What the digit at an index is worth: behind the last one there are zeros.
  private subscript(_ index: Int) -> UInt8 {
    index < digits.count ? OrderKey.worth(digits[index]) : 0
  }

  /// What a digit is worth; 62: it is none.
  private static func worth(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x30...0x39: byte &- 0x30
    case 0x41...0x5A: byte &- 0x37
    case 0x61...0x7A: byte &- 0x3D
    default: 62
    }
  }

  private static func digit(_ worth: UInt8) -> CChar {
    CChar(worth < 10 ? worth &+ 0x30 : worth < 36 ? worth &+ 0x37 : worth &+ 0x3D)
  }
}

extension OrderKey {
  /// Writes a key between two others, and a zero.
  ///
  /// In the middle, the key lies halfway, so that both sides have room. At an end it lies close to the key that is
  /// there: most rows are added at an end, again and again.
  ///
  /// - Parameters:
  ///   - low: The lower key; nil: the beginning.
  ///   - high: The higher key; nil: the end.
  ///   - key: Room for 65 characters.
  package static func write(
    between low: UnsafePointer<CChar>?, _ high: UnsafePointer<CChar>?,
    to key: UnsafeMutablePointer<CChar>
  ) throws(Refusal) {
    let floor: OrderKey? = if let low { try OrderKey(low, "low") } else { nil }
    let ceiling: OrderKey? = if let high { try OrderKey(high, "high") } else { nil }
    // Whether each key that begins with the digits so far is above `low`, and below `high`.
    let isAbove = floor == nil
    var isBelow = ceiling == nil
    var index = 0
    while index < limit {
      let least = floor?[index] ?? 0
      let end = isBelow ? 62 : ceiling?[index] ?? 62
      guard least <= end else { break }
      if end &- least > 1 {
        let isAtEnd = ceiling == nil && !isAbove
        let worth = isAtEnd ? least &+ 1 : isAbove && ceiling != nil ? end &- 1 : (least &+ end) / 2
        key[index] = digit(worth)
        key[index &+ 1] = 0
        return
      }
      if let ceiling, !isBelow, index >= ceiling.digits.count { break }
      key[index] = digit(least)
      isBelow = isBelow || end > least
      index &+= 1
    }
    key[0] = 0
    guard index == limit, isBelow else { throw Refusal(.invalid, "low", "is not below `high`") }
    throw Refusal(
      .limit, "",
      "there is no room between the keys: give all rows new keys, with mainstem_order_key_at")
  }

  /// Writes one of some keys that are short and evenly spaced, and a zero.
  ///
  /// - Parameters:
  ///   - index: Which one.
  ///   - count: How many there are.
  ///   - key: Room for 65 characters.
  package static func write(
    at index: UInt, of count: UInt, to key: UnsafeMutablePointer<CChar>
  ) throws(Refusal) {
    key[0] = 0
    guard count <= 1 << 48 else { throw Refusal(.tooBig, "count", "is over 2^48 rows") }
    guard index < count else {
      throw Refusal(.invalid, "index", "is beyond the keys", .number(UInt64(index)))
    }
    var (size, room) = (2, UInt64(62 * 62))
    while room / (UInt64(count) &+ 1) < 62 { (size, room) = (size &+ 1, room &* 62) }
    var rest = room / (UInt64(count) &+ 1) &* (UInt64(index) &+ 1)
    if rest % 62 == 0 { rest &+= 1 }
    key[size] = 0
    while size > 0 {
      size &-= 1
      key[size] = digit(UInt8(truncatingIfNeeded: rest % 62))
      rest /= 62
    }
  }
}
