// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Decodes types without fields: events that are sent without a payload.
struct EmptyDecoder: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw EmptyDecoder.failure
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw EmptyDecoder.failure }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw EmptyDecoder.failure
  }

  private static var failure: DecodingError {
    .dataCorrupted(
      .init(codingPath: [], debugDescription: "an event without a payload has nothing to decode"))
  }
}
