// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try text.integer(type, at: value(key))
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try text.integer(type, at: value(key))
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try text.integer(type, at: value(key))
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try text.integer(type, at: value(key))
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try text.integer(type, at: value(key))
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try text.integer(type, at: value(key))
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try text.integer(type, at: value(key))
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try text.integer(type, at: value(key))
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try text.integer(type, at: value(key))
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
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
