// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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

/// What a segment of a pattern looks like, whatever the name of its placeholder.
struct Shape {
  /// The literal text, or what is before the placeholder.
  let prefix: Bytes
  let suffix: Bytes
  let type: RouteType

  /// The classes of segments, in the order in which they win.
  private var rank: Int {
    guard !type.isLiteral, prefix.count &+ suffix.count > 0 else { return type.rank }
    return type.rank < RouteType.any.rank ? 1 : 2
  }

  /// Below 0: it wins against another; 0: it is the same.
  ///
  /// - Parameter folding: Whether ASCII letters are compared without regard to case.
  func order(_ other: Shape, folding: Bool) -> Int {
    let length = prefix.count &+ suffix.count
    let otherLength = other.prefix.count &+ other.suffix.count
    var order = rank &- other.rank
    if order == 0, !type.isLiteral {
      order = otherLength &- length
      if order == 0 { order = other.prefix.count &- prefix.count }
      if order == 0 { order = type.rank &- other.type.rank }
      if order == 0, case .app(let one) = type, case .app(let two) = other.type {
        order = one.pointee.name.bytes.order(two.pointee.name.bytes, folding: false)
      }
    }
    if order == 0 { order = prefix.order(other.prefix, folding: folding) }
    return order == 0 ? suffix.order(other.suffix, folding: folding) : order
  }

  /// What the placeholder matches in a segment; nil: the segment does not match.
  @inline(never)
  func matched(_ text: Bytes, folding: Bool) -> Bytes? {
    let end = text.count &- suffix.count
    guard end > prefix.count,
      text.part(0, prefix.count).order(prefix, folding: folding) == 0,
      text.part(end, text.count).order(suffix, folding: folding) == 0
    else { return nil }
    return text.part(prefix.count, end)
  }
}

extension Bytes {
  /// Below 0: these bytes come before others; 0: they are the same.
  @inline(never)
  func order(_ other: Bytes, folding: Bool) -> Int {
    var index = 0
    while index < count, index < other.count {
      let difference =
        Int(folding ? Bytes.folded(self[index]) : self[index])
        &- Int(folding ? Bytes.folded(other[index]) : other[index])
      guard difference == 0 else { return difference }
      index &+= 1
    }
    return count &- other.count
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}

/// A type that the app has added. They are in a list, the last one first.
struct AppType {
  let name: Name
  let accepts: mainstem_route_type_fn
  let userData: UnsafeMutableRawPointer?
  let release: mainstem_release_fn?
  let next: Pointer?

  typealias Pointer = UnsafeMutablePointer<AppType>
}

/// What a segment of a pattern matches.
enum RouteType {
  case literal
  case uuid
  case int
  case float
  case app(AppType.Pointer)
  case any
  case path

  /// The type of a name; nil: it is the app's, if it is one at all.
  init?(name: Bytes) {
    if name == Bytes("string") || name.count == 0 {
      self = .any
    } else if name == Bytes("int") {
      self = .int
    } else if name == Bytes("float") {
      self = .float
    } else if name == Bytes("uuid") {
      self = .uuid
    } else if name == Bytes("path") {
      self = .path
    } else {
      return nil
    }
  }

  /// What wins comes first.
  var rank: Int {
    switch self {
    case .literal: 0
    case .uuid: 3
    case .int: 4
    case .float: 5
    case .app: 6
    case .any: 7
    case .path: 8
    }
  }

  /// The number that the header gives it.
  var number: UInt32 {
    let number =
      switch self {
      case .literal, .any: MAINSTEM_PARAMETER_STRING
      case .int: MAINSTEM_PARAMETER_INTEGER
      case .float: MAINSTEM_PARAMETER_NUMBER
      case .uuid: MAINSTEM_PARAMETER_UUID
      case .app: MAINSTEM_PARAMETER_APP
      case .path: MAINSTEM_PARAMETER_PATH
      }
    return UInt32(number)
  }

  var isLiteral: Bool { rank == 0 }
  var isPath: Bool { rank == 8 }

  /// Whether it accepts a text, of one byte at least.
  func accepts(_ text: Bytes) -> Bool {
    switch self {
    case .literal, .any, .path: true
    case .int: text.integer != nil
    case .float: text.number != nil
    case .uuid: text.isUUID
    case .app(let type):
      type.pointee.accepts(
        type.pointee.userData, text.start.assumingMemoryBound(to: CChar.self), text.count)
    }
  }
}

extension Bytes {
  /// The integer that is written here: a sign if it is negative, and up to 19 digits.
  package var integer: Int64? {
    let isNegative = count > 0 && self[0] == 0x2D
    var index = isNegative ? 1 : 0
    guard count > index, count &- index <= 19 else { return nil }
    var unsigned: UInt64 = 0
    while index < count {
      let digit = self[index] &- 0x30
      guard digit < 10 else { return nil }
      unsigned = unsigned &* 10 &+ UInt64(digit)
      index &+= 1
    }
    guard unsigned <= UInt64(Int64.max) &+ (isNegative ? 1 : 0) else { return nil }
    return Int64(truncatingIfNeeded: isNegative ? 0 &- unsigned : unsigned)
  }

  /// The number that is written here.
  package var number: Double? {
    var number = 0.0
    guard mainstem_p_read_number(start.assumingMemoryBound(to: CChar.self), count, &number) else {
      return nil
    }
    return number
  }

  fileprivate var isUUID: Bool {
    guard count == 36 else { return false }
    var index = 0
    while index < count {
      let isDash = index == 8 || index == 13 || index == 18 || index == 23
      guard isDash ? self[index] == 0x2D : Bytes.digit(self[index]) < 16 else { return false }
      index &+= 1
    }
    return true
  }

  /// The value of a hexadecimal digit; 16: it is none.
  static func digit(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x30...0x39: byte &- 0x30
    case 0x41...0x46: byte &- 0x37
    case 0x61...0x66: byte &- 0x57
    default: 16
    }
  }
}
