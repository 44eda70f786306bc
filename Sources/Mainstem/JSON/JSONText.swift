// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A JSON text being decoded: a copy of it, and its values in order.
///
/// It reads plain JSON only. What it refuses, or is not sure of, goes to Foundation's decoder, which decides.
final class JSONText {
  @exclusivity(unchecked) var bytes = Scratch<UInt8>(capacity: 1024)
  @exclusivity(unchecked) var tokens = Scratch<JSONToken>(capacity: 64)
  /// How far the text has been read.
  @exclusivity(unchecked) var at = 0
  @exclusivity(unchecked) var isASCII = true
  /// Whether Foundation's decoder has to decide, even if all was decoded.
  @exclusivity(unchecked) var isBeyond = false
  @exclusivity(unchecked) var forms = KnownForms()
  @exclusivity(unchecked) private var containers = KeptContainers()
  /// Itself, if somebody has kept its container: it lives as long then, and is not used again.
  private var lost: JSONText?

  deinit {
    bytes.free()
    tokens.free()
  }

  /// Decodes a value. Whatever it throws, Foundation's decoder has to decide.
  func decoded<Value: Decodable>(
    _ type: Value.Type, from text: UnsafeRawBufferPointer
  ) throws -> Value {
    bytes.clear()
    tokens.clear()
    (at, isASCII, isBeyond) = (0, true, false)
    guard text.count < 1 << 30, let start = text.baseAddress else { throw beyond() }
    bytes.extend(by: text.count)
      .update(from: start.assumingMemoryBound(to: UInt8.self), count: text.count)
    // A zero ends the text, so that a look at the next byte is always allowed.
    bytes.append(0)
    try scan()
    defer { if !containers.takeBack() { lost = self } }
    let value = try decode(type, at: 0)
    if isBeyond { throw Beyond() }
    return value
  }

  /// The container for the members of the whole value.
  @inline(__always)
  func whole<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    containers.container(keyedBy: type) { isKept in
      KeyedDecodingContainer(
        isKept
          ? JSONObjectDecoding<Key>(keptBy: self) : JSONObjectDecoding<Key>(text: self, object: 0))
    }
  }

  /// What is thrown when Foundation's decoder has to decide.
  struct Beyond: Error {}

  func beyond() -> Beyond {
    isBeyond = true
    return Beyond()
  }
}

/// A value in a JSON text, or the key of a member. The values within a container follow it.
struct JSONToken: BitwiseCopyable {
  enum Kind: UInt8 { case null, `true`, `false`, number, string, escaped, object, array }

  var kind: Kind
  /// For an object: whether its keys are plain, and each is greater than the one before.
  var isOrdered = true
  /// Where its text begins and ends; for a string, without the quotes.
  var start: UInt32
  var end: UInt32
  /// The token after it and all within it.
  var next: Int32 = 0
  /// Members or elements.
  var count: Int32 = 0
  /// For an object: the key to look at first, because fields are read one after the other.
  var hint: Int32 = 0
}

// MARK: - Finding the values

extension JSONText {
  /// Reads the whole text into tokens.
  func scan() throws {
    try scanValue(depth: 0)
    skipSpace()
    if at != bytes.count - 1 { throw beyond() }
    if isASCII { return }
    let text = UnsafeBufferPointer(start: bytes.start, count: at)
    if String(validating: text, as: UTF8.self) == nil { throw beyond() }
  }

  @inline(__always)
  private func skipSpace() {
    while true {
      switch bytes.start[at] {
      case 0x20, 0x0a, 0x0d, 0x09: at &+= 1
      default: return
      }
    }
  }

  private func scanValue(depth: Int) throws {
    skipSpace()
    switch bytes.start[at] {
    case UInt8(ascii: "{"): try scanObject(depth: depth)
    case UInt8(ascii: "["): try scanArray(depth: depth)
    case UInt8(ascii: "\""): try scanString()
    case UInt8(ascii: "t"): try scan("true", .true)
    case UInt8(ascii: "f"): try scan("false", .false)
    case UInt8(ascii: "n"): try scan("null", .null)
    default: try scanNumber()
    }
  }

  private func scan(_ word: StaticString, _ kind: JSONToken.Kind) throws {
    let start = at
    for index in 0..<word.utf8CodeUnitCount {
      if bytes.start[at] != word.utf8Start[index] { throw beyond() }
      at &+= 1
    }
    add(kind, from: start, to: at)
  }

