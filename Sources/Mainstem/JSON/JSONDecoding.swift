// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Decodes from one value of a text. Small enough to be passed without memory of its own.
struct JSONDecoding: Decoder {
  let text: JSONText
  let token: Int32

  var codingPath: [any CodingKey] { text.path(to: Int(token)) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let object = try text.object(at: Int(token))
    if object == 0 { return text.whole(keyedBy: type) }
    return KeyedDecodingContainer(JSONObjectDecoding<Key>(text: text, object: object))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    JSONArrayDecoding(text: text, array: try text.array(at: Int(token)))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension JSONDecoding: SingleValueDecodingContainer {
  func decodeNil() -> Bool { text.tokens.start[Int(token)].kind == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try text.bool(at: Int(token)) }
  func decode(_ type: String.Type) throws -> String { try text.string(at: Int(token)) }
  func decode(_ type: Double.Type) throws -> Double { try text.double(at: Int(token)) }
  func decode(_ type: Float.Type) throws -> Float { try text.real(type, at: Int(token)) }
  @inline(__always)
  func decode<Number: JSONInteger>(_ type: Number.Type) throws -> Number {
    try text.integer(type, at: Int(token))
  }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try text.decode(type, at: Int(token))
  }
}

/// Decodes the members of an object.
struct JSONObjectDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// Safe, because either `keeper` keeps it, or it keeps this.
  unowned(unsafe) let text: JSONText
  private let keeper: JSONText?
  let object: Int

  init(text: JSONText, object: Int) { (self.text, keeper, self.object) = (text, text, object) }

  /// The container for the whole value, which the text keeps for the next one.
  init(keptBy text: JSONText) { (self.text, keeper, object) = (text, nil, 0) }

  var codingPath: [any CodingKey] { text.path(to: object) }
  var allKeys: [Key] { text.keys(of: object).compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { text.value(of: key.stringValue, in: object) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { text.tokens.start[try value(key)].kind == .null }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try text.bool(at: value(key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try text.string(at: value(key))
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try text.double(at: value(key))
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try text.real(type, at: value(key))
  }
  @inline(__always)
  func decode<Number: JSONInteger>(_ type: Number.Type, forKey key: Key) throws -> Number {
    try text.integer(type, at: value(key))
  }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try text.decode(type, at: value(key))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try present(key).map { try text.bool(at: $0) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key).map { try text.string(at: $0) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try present(key).map { try text.double(at: $0) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try present(key).map { try text.integer(type, at: $0) }
  }
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try present(key).map { try text.decode(type, at: $0) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(
      JSONObjectDecoding<Nested>(text: text, object: try text.object(at: value(key))))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    JSONArrayDecoding(text: text, array: try text.array(at: value(key)))
  }

  // Rare, and Foundation knows what it decodes.
  func superDecoder() throws -> any Decoder { throw text.beyond() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw text.beyond() }

  @inline(__always)
  private func value(_ key: Key) throws -> Int {
    if let value = text.value(of: key.stringValue, in: object) { return value }
    throw DecodingError.keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: "there is no \(key.stringValue)"))
  }

  /// The value of a key; `nil` also where it is null.
  @inline(__always)
  private func present(_ key: Key) -> Int? {
    guard let value = text.value(of: key.stringValue, in: object) else { return nil }
    return text.tokens.start[value].kind == .null ? nil : value
  }
}

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
  @inline(__always)
  mutating func decode<Number: JSONInteger>(_ type: Number.Type) throws -> Number {
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
