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
