// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The part of a URL before its query, or a pattern: a scheme, if it has one, and segments between slashes. Slashes in
/// a row count as one, one at either end as none.
struct SegmentedText {
  /// Empty if there is none.
  let scheme: Bytes
  private let text: Bytes
  private var index: Int

  init(_ text: Bytes) {
    let length = SegmentedText.lengthOfScheme(text)
    scheme = Bytes(text.start, length)
    self.text = text
    index = length == 0 ? 0 : length &+ 3
  }

  /// Where the segments begin.
  var begin: Int { scheme.count == 0 ? 0 : scheme.count &+ 3 }

  /// The next segment; nil at the end.
  @inline(never)
  mutating func next() -> Bytes? {
    while index < text.count, text[index] == 0x2F { index &+= 1 }
    guard index < text.count else { return nil }
    let first = index
    while index < text.count, text[index] != 0x2F { index &+= 1 }
    return Bytes(text.start + first, index &- first)
  }

  /// The bytes of a scheme before "://"; 0: there is none.
  private static func lengthOfScheme(_ text: Bytes) -> Int {
    var length = 0
    while length < text.count, isOfScheme(text[length], isFirst: length == 0) { length &+= 1 }
    let rest = Bytes(text.start + length, text.count &- length)
    return length > 0 && rest.hasPrefix("://") ? length : 0
  }

  private static func isOfScheme(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A: true
    case 0x30...0x39, 0x2B, 0x2D, 0x2E: !isFirst
    default: false
    }
  }
}

extension Bytes {
  /// Whether it is "." or "..".
  var isDots: Bool { self == Bytes(".") || self == Bytes("..") }

  /// The index of a byte; `count` if it is not there.
  @inline(never)
  func index(of byte: UInt8) -> Int {
    var index = 0
    while index < count, self[index] != byte { index &+= 1 }
    return index
  }

  /// The bytes from one index to another.
  func part(_ from: Int, _ to: Int) -> Bytes { Bytes(start + from, to &- from) }
}
