// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Borrowed bytes: a pointer and a length. Names and payloads are compared as bytes.
package struct Bytes: @unchecked Sendable {  // borrowed and read only; its maker keeps it alive
  package let start: UnsafeRawPointer
  package let count: Int

  package init(_ start: UnsafeRawPointer, _ count: Int) {
    self.start = start
    self.count = count
  }

  package init(_ text: StaticString) {
    self.init(text.utf8Start, text.utf8CodeUnitCount)
  }

  /// The bytes before the first zero.
  package init(zeroEnded text: UnsafePointer<CChar>) {
    var count = 0
    while text[count] != 0 { count &+= 1 }
    self.init(text, count)
  }

  package subscript(index: Int) -> UInt8 {
    start.load(fromByteOffset: index, as: UInt8.self)
  }

  package func hasPrefix(_ prefix: StaticString) -> Bool {
    let other = Bytes(prefix)
    return count >= other.count && Bytes(start, other.count) == other
  }
}

extension Bytes: BitwiseCopyable {}

extension Bytes: Equatable {
  package static func == (left: Bytes, right: Bytes) -> Bool {
    guard left.count == right.count else { return false }
    var index = 0
    while index < left.count {
      guard left[index] == right[index] else { return false }
      index &+= 1
    }
    return true
  }
}

extension Bytes {
  /// Whether these bytes are UTF-8 as defined by table 3-7 of the Unicode standard.
  package var isUTF8: Bool {
    var index = 0
    while index < count {
      // Eight bytes of ASCII at a time: most text is ASCII.
      if index &+ 8 <= count,
        start.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index &+= 8
        continue
      }
      let length = lengthOfScalar(at: index)
      guard length > 0 else { return false }
      index &+= length
    }
    return true
  }

  /// How many bytes the scalar at `index` has; 0 if there is none.
  package func lengthOfScalar(at index: Int) -> Int {
    let first = self[index]
    if first < 0x80 { return 1 }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first <= 0xF4, index &+ length <= count else { return 0 }
    let second = self[index &+ 1]
    let range: ClosedRange<UInt8> =
      switch first {
      case 0xE0: 0xA0...0xBF
      case 0xED: 0x80...0x9F
      case 0xF0: 0x90...0xBF
      case 0xF4: 0x80...0x8F
      default: 0x80...0xBF
      }
    guard range.contains(second) else { return 0 }
    var next = 2
    while next < length {
      guard self[index &+ next] & 0xC0 == 0x80 else { return 0 }
      next &+= 1
    }
    return length
  }
}

/// A kept name: a copy in UTF-8, terminated by a zero. A value; whoever keeps it frees it.
package struct Name {
  package let text: UnsafeMutablePointer<CChar>
  package let count: Int

  /// Copies the bytes; nil without memory.
  package init?(copying bytes: Bytes) {
    guard let text = Memory.allocate(CChar.self, count: bytes.count &+ 1) else { return nil }
    UnsafeMutableRawPointer(text).copyMemory(from: bytes.start, byteCount: bytes.count)
    text[bytes.count] = 0
    self.text = text
    self.count = bytes.count
  }

  package var bytes: Bytes { Bytes(text, count) }

  package func free() { Memory.free(text) }
}

extension Name {
  /// Checks a name given by the host: UTF-8, 1 to 255 bytes.
  @_optimize(speed)
  package static func check(
    _ text: UnsafePointer<CChar>?, _ argument: Phrase
  ) throws(Refusal) -> Bytes {
    guard let text else { throw .null(argument) }
    var count = 0
    while count <= 255, text[count] != 0 { count &+= 1 }
    guard count > 0 else { throw Refusal(.invalid, argument, "is empty") }
    guard count <= 255 else { throw Refusal(.tooBig, argument, "is longer than 255 bytes") }
    let bytes = Bytes(text, count)
    guard bytes.isUTF8 else { throw Refusal(.invalid, argument, "is not UTF-8") }
    return bytes
  }
}

