// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
