// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension JSONText {
  /// Whether a key is ASCII without escapes, so that equal bytes are equal keys.
  func isPlain(_ key: Int) -> Bool {
    if tokens.start[key].kind == .escaped { return false }
    return isASCII || text(of: key).allSatisfy { $0 < 0x80 }
  }

  /// Whether a key comes before another.
  @inline(__always)
  func isBefore(_ key: Int, _ other: Int) -> Bool {
    let (one, other) = (text(of: key), text(of: other))
    guard let start = one.baseAddress, let otherStart = other.baseAddress else { return false }
    let found = memcmp(start, otherStart, min(one.count, other.count))
    return found == 0 ? one.count < other.count : found < 0
  }

  @inline(__always)
  func text(of token: Int) -> UnsafeBufferPointer<UInt8> {
    let token = tokens.start[token]
    return UnsafeBufferPointer(
      start: bytes.start + Int(token.start), count: Int(token.end &- token.start))
  }

  /// Finds the value of a key.
  ///
  /// - Returns: Its token; `nil`: the object has no such key.
  func value(of key: String, in object: Int) -> Int? {
    var key = key
    return key.withUTF8 { wanted in
      // Of two equal keys the first counts.
      let end = Int(tokens.start[object].next)
      if !tokens.start[object].isOrdered {
        return value(of: wanted, object, from: object + 1, to: end)
      }
      let hint = Int(tokens.start[object].hint)
      return value(of: wanted, object, from: hint, to: end)
        ?? value(of: wanted, object, from: object + 1, to: hint)
    }
  }

  private func value(
    of wanted: UnsafeBufferPointer<UInt8>, _ object: Int, from start: Int, to end: Int
  ) -> Int? {
    var key = start
    while key < end {
      let value = key &+ 1
      if isEqual(key, wanted) {
        tokens.start[object].hint = tokens.start[value].next
        return value
      }
      key = Int(tokens.start[value].next)
    }
    return nil
  }

  @inline(__always)
  private func isEqual(_ key: Int, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    let text = text(of: key)
    if tokens.start[key].kind == .string && isASCII {
      guard text.count == wanted.count, let start = text.baseAddress else { return false }
      return wanted.baseAddress.map { memcmp(start, $0, text.count) == 0 } ?? (text.count == 0)
    }
    // Keys are equal as Swift strings are: é in one scalar or in two.
    return (try? string(at: key)) == String(decoding: wanted, as: UTF8.self)
  }

  /// The keys of an object, each once.
  func keys(of object: Int) -> [String] {
    var keys: [String] = []
    let isOrdered = tokens.start[object].isOrdered
    var known: Set<String> = []
    var key = object + 1
    while key < Int(tokens.start[object].next) {
      if let text = try? string(at: key), isOrdered || known.insert(text).inserted {
        keys.append(text)
      }
      key = Int(tokens.start[key + 1].next)
    }
    return keys
  }

  /// The keys that lead to a token.
  func path(to token: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var container = 0
    while container < tokens.count, container != token {
      let kind = tokens.start[container].kind
      guard kind == .object || kind == .array, token < Int(tokens.start[container].next) else {
        break
      }
      var (child, index) = (container + (kind == .object ? 2 : 1), 0)
      while Int(tokens.start[child].next) <= token {
        child = Int(tokens.start[child].next) + (kind == .object ? 1 : 0)
        index += 1
      }
      path.append(
        kind == .object
          ? JSONKey(stringValue: (try? string(at: child - 1)) ?? "") : JSONKey(intValue: index))
      container = child
    }
    return path
  }
}
