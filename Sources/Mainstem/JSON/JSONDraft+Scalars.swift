// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension JSONDraft {
  /// Writes `"key":`. Keys beyond plain ASCII are compared in ways that only Foundation knows.
  ///
  /// - Returns: The first eight bytes of the key, the first in front; 0 where it has fewer.
  @inline(__always)
  func write(key: String) -> UInt64 {
    var key = key
    return key.withUTF8 { text in
      var head: UInt64 = 0
      let target = bytes.extend(by: text.count + 3)
      target[0] = UInt8(ascii: "\"")
      for index in 0..<text.count {
        let byte = text[index]
        if byte < 0x20 || byte > 0x7e || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          isBeyond = true
        }
        target[index &+ 1] = byte
        if index < 8 { head |= UInt64(byte) &<< (56 &- 8 &* UInt64(truncatingIfNeeded: index)) }
      }
      target[text.count &+ 1] = UInt8(ascii: "\"")
      target[text.count &+ 2] = UInt8(ascii: ":")
      return head
    }
  }

  func write(_ value: String) {
    var value = value
    value.withUTF8 { text in
      let target = bytes.extend(by: text.count + 2)
      target[0] = UInt8(ascii: "\"")
      for index in 0..<text.count {
        let byte = text[index]
        if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          bytes.shorten(to: bytes.count - text.count - 2)
          return escape(text)
        }
        target[index &+ 1] = byte
      }
      target[text.count &+ 1] = UInt8(ascii: "\"")
    }
  }

  private func escape(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): pair(byte)
      case 0x08: pair(UInt8(ascii: "b"))
      case 0x09: pair(UInt8(ascii: "t"))
      case 0x0a: pair(UInt8(ascii: "n"))
      case 0x0c: pair(UInt8(ascii: "f"))
      case 0x0d: pair(UInt8(ascii: "r"))
      case 0..<0x20:
        write(ascii: byte < 0x10 ? "\\u000" : "\\u001")
        bytes.append((byte & 15) + (byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private func pair(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(byte)
  }

  func write(ascii text: StaticString) {
    bytes.extend(by: text.utf8CodeUnitCount)
      .update(from: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  func write(_ value: Bool) { write(ascii: value ? "true" : "false") }

  @inline(__always)
  func write<Number: FixedWidthInteger>(_ value: Number) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    write(digitsOf: UInt64(value.magnitude))
  }

  /// Writes a number with at most four decimals: of at most 15 digits no two give the same number, so these
  /// are the fewest.
  @inline(__always)
  private func isShort(_ value: Double) -> Bool {
    guard value.magnitude < 1e10 else { return false }
    let digits = UInt64(value.magnitude * 10_000 + 0.5)
    if digits == 0 || Double(digits) / 10_000 != value.magnitude { return false }
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    write(digitsOf: digits / 10_000)
    bytes.append(UInt8(ascii: "."))
    var (rest, unit) = (digits % 10_000, UInt64(1000))
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
      (rest, unit) = (rest % unit, unit / 10)
    }
    return true
  }

  private func write(digitsOf value: UInt64) {
    var (rest, count) = (value, 1)
    while rest >= 10 { (rest, count) = (rest / 10, count &+ 1) }
    let target = bytes.extend(by: count)
    rest = value
    while count > 0 {
      count &-= 1
      target[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Writes a number in the fewest digits that give it back, a whole one without ".0".
  func write<Number: BinaryFloatingPoint & CustomStringConvertible>(_ value: Number) throws {
    guard value.isFinite else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "\(value) has no JSON"))
    }
    // Up to here every whole number is described with all its digits.
    let limit = Number(1 << Number.significandBitCount)
    if value.magnitude < limit {
      let whole = Int64(value)
      if whole != 0, Number(whole) == value { return write(whole) }
    }
    if let value = value as? Double, isShort(value) { return }
    var text = value.description
    text.withUTF8 { text in
      let isWhole =
        text.count > 2 && text[text.count - 1] == UInt8(ascii: "0")
        && text[text.count - 2] == UInt8(ascii: ".")
      let count = isWhole ? text.count - 2 : text.count
      if let start = text.baseAddress { bytes.extend(by: count).update(from: start, count: count) }
    }
  }
}