/// What replaces a character that must not appear as it is in a line, a message or a notice.
///
/// Control characters control a terminal, format characters reverse text or hide in it, line and paragraph separators
/// begin a line. They are written as JSON escapes, so that JSON text stays JSON. A byte that is not UTF-8 is written as
/// `\xff`.
package enum Escape: Equatable {
  case character(UInt32)
  case byte(UInt8)

  /// Writes the escape in ASCII. Beyond U+FFFF it is a surrogate pair.
  ///
  /// Rarely needed, so everything that writes text shares one copy.
  @inline(never)
  package func write(_ put: (UInt8) -> Void) {
    put(0x5C)
    switch self {
    case .character(0x0A): put(0x6E)
    case .character(0x0D): put(0x72)
    case .character(0x09): put(0x74)
    case .character(let scalar) where scalar > 0xFFFF:
      let rest = scalar &- 0x1_0000
      Escape.write(unit: 0xD800 | rest >> 10, put)
      put(0x5C)
      Escape.write(unit: 0xDC00 | rest & 0x3FF, put)
    case .character(let scalar): Escape.write(unit: scalar, put)
    case .byte(let byte):
      put(0x78)
      Escape.write(digits: 2, of: UInt32(byte), put)
    }
  }

  private static func write(unit: UInt32, _ put: (UInt8) -> Void) {
    put(0x75)
    write(digits: 4, of: unit, put)
  }

  private static func write(digits: UInt32, of number: UInt32, _ put: (UInt8) -> Void) {
    var shift = digits &* 4
    while shift > 0 {
      shift &-= 4
      let digit = UInt8(truncatingIfNeeded: number >> shift & 0xF)
      put(digit < 10 ? 0x30 &+ digit : 0x57 &+ digit)
    }
  }
}

extension Bytes {
  /// The escape for the character at `index`; nil: it is shown as it is.
  ///
  /// - Parameter length: The length of the scalar there; 0: there is none.
  @_optimize(speed)
  @inline(never)
  package func escape(at index: Int, _ length: Int) -> Escape? {
    let first = self[index]
    switch length {
    case 0: return .byte(first)
    case 1: return first < 0x20 || first == 0x7F ? .character(UInt32(first)) : nil
    default:
      // Few lead bytes can begin one.
      guard first == 0xC2 || first >= 0xD8 else { return nil }
      let scalar = scalar(at: index, length)
      return Bytes.isUnseen(scalar) ? .character(scalar) : nil
    }
  }

  private func scalar(at index: Int, _ length: Int) -> UInt32 {
    var scalar = UInt32(self[index]) & (0x7F >> UInt32(truncatingIfNeeded: length))
    var next = 1
    while next < length {
      scalar = scalar << 6 | UInt32(self[index &+ next]) & 0x3F
      next &+= 1
    }
    return scalar
  }

  /// Whether a scalar beyond ASCII is a control, a line or paragraph separator, or a format character that is itself
  /// invisible.
  ///
  /// Listed here, because each release of Unicode and of Python may know others, and a line is the same everywhere.
  /// Those that Python's tools escape are in `mainstem/_escape.py`.
  private static func isUnseen(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x80...0x9F, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF, 0xFFF0...0xFFFB, 0x13430...0x1343F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}

/// Text as a message shows it, as much as fits.
package struct ShownText {
  private let buffer: UnsafeMutableRawBufferPointer
  private var length = 0

  package init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

  package var bytes: Bytes {
    guard let start = buffer.baseAddress else { return Bytes("") }
    return Bytes(UnsafeRawPointer(start), length)
  }

  /// Adds text, with its escapes and characters whole.
  package mutating func add(_ text: Bytes) {
    var index = 0
    while index < text.count {
      let before = length
      let scalar = text.lengthOfScalar(at: index)
      if let escape = text.escape(at: index, scalar) {
        escape.write { add(byte: $0) }
      } else {
        for place in index..<(index &+ max(scalar, 1)) { add(byte: text[place]) }
      }
      guard length <= buffer.count else {
        length = before
        return
      }
      index &+= max(scalar, 1)
    }
  }

  private mutating func add(byte: UInt8) {
    if length < buffer.count { buffer[length] = byte }
    length &+= 1
  }
}
