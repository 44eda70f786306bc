// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension JSONDraft {
  /// The text of all pieces, keys sorted; `nil` if Foundation's encoder has to decide.
  func text() -> [UInt8]? {
    // A comma and two brackets for each piece, and 32 bytes because `copy` copies that many at a time.
    let most = bytes.count + 3 * pieces.count + 32
    _ = bytes.extend(by: 32)
    let start = whole.extend(by: most)
    let count = start.distance(to: write(0, at: start, depth: 0))
    return isBeyond ? nil : result.copy(of: UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Writes a piece.
  ///
  /// - Returns: The end of what it wrote.
  private func write(
    _ number: Int32, at start: UnsafeMutablePointer<UInt8>, depth: Int
  ) -> UnsafeMutablePointer<UInt8> {
    let piece = pieces.start[Int(number)]
    switch piece.kind {
    case .scalar: return copy(piece.textStart, piece.textEnd, to: start)
    case .nothing:
      isBeyond = true
      return start
    case .object, .array: break
    }
    if depth > 400 {
      isBeyond = true
      return start
    }
    let isObject = piece.kind == .object
    var at = start
    at.pointee = UInt8(ascii: isObject ? "{" : "[")
    at += 1
    at =
      isObject
      ? writeMembers(of: piece, at: at, depth: depth)
      : writeElements(of: piece, at: at, depth: depth)
    at.pointee = UInt8(ascii: isObject ? "}" : "]")
    return at + 1
  }

  private func writeElements(
    of array: JSONPiece, at start: UnsafeMutablePointer<UInt8>, depth: Int
  ) -> UnsafeMutablePointer<UInt8> {
    var at = start
    var number = array.first
    while number >= 0 {
      if number != array.first {
        at.pointee = UInt8(ascii: ",")
        at += 1
      }
      at = write(number, at: at, depth: depth + 1)
      number = pieces.start[Int(number)].next
    }
    return at
  }

  private func writeMembers(
    of object: JSONPiece, at start: UnsafeMutablePointer<UInt8>, depth: Int
  ) -> UnsafeMutablePointer<UInt8> {
    let base = sort(object)
    var at = start
    for index in base..<order.count {
      if index > base {
        at.pointee = UInt8(ascii: ",")
        at += 1
      }
      let number = order.start[index]
      let piece = pieces.start[Int(number)]
      if piece.kind == .scalar, piece.textStart == piece.keyEnd {
        at = copy(piece.keyStart, piece.textEnd, to: at)
      } else {
        at = copy(piece.keyStart, piece.keyEnd, to: at)
        at = write(number, at: at, depth: depth + 1)
      }
    }
    order.shorten(to: base)
    return at
  }

  /// Puts the members of an object at the end of `order`, sorted by key.
  ///
  /// - Returns: Where they begin.
  private func sort(_ object: JSONPiece) -> Int {
    let base = order.count
    let count = Int(object.count)
    let members = order.extend(by: count)
    if count > 24 { return sortMany(object, base) }
    var (filled, number) = (0, object.first)
    while number >= 0, filled < count {
      var place = filled
      while place > 0 {
        let found = compare(members[place &- 1], number)
        // A key that is there twice: which counts depends on what they are.
        if found == 0 { isBeyond = true }
        if found <= 0 { break }
        members[place] = members[place &- 1]
        place &-= 1
      }
      members[place] = number
      filled &+= 1
      number = pieces.start[Int(number)].next
    }
    return base
  }

  private func sortMany(_ object: JSONPiece, _ base: Int) -> Int {
    var members = UnsafeMutableBufferPointer(start: order.start + base, count: Int(object.count))
    var number = object.first
    for index in members.indices {
      members[index] = number
      number = pieces.start[Int(number)].next
    }
    members.sort { compare($0, $1) < 0 }
    for index in 1..<members.count where compare(members[index - 1], members[index]) == 0 {
      isBeyond = true
    }
    return base
  }

  /// Compares the keys of two pieces.
  ///
  /// - Returns: Below 0: the first comes first; 0: they are equal.
  @inline(__always)
  private func compare(_ one: Int32, _ other: Int32) -> Int {
    let (one, other) = (pieces.start + Int(one), pieces.start + Int(other))
    // A plain key has no zeros, so a shorter one comes first here, too.
    if one.pointee.keyHead != other.pointee.keyHead {
      return one.pointee.keyHead < other.pointee.keyHead ? -1 : 1
    }
    // Without the quotes and the colon: "a" comes before "ab".
    let count = Int(one.pointee.keyEnd &- one.pointee.keyStart) &- 3
    let otherCount = Int(other.pointee.keyEnd &- other.pointee.keyStart) &- 3
    let found = memcmp(
      bytes.start + Int(one.pointee.keyStart) + 1, bytes.start + Int(other.pointee.keyStart) + 1,
      min(count, otherCount))
    return found == 0 ? count &- otherCount : Int(found)
  }

  @inline(__always)
  private func copy(
    _ start: UInt32, _ end: UInt32, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let count = Int(end &- start)
    let source = UnsafeRawPointer(bytes.start + Int(start))
    if count > 32 {
      target.update(from: bytes.start + Int(start), count: count)
      return target + count
    }
    // A call takes longer. What is written behind the end is written over, and there is room: see `text`.
    let raw = UnsafeMutableRawPointer(target)
    raw.storeBytes(of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
    if count > 16 {
      let rest = (source + 16).loadUnaligned(as: SIMD16<UInt8>.self)
      (raw + 16).storeBytes(of: rest, as: SIMD16<UInt8>.self)
    }
    return target + count
  }
}

// MARK: - Scalars

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
