// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A value that Foundation codes, and within it, at any depth, the types whose form is ours.
struct Judged<Value> { let value: Value }

extension Judged: Encodable where Value: Encodable {
  func encode(to encoder: any Encoder) throws {
    switch JSONForm.of(Value.self) {
    case .own: try value.encode(to: JudgedEncoder(base: encoder))
    case .hashed:
      var list = encoder.unkeyedContainer()
      for element in try (value as? any HashOrdered)?.inOrder() ?? [] {
        try Judged.add(element.value, to: &list)
      }
    default:
      var single = encoder.singleValueContainer()
      try single.encode(try WireForm.text(of: value))
    }
  }

  private static func add<Element: Encodable>(
    _ element: Element, to list: inout any UnkeyedEncodingContainer
  ) throws {
    try list.encode(Judged<Element>(value: element))
  }
}

/// Passes on what is encoded.
struct JudgedEncoder: Encoder {
  let base: any Encoder

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(JudgedObjectEncoding(base: base.container(keyedBy: type)))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    JudgedArrayEncoding(base: base.unkeyedContainer())
  }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    JudgedSingleEncoding(base: base.singleValueContainer())
  }
}

struct JudgedObjectEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var base: KeyedEncodingContainer<Key>

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }
  mutating func encode(_ value: Bool, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: String, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Double, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Float, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Int, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Int8, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Int16, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Int32, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Int64, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: UInt, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: UInt8, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: UInt16, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: UInt32, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: UInt64, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try base.encode(Judged(value: value), forKey: key)
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      JudgedObjectEncoding<Nested>(base: base.nestedContainer(keyedBy: type, forKey: key)))
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    JudgedArrayEncoding(base: base.nestedUnkeyedContainer(forKey: key))
  }
  mutating func superEncoder() -> any Encoder { JudgedEncoder(base: base.superEncoder()) }
  mutating func superEncoder(forKey key: Key) -> any Encoder {
    JudgedEncoder(base: base.superEncoder(forKey: key))
  }
}

struct JudgedArrayEncoding: UnkeyedEncodingContainer {
  var base: any UnkeyedEncodingContainer

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int { base.count }

  mutating func encodeNil() throws { try base.encodeNil() }
  mutating func encode(_ value: Bool) throws { try base.encode(value) }
  mutating func encode(_ value: String) throws { try base.encode(value) }
  mutating func encode(_ value: Double) throws { try base.encode(value) }
  mutating func encode(_ value: Float) throws { try base.encode(value) }
  mutating func encode(_ value: Int) throws { try base.encode(value) }
  mutating func encode(_ value: Int8) throws { try base.encode(value) }
  mutating func encode(_ value: Int16) throws { try base.encode(value) }
  mutating func encode(_ value: Int32) throws { try base.encode(value) }
  mutating func encode(_ value: Int64) throws { try base.encode(value) }
  mutating func encode(_ value: UInt) throws { try base.encode(value) }
  mutating func encode(_ value: UInt8) throws { try base.encode(value) }
  mutating func encode(_ value: UInt16) throws { try base.encode(value) }
  mutating func encode(_ value: UInt32) throws { try base.encode(value) }
  mutating func encode(_ value: UInt64) throws { try base.encode(value) }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try base.encode(Judged(value: value))
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(JudgedObjectEncoding<Nested>(base: base.nestedContainer(keyedBy: type)))
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    JudgedArrayEncoding(base: base.nestedUnkeyedContainer())
  }
  mutating func superEncoder() -> any Encoder { JudgedEncoder(base: base.superEncoder()) }
}

struct JudgedSingleEncoding: SingleValueEncodingContainer {
  var base: any SingleValueEncodingContainer

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil() throws { try base.encodeNil() }
  mutating func encode(_ value: Bool) throws { try base.encode(value) }
  mutating func encode(_ value: String) throws { try base.encode(value) }
  mutating func encode(_ value: Double) throws { try base.encode(value) }
  mutating func encode(_ value: Float) throws { try base.encode(value) }
  mutating func encode(_ value: Int) throws { try base.encode(value) }
  mutating func encode(_ value: Int8) throws { try base.encode(value) }
  mutating func encode(_ value: Int16) throws { try base.encode(value) }
  mutating func encode(_ value: Int32) throws { try base.encode(value) }
  mutating func encode(_ value: Int64) throws { try base.encode(value) }
  mutating func encode(_ value: UInt) throws { try base.encode(value) }
  mutating func encode(_ value: UInt8) throws { try base.encode(value) }
  mutating func encode(_ value: UInt16) throws { try base.encode(value) }
  mutating func encode(_ value: UInt32) throws { try base.encode(value) }
  mutating func encode(_ value: UInt64) throws { try base.encode(value) }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try base.encode(Judged(value: value))
  }
}
