// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The coder of a context that was made with `coder: nil`: it refuses every value.
struct NoCoder: PayloadCoder {
  private static let sentence = "the context was made without a payload coder"

  func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    throw EncodingError.invalidValue(
      value, .init(codingPath: [], debugDescription: NoCoder.sentence))
  }

  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: NoCoder.sentence))
  }
}