  private func add(_ kind: JSONToken.Kind, from start: Int, to end: Int) {
    tokens.append(
      JSONToken(
        kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        next: Int32(truncatingIfNeeded: tokens.count &+ 1)))
  }

  private func scanObject(depth: Int) throws {
    let object = try begin(.object, depth: depth)
    skipSpace()
    if bytes.start[at] == UInt8(ascii: "}") { return end(object, count: 0) }
    var (count, isOrdered, last) = (Int32(0), true, -1)
    while true {
      skipSpace()
      if bytes.start[at] != UInt8(ascii: "\"") { throw beyond() }
      let key = tokens.count
      try scanString()
      isOrdered = isOrdered && isPlain(key) && (last < 0 || isBefore(last, key))
      last = key
      skipSpace()
      if bytes.start[at] != UInt8(ascii: ":") { throw beyond() }
      at &+= 1
      try scanValue(depth: depth &+ 1)
      count &+= 1
      skipSpace()
      let byte = bytes.start[at]
      if byte == UInt8(ascii: "}") { break }
      if byte != UInt8(ascii: ",") { throw beyond() }
      at &+= 1
    }
    tokens.start[object].isOrdered = isOrdered
    end(object, count: count)
  }

  private func scanArray(depth: Int) throws {
    let array = try begin(.array, depth: depth)
    skipSpace()
    if bytes.start[at] == UInt8(ascii: "]") { return end(array, count: 0) }
    var count: Int32 = 0
    while true {
      try scanValue(depth: depth &+ 1)
      count &+= 1
      skipSpace()
      let byte = bytes.start[at]
      if byte == UInt8(ascii: "]") { break }
      if byte != UInt8(ascii: ",") { throw beyond() }
      at &+= 1
    }
    end(array, count: count)
  }

  private func begin(_ kind: JSONToken.Kind, depth: Int) throws -> Int {
    if depth > 200 { throw beyond() }
    let container = tokens.count
    add(kind, from: at, to: at)
    tokens.start[container].hint = Int32(truncatingIfNeeded: container &+ 1)
    at &+= 1
    return container
  }

  private func end(_ container: Int, count: Int32) {
    at &+= 1
    tokens.start[container].count = count
    tokens.start[container].end = UInt32(truncatingIfNeeded: at)
    tokens.start[container].next = Int32(truncatingIfNeeded: tokens.count)
  }

  private func scanString() throws {
    at &+= 1
    let start = at
    var kind = JSONToken.Kind.string
    while true {
      let byte = bytes.start[at]
      if byte == UInt8(ascii: "\"") { break }
      if byte < 0x20 { throw beyond() }
      if byte == UInt8(ascii: "\\") {
        kind = .escaped
        try scanEscape()
      } else {
        if byte >= 0x80 { isASCII = false }
        at &+= 1
      }
    }
    add(kind, from: start, to: at)
    at &+= 1
  }

  private func scanEscape() throws {
    at &+= 1
    switch bytes.start[at] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at &+= 1
    case UInt8(ascii: "u"):
      at &+= 1
      for _ in 0..<4 {
        if JSONText.hex(bytes.start[at]) == nil { throw beyond() }
        at &+= 1
      }
    default: throw beyond()
    }
  }

  private func scanNumber() throws {
    let start = at
    if bytes.start[at] == UInt8(ascii: "-") { at &+= 1 }
    if bytes.start[at] == UInt8(ascii: "0") { at &+= 1 } else { try scanDigits() }
    if bytes.start[at] == UInt8(ascii: ".") {
      at &+= 1
      try scanDigits()
    }
    if bytes.start[at] | 0x20 == UInt8(ascii: "e") {
      at &+= 1
      if bytes.start[at] == UInt8(ascii: "-") || bytes.start[at] == UInt8(ascii: "+") { at &+= 1 }
      try scanDigits()
    }
    add(.number, from: start, to: at)
  }

  private func scanDigits() throws {
    let start = at
    while bytes.start[at] >= UInt8(ascii: "0"), bytes.start[at] <= UInt8(ascii: "9") { at &+= 1 }
    if at == start { throw beyond() }
  }
}
