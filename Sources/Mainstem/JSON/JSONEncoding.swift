// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Encodes into one piece of a draft. Small enough to be passed without memory of its own.
struct JSONEncoding: Encoder {
  let draft: JSONDraft
  let piece: Int32

  var codingPath: [any CodingKey] { draft.path(to: piece) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    draft.open(piece, as: .object)
    if piece == 0 { return draft.whole(keyedBy: type) }
    return KeyedEncodingContainer(JSONObjectEncoding<Key>(draft: draft, object: piece))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    draft.open(piece, as: .array)
    return JSONArrayEncoding(draft: draft, array: piece)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONEncoding: SingleValueEncodingContainer {
  func encodeNil() { draft.scalar(piece) { draft.write(ascii: "null") } }
  func encode(_ value: Bool) { draft.scalar(piece) { draft.write(value) } }
  func encode(_ value: String) { draft.scalar(piece) { draft.write(value) } }
  func encode(_ value: Double) throws { try draft.scalar(piece) { try draft.write(value) } }
  func encode(_ value: Float) throws { try draft.scalar(piece) { try draft.write(value) } }
  func encode(_ value: Int) { draft.scalar(piece) { draft.write(value) } }
  func encode(_ value: Int8) { draft.scalar(piece) { draft.write(value) } }
  func encode(_ value: Int16) { draft.scalar(piece) { draft.write(value) } }
  func encode(_ value: Int32) { draft.scalar(piece) { draft.write(value) } }
  func encode(_ value: Int64) { draft.scalar(piece) { draft.write(value) } }
  func encode(_ value: UInt) { draft.scalar(piece) { draft.write(value) } }
  func encode(_ value: UInt8) { draft.scalar(piece) { draft.write(value) } }
  func encode(_ value: UInt16) { draft.scalar(piece) { draft.write(value) } }
  func encode(_ value: UInt32) { draft.scalar(piece) { draft.write(value) } }
  func encode(_ value: UInt64) { draft.scalar(piece) { draft.write(value) } }
  func encode<Value: Encodable>(_ value: Value) throws { try draft.encode(value, into: piece) }
}
