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
  @inline(__always)
  func encode<Number: JSONInteger>(_ value: Number) { draft.scalar(piece) { draft.write(value) } }
  func encode<Value: Encodable>(_ value: Value) throws { try draft.encode(value, into: piece) }
}

/// Adds members to an object of a draft.
struct JSONObjectEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  /// Safe, because either `keeper` keeps it, or it keeps this.
  unowned(unsafe) let draft: JSONDraft
  private let keeper: JSONDraft?
  let object: Int32

  init(draft: JSONDraft, object: Int32) {
    (self.draft, keeper, self.object) = (draft, draft, object)
  }

  /// The container for the whole value, which the draft keeps for the next one.
  init(keptBy draft: JSONDraft) { (self.draft, keeper, object) = (draft, nil, 0) }

  var codingPath: [any CodingKey] { draft.path(to: object) }

  func encodeNil(forKey key: Key) { member(key).encodeNil() }
  func encode(_ value: Bool, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: String, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Double, forKey key: Key) throws { try member(key).encode(value) }
  func encode(_ value: Float, forKey key: Key) throws { try member(key).encode(value) }
  @inline(__always)
  func encode<Number: JSONInteger>(_ value: Number, forKey key: Key) { member(key).encode(value) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try draft.encode(value, into: member(key).piece)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    member(key).unkeyedContainer()
  }

  // Rare, and Foundation knows what becomes of it.
  func superEncoder() -> any Encoder { draft.beyond() }
  func superEncoder(forKey key: Key) -> any Encoder { draft.beyond() }

  @inline(__always)
  private func member(_ key: Key) -> JSONEncoding {
    JSONEncoding(draft: draft, piece: draft.member(of: object, key.stringValue))
  }
}

/// Adds elements to an array of a draft.
struct JSONArrayEncoding: UnkeyedEncodingContainer {
  let draft: JSONDraft
  let array: Int32

  var codingPath: [any CodingKey] { draft.path(to: array) }
  var count: Int { Int(draft.pieces.start[Int(array)].count) }

  func encodeNil() { element().encodeNil() }
  func encode(_ value: Bool) { element().encode(value) }
  func encode(_ value: String) { element().encode(value) }
  func encode(_ value: Double) throws { try element().encode(value) }
  func encode(_ value: Float) throws { try element().encode(value) }
  @inline(__always)
  func encode<Number: JSONInteger>(_ value: Number) { element().encode(value) }
  func encode<Value: Encodable>(_ value: Value) throws {
    try draft.encode(value, into: element().piece)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    element().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }

  // Rare, and Foundation knows what becomes of it.
  func superEncoder() -> any Encoder { draft.beyond() }

  @inline(__always)
  private func element() -> JSONEncoding {
    JSONEncoding(draft: draft, piece: draft.element(of: array))
  }
}

extension JSONDraft {
  /// Leaves the value to Foundation; what is encoded here is dropped.
  func beyond() -> JSONEncoding {
    isBeyond = true
    return JSONEncoding(draft: self, piece: element(of: 0))
  }
}

/// The whole numbers that Codable names, one by one: the containers treat them alike.
protocol JSONInteger: FixedWidthInteger, Codable {}

extension Int: JSONInteger {}
extension Int8: JSONInteger {}
extension Int16: JSONInteger {}
extension Int32: JSONInteger {}
extension Int64: JSONInteger {}
extension UInt: JSONInteger {}
extension UInt8: JSONInteger {}
extension UInt16: JSONInteger {}
extension UInt32: JSONInteger {}
extension UInt64: JSONInteger {}
