// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Order keys: texts that put the todos of a list in order, the lowest first.
///
/// A key consists of digits and letters, and keys are compared byte by byte, like the fractions 0.… in base 62: between
/// two keys there is always another one, so a move writes one todo. A key never ends with "0", the lowest digit: between
/// "A" and "A0" there is nothing.
public enum OrderKey {
  /// The longest key. Where a longer one would be needed, all todos of the list get new keys.
  public static let limit = 64

  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  private static let values: [UInt8: Int] = Dictionary(
    uniqueKeysWithValues: digits.enumerated().map { ($1, $0) })

  /// The key of a todo that was never moved. The highest order has the lowest key.
  ///
  /// For each time from the year 1700 on, the key begins with "A" or a lower digit; see ``spread(_:)``.
  public static func derived(from order: Int64) -> String {
    var rest = UInt64(bitPattern: order ^ .max)  // the highest order becomes 0
    var key: [UInt8] = [digits[31]]
    for _ in 0..<11 {
      key.append(digits[Int(rest % 62)])
      rest /= 62
    }
    return String(decoding: key.reversed(), as: UTF8.self)
  }

  /// Whether a key comes before another.
  public static func isLower(_ key: String, than other: String) -> Bool {
    key.utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// A key between two others; `nil`: there is none, or it would be too long.
  ///
  /// - Parameters:
  ///   - low: The lower key.
  ///   - high: The higher key; `nil`: the end of the list.
  public static func between(_ low: String, _ high: String?) -> String? {
    guard let low = numbers(low), let ceiling = numbers(high ?? "") else { return nil }
    var key: [UInt8] = []
    var isBelow = high == nil  // whether each key that begins with this one is lower than `high`
    for place in 0..<limit {
      let least = place < low.count ? low[place] : 0
      guard isBelow || place < ceiling.count else { return nil }
      let end = isBelow ? digits.count : ceiling[place]
      guard least <= end else { return nil }
      let isRoom = end - least > 1
      key.append(digits[isRoom ? (least + end) / 2 : least])
      if isRoom { return String(decoding: key, as: UTF8.self) }
      isBelow = isBelow || end > least
    }
    return nil
  }

  /// Short keys, evenly spaced, for all todos of a list.
  ///
  /// They begin with "B" to "z", so they are higher than ``derived(from:)`` the time of a new todo: it still comes first.
  public static func spread(_ count: Int) -> [String] {
    var size = 2
    var room = 51 * 62
    while room / (count + 1) < 62 {
      size += 1
      room *= 62
    }
    let start = room / 51 * 11
    return (1...max(count, 1)).prefix(count).map { index in
      let number = start + room / (count + 1) * index
      return text(number % 62 == 0 ? number + 1 : number, size: size)
    }
  }

  private static func text(_ number: Int, size: Int) -> String {
    var rest = number
    var key: [UInt8] = []
    for _ in 0..<size {
      key.append(digits[rest % 62])
      rest /= 62
    }
    return String(decoding: key.reversed(), as: UTF8.self)
  }

  /// What the digits of a key are worth; `nil`: it is none.
  private static func numbers(_ key: String) -> [Int]? {
    let numbers = key.utf8.compactMap { values[$0] }
    return numbers.count == key.utf8.count ? numbers : nil
  }
}
