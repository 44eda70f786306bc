// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
  func encode(_ value: Int, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Int8, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Int16, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Int32, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: Int64, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: UInt, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: UInt8, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: UInt16, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: UInt32, forKey key: Key) { member(key).encode(value) }
  func encode(_ value: UInt64, forKey key: Key) { member(key).encode(value) }
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
