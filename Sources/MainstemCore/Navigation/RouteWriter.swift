// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Writes the URL of a pattern.
package struct RouteWriter {
  private let values: UnsafePointer<mainstem_route_value>?
  private let count: Int
  private let buffer: UnsafeMutablePointer<CChar>?
  private let capacity: Int
  /// How long the URL is so far, whether there is room for it or not.
  private var length = 0

  private static var longest: Int { 65536 }
  private static var most: Int { 4096 }

  package init(
    _ values: UnsafePointer<mainstem_route_value>?, _ count: Int,
    _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
  ) {
    self.values = values
    self.count = count
    self.buffer = buffer
    self.capacity = capacity
  }

  /// Writes as much as there is room for, and a zero, and returns how long the URL is.
  package mutating func write(_ text: UnsafePointer<CChar>?) throws(Refusal) -> Int {
    let bytes = try RoutePattern.check(text)
    guard count <= RouteWriter.most else {
      throw Refusal(
        .tooBig, "count", "is over 4,096 values", .number(UInt64(bitPattern: Int64(count))))
    }
    var pattern = RoutePattern(checked: bytes)
    if pattern.scheme.count > 0 {
      put(pattern.scheme)
      put(Bytes("://"))
    }
    var isFirst = true
    while let segment = pattern.next() {
      if !isFirst { put(0x2F) }
      isFirst = false
      try put(segment)
    }
    try putQuery(of: bytes)
    put(0)
    length &-= 1
    guard length <= RouteWriter.longest else {
      throw Refusal(.tooBig, "values", "make a URL of more than 65,536 bytes")
    }
    return length
  }
}

extension RouteWriter {
  private func name(_ index: Int) throws(Refusal) -> Bytes {
    guard let name = values?[index].name else { throw .null("values").inRow(index) }
    return Bytes(zeroEnded: name)
  }

  private func value(_ index: Int) throws(Refusal) -> Bytes {
    guard let text = values?[index].text else { throw .null("values").inRow(index) }
    return Bytes(zeroEnded: text)
  }

  /// The one value of a placeholder.
  private func value(of placeholder: Bytes) throws(Refusal) -> Bytes {
    var found: Bytes?
    var index = 0
    while index < count {
      if try name(index) == placeholder {
        guard found == nil else { throw .value("is given twice", placeholder) }
        found = try value(index)
      }
      index &+= 1
    }
    guard let found else { throw .value("has no value", placeholder) }
    return found
  }

  @inline(never)
  private mutating func put(_ segment: RoutePattern.Segment) throws(Refusal) {
    put(escaping: segment.prefix)
    if segment.name.count > 0 {
      let value = try value(of: segment.name)
      let type = RouteType(name: segment.type) ?? .any
      var rest = value
      while type.isPath, rest.index(of: 0x2F) < rest.count {
        let end = rest.index(of: 0x2F)
        try put(rest.part(0, end), in: segment)
        put(0x2F)
        rest = rest.part(end &+ 1, rest.count)
      }
      guard type.accepts(value) else { throw .value("has a value of another type", segment.name) }
      try put(rest, in: segment)
    }
    put(escaping: segment.suffix)
  }

  /// Adds a value of a placeholder, or a segment of it.
  private mutating func put(_ value: Bytes, in segment: RoutePattern.Segment) throws(Refusal) {
    let isDots =
      segment.prefix.count &+ value.count &+ segment.suffix.count <= 2
      && segment.prefix.hasOnlyDots && value.hasOnlyDots && segment.suffix.hasOnlyDots
    guard value.count > 0, !isDots, value.index(of: 0x2F) == value.count, value.isUTF8 else {
      throw .value("has a value that no URL can have there", segment.name)
    }
    put(escaping: value)
  }

  /// Adds the values that are not named in the pattern.
  @inline(never)
  private mutating func putQuery(of pattern: Bytes) throws(Refusal) {
    var separator: UInt8 = 0x3F
    var index = 0
    while index < count {
      let name = try name(index)
      if RoutePattern.count(name, in: pattern) == 0 {
        put(separator)
        put(escaping: name)
        put(0x3D)
        put(escaping: try value(index))
        separator = 0x26
      }
      index &+= 1
    }
  }

  @inline(never)
  private mutating func put(escaping text: Bytes) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: put(byte)
      default:
        put(0x25)
        put(RouteWriter.digit(byte >> 4))
        put(RouteWriter.digit(byte & 0xF))
      }
      index &+= 1
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x37 &+ value }

  private mutating func put(_ text: Bytes) {
    var index = 0
    while index < text.count {
      put(text[index])
      index &+= 1
    }
  }

  @inline(never)
  private mutating func put(_ byte: UInt8) {
    if length < capacity { buffer?[length] = CChar(bitPattern: byte) }
    length &+= 1
  }
}

extension Bytes {
  fileprivate var hasOnlyDots: Bool {
    var index = 0
    while index < count, self[index] == 0x2E { index &+= 1 }
    return index == count
  }
}

extension Refusal {
  fileprivate static func value(_ reason: Phrase, _ name: Bytes) -> Refusal {
    Refusal(.invalid, "values", reason, .name(name))
  }
}
