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
  func decode(_ type: Int.Type) throws -> Int { try text.integer(type, at: Int(token)) }
  func decode(_ type: Int8.Type) throws -> Int8 { try text.integer(type, at: Int(token)) }
  func decode(_ type: Int16.Type) throws -> Int16 { try text.integer(type, at: Int(token)) }
  func decode(_ type: Int32.Type) throws -> Int32 { try text.integer(type, at: Int(token)) }
  func decode(_ type: Int64.Type) throws -> Int64 { try text.integer(type, at: Int(token)) }
  func decode(_ type: UInt.Type) throws -> UInt { try text.integer(type, at: Int(token)) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try text.integer(type, at: Int(token)) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try text.integer(type, at: Int(token)) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try text.integer(type, at: Int(token)) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try text.integer(type, at: Int(token)) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try text.decode(type, at: Int(token))
  }
}
