// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
  func encode(_ value: Int) { element().encode(value) }
  func encode(_ value: Int8) { element().encode(value) }
  func encode(_ value: Int16) { element().encode(value) }
  func encode(_ value: Int32) { element().encode(value) }
  func encode(_ value: Int64) { element().encode(value) }
  func encode(_ value: UInt) { element().encode(value) }
  func encode(_ value: UInt8) { element().encode(value) }
  func encode(_ value: UInt16) { element().encode(value) }
  func encode(_ value: UInt32) { element().encode(value) }
  func encode(_ value: UInt64) { element().encode(value) }
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
