// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

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

/// Whether a value has types whose form is ours: else Foundation's message is the better one.
///
/// Sendable because one decoder has it, and that decodes on one thread.
final class MetForms: @unchecked Sendable {
  private static let key = CodingUserInfoKey(rawValue: "mainstem.forms")

  private(set) var areMet = false

  var userInfo: [CodingUserInfoKey: any Sendable] { MetForms.key.map { [$0: self] } ?? [:] }

  static func note(in decoder: any Decoder) {
    (key.flatMap { decoder.userInfo[$0] } as? MetForms)?.areMet = true
  }
}

extension Judged: Decodable where Value: Decodable {
  init(from decoder: any Decoder) throws {
    let form = JSONForm.of(Value.self)
    guard form != .own, form != .hashed else {
      value = try Value(from: JudgedDecoder(base: decoder))
      return
    }
    MetForms.note(in: decoder)
    let single = try decoder.singleValueContainer()
    guard let text = try? single.decode(String.self) else {
      // What it looked like before.
      value = try single.decode(Value.self)
      return
    }
    guard let value = WireForm.value(Value.self, form, of: text) else {
      throw DecodingError.dataCorruptedError(
        in: single, debugDescription: "expected \(form.words), got \"\(text)\"")
    }
    self.value = value
  }
}

extension JSONForm {
  fileprivate var words: String {
    switch self {
    case .own, .hashed: "a value"
    case .date: "a time such as 2026-11-27T20:21:30Z"
    case .uuid: "a UUID"
    case .data: "base64"
    case .url: "a URL"
    case .decimal: "a decimal number such as 12.5"
    case .duration: "seconds such as 1.5s"
    }
  }
}

/// Passes on what is decoded.
struct JudgedDecoder: Decoder {
  let base: any Decoder

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(JudgedObjectDecoding(base: try base.container(keyedBy: type)))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    JudgedArrayDecoding(base: try base.unkeyedContainer())
  }
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    JudgedSingleDecoding(base: try base.singleValueContainer())
  }
}

struct JudgedObjectDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }
  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try base.decode(Judged<Value>.self, forKey: key).value
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(
      JudgedObjectDecoding<Nested>(base: try base.nestedContainer(keyedBy: type, forKey: key)))
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    JudgedArrayDecoding(base: try base.nestedUnkeyedContainer(forKey: key))
  }
  func superDecoder() throws -> any Decoder { JudgedDecoder(base: try base.superDecoder()) }
  func superDecoder(forKey key: Key) throws -> any Decoder {
    JudgedDecoder(base: try base.superDecoder(forKey: key))
  }
}

struct JudgedArrayDecoding: UnkeyedDecodingContainer {
  var base: any UnkeyedDecodingContainer

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }
  mutating func decode(_ type: Bool.Type) throws -> Bool { try base.decode(type) }
  mutating func decode(_ type: String.Type) throws -> String { try base.decode(type) }
  mutating func decode(_ type: Double.Type) throws -> Double { try base.decode(type) }
  mutating func decode(_ type: Float.Type) throws -> Float { try base.decode(type) }
  mutating func decode(_ type: Int.Type) throws -> Int { try base.decode(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try base.decode(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try base.decode(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try base.decode(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try base.decode(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try base.decode(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try base.decode(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try base.decode(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try base.decode(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try base.decode(type) }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try base.decode(Judged<Value>.self).value
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(
      JudgedObjectDecoding<Nested>(base: try base.nestedContainer(keyedBy: type)))
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    JudgedArrayDecoding(base: try base.nestedUnkeyedContainer())
  }
  mutating func superDecoder() throws -> any Decoder {
    JudgedDecoder(base: try base.superDecoder())
  }
}

struct JudgedSingleDecoding: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer

  var codingPath: [any CodingKey] { base.codingPath }

  func decodeNil() -> Bool { base.decodeNil() }
  func decode(_ type: Bool.Type) throws -> Bool { try base.decode(type) }
  func decode(_ type: String.Type) throws -> String { try base.decode(type) }
  func decode(_ type: Double.Type) throws -> Double { try base.decode(type) }
  func decode(_ type: Float.Type) throws -> Float { try base.decode(type) }
  func decode(_ type: Int.Type) throws -> Int { try base.decode(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try base.decode(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try base.decode(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try base.decode(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try base.decode(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try base.decode(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try base.decode(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try base.decode(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try base.decode(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try base.decode(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try base.decode(Judged<Value>.self).value
  }
}
