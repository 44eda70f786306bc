// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Order keys: texts that keep rows in order, so that moving a row changes no other row.
///
///     row.order = try OrderKey.between(above?.order, below?.order)
///
/// Keys are compared as bytes, as SQLite does, and `String.utf8`: ``isLower(_:than:)``.
public enum OrderKey {
  /// Makes a key between two others.
  ///
  /// - Parameters:
  ///   - low: The lower key; `nil`: the beginning.
  ///   - high: The higher key; `nil`: the end.
  /// - Throws: ``Status/limit`` if there is no room between them: give all rows new keys, with ``spread(_:)``.
  public static func between(_ low: String?, _ high: String?) throws(StreamError) -> String {
    for key in [low, high] {
      if let key { try StreamError.demandNoZero(key, "OrderKey.between: key") }
    }
    var key = [CChar](repeating: 0, count: Int(MAINSTEM_ORDER_KEY_SIZE))
    try StreamError.check(mainstem_order_key(low, high, &key))
    return text(key)
  }

  /// Makes keys that are short and evenly spaced, in order.
  ///
  /// - Parameter count: How many.
  /// - Throws: ``Status/invalid`` if `count` is below 0.
  public static func spread(_ count: Int) throws(StreamError) -> [String] {
    guard count >= 0 else {
      throw StreamError(.invalid, "OrderKey.spread: count is below 0")
    }
    var keys: [String] = []
    var key = [CChar](repeating: 0, count: Int(MAINSTEM_ORDER_KEY_SIZE))
    for index in 0..<count {
      try StreamError.check(mainstem_order_key_at(index, count, &key))
      keys.append(text(key))
    }
    return keys
  }

  /// Whether a key comes before another.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - other: The other one.
  public static func isLower(_ key: String, than other: String) -> Bool {
    key.utf8.lexicographicallyPrecedes(other.utf8)
  }

  private static func text(_ key: [CChar]) -> String {
    String(decoding: key.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
