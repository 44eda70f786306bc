// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
