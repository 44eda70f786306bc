// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension JSONText {
  /// Decodes any value at a token.
  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, at token: Int) throws -> Value {
    if type == String.self { return known(try string(at: token), as: type) }
    if type == Int.self { return known(try integer(Int.self, at: token), as: type) }
    if type == Double.self { return known(try double(at: token), as: type) }
    if type == Bool.self { return known(try bool(at: token), as: type) }
    let form = forms.find(type)
    if form.rawValue > JSONForm.own.rawValue, form != .hashed {
      return try inForm(type, form, at: token)
    }
    return try type.init(from: JSONDecoding(text: self, token: Int32(truncatingIfNeeded: token)))
  }

  /// Decodes the types that have a form of their own. What they looked like before is left to Foundation.
  @inline(never)
  private func inForm<Value: Decodable>(
    _ type: Value.Type, _ form: JSONForm, at token: Int
  ) throws -> Value {
    if form == .date, tokens.start[token].kind == .number {
      return known(Date(timeIntervalSinceReferenceDate: try double(at: token)), as: type)
    }
    guard let value = WireForm.value(type, form, of: try string(at: token)) else { throw beyond() }
    return value
  }

  func object(at token: Int) throws -> Int {
    if tokens.start[token].kind != .object { throw mismatch([String: Any].self, at: token) }
    // Looking up keys in no order takes its time.
    if !tokens.start[token].isOrdered, tokens.start[token].count > 64 { throw beyond() }
    return token
  }

  func array(at token: Int) throws -> Int {
    if tokens.start[token].kind != .array { throw mismatch([Any].self, at: token) }
    return token
  }
}

// MARK: - Scalars

extension JSONText {
  func mismatch(_ type: Any.Type, at token: Int) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: path(to: token), debugDescription: "expected \(type)")
    return tokens.start[token].kind == .null
      ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func bool(at token: Int) throws -> Bool {
    switch tokens.start[token].kind {
    case .true: true
    case .false: false
    default: throw mismatch(Bool.self, at: token)
    }
  }

  /// The whole number at a token. "1.0" and "1e3" may be whole too; Foundation decides that.
  @inline(__always)
  func integer<Number: FixedWidthInteger>(_ type: Number.Type, at token: Int) throws -> Number {
    guard tokens.start[token].kind == .number else { throw mismatch(type, at: token) }
    let text = text(of: token)
    let isNegative = text[0] == UInt8(ascii: "-")
    var value: UInt64 = 0
    // 18 digits fit in any case.
    guard text.count - (isNegative ? 1 : 0) <= 18 else { return try rareInteger(type, text) }
    for index in (isNegative ? 1 : 0)..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      if digit > 9 { throw beyond() }
      value = value &* 10 &+ UInt64(digit)
    }
    if isNegative && value == 0 { throw beyond() }
    let signed = isNegative ? 0 &- Int64(value) : Int64(value)
    guard let number = Number(exactly: signed) else { throw beyond() }
    return number
  }

  private func rareInteger<Number: FixedWidthInteger>(
    _ type: Number.Type, _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Number {
    guard let number = Number(String(decoding: text, as: UTF8.self)) else { throw beyond() }
    return number
  }

  func double(at token: Int) throws -> Double {
    guard tokens.start[token].kind == .number else { throw mismatch(Double.self, at: token) }
    if let exact = exactDouble(at: token) { return exact }
    return try real(Double.self, at: token)
  }

  func real<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: Number.Type, at token: Int
  ) throws -> Number {
    guard tokens.start[token].kind == .number else { throw mismatch(type, at: token) }
    let text = text(of: token)
    // What is too large or too small for the type, Foundation refuses.
    guard let number = Number(String(decoding: text, as: UTF8.self)), number.isNormal else {
      throw beyond()
    }
    return number
  }

  /// A number with few digits: both the digits and the power of ten are exact, so one division rounds
  /// correctly.
  private func exactDouble(at token: Int) -> Double? {
    let text = text(of: token)
    let isNegative = text[0] == UInt8(ascii: "-")
    var (digits, places, isFraction) = (UInt64(0), 0, false)
    guard text.count <= 16 else { return nil }
    for index in (isNegative ? 1 : 0)..<text.count {
      let byte = text[index]
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      let digit = byte &- UInt8(ascii: "0")
      if digit > 9 { return nil }
      digits = digits &* 10 &+ UInt64(digit)
      if isFraction { places &+= 1 }
    }
    guard digits < 1 << 53 else { return nil }
    let value = Double(digits) / JSONText.powersOfTen[places]
    return isNegative ? -value : value
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
  ]

  func string(at token: Int) throws -> String {
    switch tokens.start[token].kind {
    case .string: String(decoding: text(of: token), as: UTF8.self)
    case .escaped: try unescaped(text(of: token))
    default: throw mismatch(String.self, at: token)
    }
  }

  private func unescaped(_ text: UnsafeBufferPointer<UInt8>) throws -> String {
    var scalars = String.UnicodeScalarView()
    var index = 0
    while index < text.count {
      if text[index] != UInt8(ascii: "\\") {
        let run = text[index...].prefix { $0 != UInt8(ascii: "\\") }
        scalars.append(contentsOf: String(decoding: run, as: UTF8.self).unicodeScalars)
        index += run.count
        continue
      }
      index += 2
      switch text[index - 1] {
      case UInt8(ascii: "b"): scalars.append("\u{8}")
      case UInt8(ascii: "f"): scalars.append("\u{c}")
      case UInt8(ascii: "n"): scalars.append("\n")
      case UInt8(ascii: "r"): scalars.append("\r")
      case UInt8(ascii: "t"): scalars.append("\t")
      case UInt8(ascii: "u"): scalars.append(try scalar(text, &index))
      case let byte: scalars.append(Unicode.Scalar(byte))
      }
    }
    return String(scalars)
  }

  /// Reads what follows "\u", and the second half of a pair.
  private func scalar(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) throws -> Unicode.Scalar {
    let first = unit(text, &index)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xdc00, index + 6 <= text.count, text[index] == UInt8(ascii: "\\"),
      text[index + 1] == UInt8(ascii: "u")
    else { throw beyond() }
    index += 2
    let second = unit(text, &index)
    guard 0xdc00..<0xe000 ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else { throw beyond() }
    return scalar
  }

  private func unit(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
    defer { index += 4 }
    return text[index..<index + 4].reduce(0) { $0 << 4 | UInt32(JSONText.hex($1) ?? 0) }
  }

  /// The value of a hexadecimal digit.
  static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

// MARK: - Keys

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
