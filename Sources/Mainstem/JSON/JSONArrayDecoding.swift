// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Decodes the elements of an array, one after the other.
struct JSONArrayDecoding: UnkeyedDecodingContainer {
  let text: JSONText
  let array: Int
  private(set) var currentIndex = 0
  private var next: Int

  init(text: JSONText, array: Int) {
    (self.text, self.array, next) = (text, array, array + 1)
  }

  var codingPath: [any CodingKey] { text.path(to: array) }
  var count: Int? { Int(text.tokens.start[array].count) }
  var isAtEnd: Bool { next >= Int(text.tokens.start[array].next) }

  mutating func decodeNil() throws -> Bool {
    let token = try element(Any?.self)
    if text.tokens.start[token].kind != .null { return false }
    pass(token)
    return true
  }
  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try take(type) { try $0.bool(at: $1) }
  }
  mutating func decode(_ type: String.Type) throws -> String {
    try take(type) { try $0.string(at: $1) }
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    try take(type) { try $0.double(at: $1) }
  }
  mutating func decode(_ type: Float.Type) throws -> Float {
    try take(type) { try $0.real(type, at: $1) }
  }
  mutating func decode(_ type: Int.Type) throws -> Int {
    try take(type) { try $0.integer(type, at: $1) }
  }
  mutating func decode(_ type: Int8.Type) throws -> Int8 {
    try take(type) { try $0.integer(type, at: $1) }
  }
  mutating func decode(_ type: Int16.Type) throws -> Int16 {
    try take(type) { try $0.integer(type, at: $1) }
  }
  mutating func decode(_ type: Int32.Type) throws -> Int32 {
    try take(type) { try $0.integer(type, at: $1) }
  }
  mutating func decode(_ type: Int64.Type) throws -> Int64 {
    try take(type) { try $0.integer(type, at: $1) }
  }
  mutating func decode(_ type: UInt.Type) throws -> UInt {
    try take(type) { try $0.integer(type, at: $1) }
  }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    try take(type) { try $0.integer(type, at: $1) }
  }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    try take(type) { try $0.integer(type, at: $1) }
  }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    try take(type) { try $0.integer(type, at: $1) }
  }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
    try take(type) { try $0.integer(type, at: $1) }
  }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try take(type) { try $0.decode(type, at: $1) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try take(type) {
      KeyedDecodingContainer(
        JSONObjectDecoding<Nested>(text: $0, object: try $0.object(at: $1)))
    }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try take([Any].self) { JSONArrayDecoding(text: $0, array: try $0.array(at: $1)) }
  }

  // Rare, and Foundation knows what it decodes.
  mutating func superDecoder() throws -> any Decoder { throw text.beyond() }

  /// Decodes the next element, and passes it unless that fails.
  @inline(__always)
  private mutating func take<Value>(
    _ type: Any.Type, _ decode: (JSONText, Int) throws -> Value
  ) throws -> Value {
    let token = try element(type)
    let value = try decode(text, token)
    pass(token)
    return value
  }

  private func element(_ type: Any.Type) throws -> Int {
    if !isAtEnd { return next }
    throw DecodingError.valueNotFound(
      type, .init(codingPath: codingPath, debugDescription: "the array has no more elements"))
  }

  private mutating func pass(_ token: Int) {
    currentIndex += 1
    next = Int(text.tokens.start[token].next)
  }
}
