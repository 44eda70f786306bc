// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A pattern, segment by segment.
struct RoutePattern {
  /// A segment: a placeholder with text around it or, without a name, literal text.
  struct Segment {
    /// The text before the placeholder, or all of a literal.
    var prefix: Bytes
    var suffix = Bytes("")
    /// Empty: it is a literal.
    var name = Bytes("")
    var type = Bytes("")

    var isWhole: Bool { prefix.count == 0 && suffix.count == 0 }
  }

  private static var longest: Int { 4096 }

  private var segments: SegmentedText
  private(set) var isMalformed = false

  /// A pattern that was checked.
  init(checked text: Bytes) { segments = SegmentedText(text) }

  var scheme: Bytes { segments.scheme }

  /// The next segment; nil at the end, or where the pattern is malformed.
  @inline(never)
  mutating func next() -> Segment? {
    guard !isMalformed, let text = segments.next() else { return nil }
    let open = text.index(of: 0x3C)
    let close = text.index(of: 0x3E)
    if open == text.count, close == text.count { return Segment(prefix: text) }
    isMalformed = open > close || close == text.count
    if isMalformed { return nil }
    let inner = text.part(open &+ 1, close)
    let colon = inner.index(of: 0x3A)
    var segment = Segment(prefix: text.part(0, open), suffix: text.part(close &+ 1, text.count))
    segment.name = colon == inner.count ? inner : inner.part(colon &+ 1, inner.count)
    if colon < inner.count { segment.type = inner.part(0, colon) }
    isMalformed =
      colon == 0 || !RoutePattern.isName(segment.name)
      || !(segment.type.count == 0 || RoutePattern.isName(segment.type))
      || segment.suffix.index(of: 0x3C) < segment.suffix.count
      || segment.suffix.index(of: 0x3E) < segment.suffix.count
    return isMalformed ? nil : segment
  }

  /// Whether a placeholder or a type may have a name.
  @inline(never)
  static func isName(_ name: Bytes) -> Bool {
    var index = 0
    while index < name.count {
      switch name[index] {
      case 0x2F, 0x3A, 0x3C, 0x3E: return false
      default: index &+= 1
      }
    }
    return name.count > 0
  }
}

extension RoutePattern {
  /// Checks a pattern of the host's, all but its types.
  static func check(_ text: UnsafePointer<CChar>?) throws(Refusal) -> Bytes {
    let bytes = try Bytes.checked(text, "pattern", atMost: longest)
    guard bytes.isUTF8 else { throw Refusal(.invalid, "pattern", "is not UTF-8") }
    guard bytes.index(of: 0x3F) == bytes.count, bytes.index(of: 0x23) == bytes.count else {
      throw .pattern("has a query or a fragment, which no route depends on", bytes)
    }
    var pattern = RoutePattern(checked: bytes)
    var hasEnded = false
    while let segment = pattern.next() {
      guard !hasEnded else { throw .pattern("has a segment after its path", bytes) }
      guard !segment.prefix.isDots || segment.name.count > 0 else {
        throw .pattern("has a segment . or .., which no URL has", bytes)
      }
      hasEnded = segment.type == Bytes("path")
      guard !hasEnded || segment.isWhole else {
        throw .pattern("has a path that is a part of a segment", bytes)
      }
      guard segment.name.count == 0 || count(segment.name, in: bytes) == 1 else {
        throw .pattern("occurs twice in the pattern", segment.name)
      }
    }
    guard !pattern.isMalformed else {
      throw .pattern(
        "is malformed: a placeholder is <name> or <type:name>, one in a segment", bytes)
    }
    return bytes
  }

  /// How often a name occurs in a pattern.
  @inline(never)
  static func count(_ name: Bytes, in text: Bytes) -> Int {
    var pattern = RoutePattern(checked: text)
    var count = 0
    while let segment = pattern.next() {
      if segment.name.count > 0, segment.name == name { count &+= 1 }
    }
    return count
  }
}

extension Refusal {
  static func pattern(_ reason: Phrase, _ subject: Bytes) -> Refusal {
    Refusal(.invalid, "pattern", reason, .name(subject))
  }
}

extension Bytes {
  /// A text of the host's, up to its zero.
  package static func checked(
    _ text: UnsafePointer<CChar>?, _ argument: Phrase, atMost most: Int
  ) throws(Refusal) -> Bytes {
    guard let text else { throw .null(argument) }
    var count = 0
    while text[count] != 0 {
      count &+= 1
      guard count <= most else {
        throw Refusal(.tooBig, argument, "bytes are the most it may have", .number(UInt64(most)))
      }
    }
    return Bytes(text, count)
  }
}
